"""Views of GXC held against the canonical state: nothing in them is wrong, nothing that may be seen is missing."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from shared.rules.gxc import RULES
from shared.scenarios.table import Table
from tests.rules.conformance.play import SEEDS, again, deal, play

pytestmark = pytest.mark.slow

State = Mapping[str, Any]
NOT_IN_VIEWS = ("clock_closed_at",)

seeds = pytest.mark.parametrize("seed", SEEDS)


@cache
def _played(seed: int) -> Table:
    return play(RULES, seed)


def _steps(seed: int) -> Iterator[Table]:
    table = deal(RULES, seed)
    yield table
    for _ in again(table, _played(seed)):
        yield table


def _view(table: Table, name: str) -> State:
    viewer = table.documents.viewer(name)
    return RULES.view(table.documents.of(viewer), viewer)


def _stands(player: State) -> bool:
    return player["status"] in ("unplaced", "active")


@seeds
def test_an_operator_sees_the_canonical_state(seed: int) -> None:
    for table in _steps(seed):
        state, seen = RULES.encode(table.state), _view(table, "operator")
        for name in set(state) - {"territories", "teams", "players", "polls", *NOT_IN_VIEWS}:
            assert seen.get(name, state[name].__class__()) == state[name], name
        for section in ("territories", "teams", "polls"):
            for id, entry in state[section].items():
                shown = seen[section][id]
                missing = {key: value for key, value in entry.items() if shown.get(key, type(value)()) != value}
                assert missing == {}, (section, id)
        for id, player in state["players"].items():
            shown = seen["players"][id]
            wanted = dict(player) if _stands(player) else {key: player[key] for key in ("team", "status")}
            if state["phase"] != "running":
                wanted.pop("turn_start_location", None)
            assert shown == wanted, id


@seeds
def test_team_mates_see_each_other_whole_but_for_the_seq(seed: int) -> None:
    """GXC-100."""
    for table in _steps(seed):
        state = RULES.encode(table.state)
        for name, player in state["players"].items():
            if not _stands(player):
                continue
            seen = _view(table, name)
            assert seen["you"]["team"] == player["team"]
            for mate, entry in state["players"].items():
                if entry["team"] != player["team"] or not _stands(entry):
                    continue
                wanted = dict(entry)
                if wanted["order"] is not None:
                    wanted["order"] = {key: value for key, value in entry["order"].items() if key != "seq"}
                if state["phase"] != "running":
                    del wanted["turn_start_location"]
                assert seen["players"][mate] == wanted
            break


@seeds
def test_others_see_of_a_player_her_team_and_that_she_is_out(seed: int) -> None:
    """GXC-99, GXC-101; what is sighted of orders is an order without anything else."""
    for table in _steps(seed):
        state = RULES.encode(table.state)
        for viewer in ["public", *list(state["players"])[:3]]:
            own = state["players"].get(viewer, {}).get("team") if viewer != "public" else None
            sees_more = viewer != "public" and _stands(state["players"][viewer])
            for name, shown in _view(table, viewer).get("players", {}).items():
                entry = state["players"][name]
                if sees_more and entry["team"] == own:
                    continue
                assert set(shown) <= {"team", "status", "order"}
                assert shown["team"] == entry["team"]
                assert shown.get("status", "out") in ("out", "expelled")
                if viewer == "public":
                    assert "order" not in shown
                for part, value in shown.get("order", {}).items():
                    assert part in ("attack", "defend")
                    if entry["order"] is not None:
                        assert entry["order"][part] == value


@seeds
def test_strengths_are_the_sums_at_the_opening_of_the_turn(seed: int) -> None:
    """GXC-99."""
    opened: dict[str, tuple[int, int]] = {}
    turn = 0
    for table in _steps(seed):
        state = RULES.encode(table.state)
        if state["phase"] == "lobby":
            continue
        if state["phase"] == "running" and state["turn"] != turn and _last_was_an_opening(table):
            turn, opened = state["turn"], _sums(state)
        if state["turn"] != turn:
            continue
        for viewer in ("public", "operator"):
            for id, shown in _view(table, viewer)["territories"].items():
                if viewer == "operator" or state["config"]["public_energy"]:
                    assert (shown["players"], shown["energy"]) == opened.get(id, (0, 0))
                else:
                    assert "players" not in shown
                    assert "energy" not in shown


def _last_was_an_opening(table: Table) -> bool:
    """Whether nobody has done anything since the turn opened."""
    return any(event.type == "turn_opened" for event in table.journal[-1].events)


def _sums(state: State) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for player in state["players"].values():
        if player["location"] is not None:
            count, energy = sums.get(player["location"], (0, 0))
            sums[player["location"]] = (count + 1, energy + player["energy"])
    return sums
