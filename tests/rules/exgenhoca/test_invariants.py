"""What holds in every game whatever is played (EXG-69), and that a game with `max_rounds` ends (EXG-57)."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.exgenhoca import RULES
from shared.scenarios.table import Table
from tests.rules.conformance.play import LONG_AGO, deal, say, step_by_step
from tests.rules.conformance.players import Move
from tests.rules.exgenhoca.play import Game

State = dict[str, Any]


def check(state: State, size: int) -> None:
    """The invariants of one canonical state."""
    seats = {player["seat"] for player in state["players"].values()}
    assert len(state["territories"]) == size
    assert all(item["owner"] is None or item["owner"] in seats for item in state["territories"].values())
    held = Counter(item["owner"] for item in state["territories"].values())
    for player in state["players"].values():
        assert player["attacks_left"] >= 0
        assert player["global_attacks"] >= 0
        if state["phase"] != "lobby":
            assert (player["status"] == "active") == (held[player["seat"]] > 0)
        assert all(last <= state["round"] for last in player["cooldown"].values())
        assert set(player["attacked_this_round"]) <= set(player["cooldown"])
    assert sum(item["token"] is not None for item in state["territories"].values()) <= 14


def check_journal(table: Table) -> None:
    """Every token is revealed once, and nobody attacks twice in a round without a repeat (EXG-25, EXG-26)."""
    events = [event for item in table.journal for event in item.events]
    placed = {}
    revealed: Counter[str] = Counter()
    attacked: Counter[tuple[int, int, str]] = Counter()
    repeats: Counter[tuple[int, int]] = Counter()
    for event in events:
        data = event.data
        if event.type == "tokens_placed":
            placed = dict(data["tokens"])
        elif event.type == "effect_revealed":
            assert placed[data["territory"]] == data["effect"]
            revealed[data["territory"]] += 1
        elif event.type == "objectives_revealed":
            revealed.update(data["tokens"].keys())
        elif event.type == "attack_resolved":
            attacked[data["round"], data["attacker"], data["target"]] += 0 if data["repeat"] else 1
            repeats[data["round"], data["attacker"]] += data["repeat"]
    assert set(revealed.values()) <= {1}
    assert set(attacked.values()) <= {0, 1}
    assert set(repeats.values()) <= {0, 1}
    if table.rules.over(table.state):
        assert set(revealed) == set(placed)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_invariants_hold_after_every_command(seed: int) -> None:
    """EXG-69."""
    table = deal(RULES, seed)
    size = len(RULES.encode(table.state)["territories"])
    for _ in step_by_step(table, seed, 200):
        check(RULES.encode(table.state), size)
    check_journal(table)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), rounds=st.integers(1, 6))
def test_a_game_with_a_last_round_ends_by_it(seed: int, rounds: int) -> None:
    """EXG-57: whatever is played, the clock alone suffices."""
    chance = Random(seed)
    game = Game([f"p{number}" for number in range(chance.randint(2, 14))], seed, max_rounds=rounds)
    game.start()
    for _ in range(rounds):
        due = RULES.due(game.state)
        if due is None:
            break
        assert due.payload == {"round": game.state.round}
        assert game.say("clock", due.type, at=due.at, **due.payload) == "accepted"
    assert RULES.over(game.state)
    assert game.state.round <= rounds
    assert sorted(game.state.ranking) == list(range(1, len(game.state.players) + 1))


@pytest.mark.parametrize("seed", range(4))
def test_working_counts_are_those_of_the_owners(seed: int) -> None:
    """Territories held and their spread over continents are kept along; they must be what counting gives."""
    table = deal(RULES, seed)
    for _ in step_by_step(table, seed, 200):
        state = table.state
        for player in state.players:
            own = state.territories_of(player.seat)
            assert player.total == len(own)
            assert player.counts == [
                sum(state.board.continent[item] == continent for item in own)
                for continent in range(len(state.board.sizes))
            ]


def test_a_fork_shares_nothing_that_is_written() -> None:
    """Whatever a play does to its fork, the state stays; each slot is carried over."""
    game = Game()
    game.start()
    before = RULES.encode(game.state)
    fork = game.state.fork()
    assert RULES.encode(fork) == before
    for player in game.state.players:
        mine = fork.edit(player.seat)
        assert mine is not player
        assert fork.edit(player.seat) is mine
        assert all(getattr(mine, name) == getattr(player, name) for name in type(player).__slots__)
        mine.cooldown[0] = 9
        mine.attacked_this_round.add(0)
        mine.attacks_left = 99
    for territory in range(len(fork.owner)):
        fork.set_owner(territory, 1)
        fork.token[territory] = None
    assert RULES.encode(game.state) == before


def test_time_alone_ends_a_game_in_which_nobody_does_anything() -> None:
    """EXG-51, EXG-56: all are idle twice and eliminated together."""
    table = Table(RULES, "0" * 64)
    table.create({"players": ["ana", "bia"], "config": {}})
    say(table, "s", Move("operator", "operator", "start_game", {}), LONG_AGO)
    table.run_clock(LONG_AGO + 3 * 86_400_000)
    state = RULES.encode(table.state)
    assert (state["phase"], state["end_reason"], state["winner"], state["round"]) == ("ended", "nobody", None, 2)
