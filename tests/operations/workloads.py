"""The fixed workloads, by name: what each of them counts is the same in every run and on every machine."""

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from services.resolver.projector import partitions
from shared.canonical import canonical
from shared.events import JournalEvent, event_type, pack
from tests.bench import exgenhoca_games
from tests.bench.gxc_workload import DAY_MS, commands, creation, resolve, workload
from tests.operations.counting import CountedRules, Counts, commits_counted, draws_counted, looked, rules_counted
from tests.operations.hosted import GAME, Command, Installation

Found = dict[str, Counts]
"""Workload -> its counts."""


def counted() -> Found:
    """Play every workload; takes a second."""
    return {**_rules_of_gxc(), **_rules_of_exgenhoca(), **_hosted_turn()}


def _rules_of_gxc() -> Found:
    """A turn decided, evolved and projected, at two sizes with as many players a territory."""
    return {f"gxc, {players:,} players: a turn": gxc_turn(players, players // 5) for players in (300, 1_200)}


def gxc_turn(players: int, territories: int) -> Counts:
    """What the rules do from the close of a turn of these sizes to what its views are written from."""
    work, counts = workload(players, territories), Counts()
    work.state.board.neighbours = looked(work.state.board.neighbours, counts)
    with rules_counted("gxc", counts) as rules, draws_counted(counts):
        resolve(work)
        _told(rules, work.state, counts)
    return counts


def _rules_of_exgenhoca() -> Found:
    """A game from its creation to its end."""
    counts = Counts()
    with rules_counted("exgenhoca", counts) as rules, draws_counted(counts):
        with patch.object(exgenhoca_games, "RULES", rules):
            game = exgenhoca_games.TimedGame("operations", random.Random(1))
            board = game.state.board
            board.neighbours = looked(board.neighbours, counts)
            game.play()
        _told(rules, game.state, counts)
    return {"exgenhoca, 6 players: a game": counts}


def _told(rules: CountedRules, state: Any, counts: Counts) -> None:
    """Project what was decided, and measure it as records of the journal, and the state it led to."""
    for event in rules.decided:
        rules.project(event)
    journal = [
        JournalEvent(n, event_type(rules.game, event.type), event.data, event.to)
        for n, event in enumerate(rules.decided, 1)
    ]
    counts["bytes of the journal"] = sum(map(len, pack(GAME, journal)))
    counts["bytes of the state"] = len(canonical(rules.encode(state)))


def _hosted_turn() -> Found:
    """From the topic of orders to the views, on files: a turn of 60 players, one who orders alone, what is stored."""
    play = Play(60, 30)
    alone = next(iter(play.players))
    with hosted(play.before()) as (house, count):
        return {
            "hosted, 60 players: all order": count(lambda: house.give(play.orders(*play.players))),
            "hosted, 60 players: the turn closes": count(lambda: _close(house)),
            "hosted, 60 players: one orders": count(lambda: house.give(play.orders(alone))),
            "hosted, 60 players: a turn of one closes": count(lambda: _close(house)),
            "hosted, 60 players: the snapshot at the end": count(house.close, settles=False),
        }


def one_orders(players: int) -> tuple[Counts, Counts]:
    """A game of so many on 20 territories, all held: one of them orders in the second turn, which closes then."""
    play = Play(players, 20)
    first = next(iter(play.players))
    with hosted(play.before()) as (house, count):
        _close(house)
        house.settle()
        found = count(lambda: house.give(play.orders(first, defend=3))), count(lambda: _close(house))
        house.close()
        return found


class Play:
    """What is said in a war of so many players, from a fixed seed."""

    def __init__(self, players: int, territories: int) -> None:
        chance = random.Random(1)
        self._create, board, teams = creation(territories, chance)
        self._said = list(commands(players, board, teams, chance))
        self.players = {actor: payload for actor, _, type, payload in self._said if type == "set_order"}
        """Player -> her order."""

    def before(self) -> Iterator[Command]:
        """The creation, and everything before the first order."""
        yield "op", "operator", "create_game", {"game": "gxc", "rules": "1", "create": self._create}
        yield from (said for said in self._said if said[2] not in ("energize", "set_order"))

    def orders(self, *players: str, defend: int | None = None) -> Iterator[Command]:
        """These players energize and order, as the workload says or to defend with so much."""
        for player in players:
            yield player, "player", "energize", {}
            yield player, "player", "set_order", self.players[player] if defend is None else {"defend": defend}


Count = Callable[..., Counts]


@contextmanager
def hosted(before: Iterator[Command]) -> Iterator[tuple[Installation, Count]]:
    """An installation to which all this was said, and what counts a step of it; the step closes the house at last."""
    counts = Counts()
    # A look at the clock of the machine: a slow run would look once more.
    unhurried = patch.object(partitions, "LOOK_SECONDS", float("inf"))
    with unhurried, rules_counted("gxc", counts), tempfile.TemporaryDirectory() as folder:
        house = Installation(Path(folder) / "house", counts)
        house.give(before)
        house.settle()

        def count(step: Callable[[], None], *, settles: bool = True) -> Counts:
            counts.clear()
            with draws_counted(counts), commits_counted(counts):
                step()
                if settles:
                    house.settle()
            return +counts

        yield house, count


def _close(house: Installation) -> None:
    """Let the deadline of the open turn pass."""
    house.clock.time += DAY_MS + 1


def plain(found: Mapping[str, Counts]) -> dict[str, dict[str, int]]:
    """The counts as they are recorded: by workload, counters in the order of their names."""
    return {name: dict(sorted(counts.items())) for name, counts in found.items()}
