"""Games of the conformance suite: played at random from a seed, on the real dice."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from shared.rules.interface import Registration, Rules
from shared.scenarios.table import Judgement, Table
from tests.rules.conformance.players import Move, player_of

SEEDS = tuple(range(12))
MOVES = 300
LONG_AGO = 1_700_000_000_000
"""Time of the first move; games are created at 0."""
MOVE = "m"
"""Begins the ids of what players said; deadlines have others."""


def deal(rules: Rules[Any], seed: int) -> Table:
    """A game created from a seed."""
    table = Table(rules, f"{seed:064x}")
    created = table.create(player_of(rules.game).create(random.Random(seed)))
    assert created.refusal is None, created.refusal
    return table


def play(rules: Rules[Any], seed: int, moves: int = MOVES) -> Table:
    """A game played from a seed."""
    table = deal(rules, seed)
    for _ in step_by_step(table, seed, moves):
        pass
    return table


@cache
def played(registered: Registration[Any], seed: int, moves: int = MOVES) -> Table:
    """A game played from a seed, once for all tests that only look at it."""
    return play(registered.load(), seed, moves)


def again(table: Table, like: Table, moves: int = MOVES) -> Iterator[list[Judgement]]:
    """Say at a table what was said at another, at most so many moves, giving the judgements of each.

    As `step_by_step` where both play by the same rules from one seed, but nobody has to choose her moves again.
    """
    for said in [item.input for item in like.journal if item.input.id.startswith(MOVE)][:moves]:
        yield table.say(said.id, said.actor, said.role, said.type, said.payload, said.at)


def replay(rules: Rules[Any], registered: Registration[Any], seed: int, moves: int = MOVES) -> Table:
    """The inputs of `played` with these rules, which watch a law or are those of the game."""
    table = deal(rules, seed)
    for _ in again(table, played(registered, seed), moves):
        pass
    return table


def step_by_step(table: Table, seed: int, moves: int = MOVES) -> Iterator[list[Judgement]]:
    """Play on, giving the judgements of each move; stops when the game is over."""
    chance = random.Random(seed + 1)
    player = player_of(table.rules.game)
    at = LONG_AGO
    for number in range(moves):
        if table.rules.over(table.state):
            return
        move = player.move(chance, table.rules.encode(table.state))
        at += move.wait_ms
        yield say(table, f"{MOVE}{number}", move, at)


def say(table: Table, id: str, move: Move, at: int) -> list[Judgement]:
    """Say a move at a table."""
    return table.say(id, move.actor, move.role, move.type, move.payload, at)
