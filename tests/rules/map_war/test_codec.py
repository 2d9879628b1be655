"""The canonical state comes back as it was, and what is wrong in one is named by its path (MAP-14 to MAP-18)."""

import copy
import re
from typing import Any

import pytest

from shared.rules.map_war import RULES
from tests.rules.map_war.small import Game, running

ARMY = {"id": 1, "kind": "army", "nation": "ana", "zone": "h", "aboard": None, "moved_turn": 2}
SHIP = {"id": 2, "kind": "ship", "nation": "ana", "zone": "s", "aboard": None, "moved_turn": 0}
ABOARD = {**ARMY, "id": 3, "zone": "s", "aboard": 2}


def full() -> Game:
    """A state with a value of every kind: a construction, pieces, an army aboard, a submission, deals of each kind."""
    game = running(sale_payer="bank", turn_days={"seconds": 60})
    game.done("ana", "offer", kind="agreement", to="bia", good="food")
    game.done("bia", "accept", deal=1)
    game.done("bia", "offer", kind="sale", to="cai", zone="t", until_turn=3)
    game.done("cai", "offer", kind="exchange", to="ana", give={"currency": 1, "zones": ["u"]}, get={})
    game.done(
        "ana", "submit_turn", claims=["v"], conquests=[{"zone": "t"}], cancels=[{"zone": "h", "structure": "city"}]
    )
    game.give(
        winner="ana",
        ranking=["ana", "bia"],
        pieces={"1": ARMY, "2": SHIP, "3": ABOARD},
        pieces_made=3,
        zones={
            "h": {"levels": {"city": 1}, "building": {"city": {"level": 2, "step": 1, "steps": 2}}, "riot_count": 1}
        },
        nations={"cai": {"kind": "rulerless", "ownerless_since": 3, "decaying": True}},
    )
    return game


def test_a_state_of_every_kind_of_value_comes_back() -> None:
    once = full().state
    assert RULES.encode(RULES.decode(once)) == once


FAULTS: tuple[tuple[tuple[str, ...], Any, str], ...] = (
    (("phase",), "asleep", "phase must be one of"),
    (("turn",), 0, "turn must be an integer"),
    (("winner",), "atlantis", "winner names 'atlantis', which must be a nation of the game"),
    (("ranking",), ["ana", "atlantis"], "ranking.1 names 'atlantis'"),
    (("config", "reduction_mode"), "none", "config.reduction_mode must be one of"),
    (("players", "ana", "status"), "gone", "players.ana.status must be one of"),
    (("zones", "h", "id"), "t", "zones.h.id must be h"),
    (("zones", "h", "neighbours"), ["t", "s"], "zones.h.neighbours must be in ascending order"),
    (("zones", "h", "neighbours"), ["s"], "zones.t.neighbours names h, which must name t too"),
    (("zones", "h", "city_max"), 7, "zones.h.city_max must be 0 to 6 on land"),
    (("zones", "s", "city_max"), 1, "zones.s.city_max must be 0 at sea"),
    (("zones", "h", "owner"), "atlantis", "zones.h.owner names 'atlantis'"),
    (("zones", "h", "home_of"), "atlantis", "zones.h.home_of names 'atlantis'"),
    (("zones", "t", "levels", "city"), 3, "zones.t.levels.city must be at most 2 (MAP-24)"),
    (("zones", "s", "levels", "industry"), 3, "zones.s.levels.industry must be at most 2 (MAP-24)"),
    (("zones", "h", "building", "city", "level"), 3, "zones.h.building.city must be the next level of a structure"),
    (("zones", "h", "building", "city", "step"), 3, "zones.h.building.city.step must be at most steps"),
    (
        ("zones", "s", "building"),
        {"city": {"level": 1, "step": 0, "steps": 1}},
        "zones.s.building.city may not be built there (MAP-24)",
    ),
    (("zones", "h", "piece_points"), 601, "zones.h.piece_points must be an integer"),
    (("zones", "h", "pollution"), -1, "zones.h.pollution must be an integer"),
    (("nations", "ana", "id"), "bia", "nations.ana.id must be ana"),
    (("nations", "ana", "player"), "bia", "nations.ana.player must be null or ana"),
    (("nations", "ana", "food"), -1, "nations.ana: food and technology must be 0 or more (MAP-99)"),
    (("nations", "ana", "submission", "claims"), ["x"], "nations.ana.submission names 'x'"),
    (("nations", "ana", "submission", "moves"), [{"piece": 1, "to": "x"}], "nations.ana.submission names 'x'"),
    (("nations", "ana", "submission", "moves"), [{"piece": 4, "to": "t"}], "nations.ana.submission names piece 4"),
    (("nations", "ana", "submission", "moves"), [{"piece": 1, "board": 4}], "nations.ana.submission names piece 4"),
    (
        ("nations", "ana", "submission", "conquests"),
        [{"zone": "t", "support": [4]}],
        "nations.ana.submission names piece 4",
    ),
    (("pieces", "1", "id"), 4, "pieces.1 must be a piece of that id, at most pieces_made"),
    (("pieces_made",), 2, "pieces.3 must be a piece of that id, at most pieces_made"),
    (("pieces", "1", "zone"), "x", "pieces.1.zone names 'x', which must be a zone of the game"),
    (("pieces", "1", "zone"), "s", "pieces.1.zone must be land"),
    (("pieces", "2", "zone"), "h", "pieces.2.zone must be sea"),
    (("pieces", "1", "nation"), "atlantis", "pieces.1.nation names 'atlantis'"),
    (("pieces", "3", "aboard"), 1, "pieces.3.aboard must be null, or a ship in the same zone that carries an army"),
    (("deals", "1", "id"), 2, "deals must be numbered 1 to 3"),
    (("deals", "1", "a"), "atlantis", "deals.1.a names 'atlantis'"),
    (("deals", "2", "zone"), "x", "deals.2 names 'x'"),
    (("deals", "2", "good"), "food", "deals.2 must have the terms of its kind"),
    (("deals", "3", "give"), {"currency": 1}, "deals.3.give must have currency, food, resources and zones"),
)


def changed(path: tuple[str, ...]) -> tuple[dict[str, Any], Any]:
    """A copy of the state, and the object in it that holds the last name of a path."""
    state = copy.deepcopy(full().state)
    place: Any = state
    for name in path[:-1]:
        place = place[name]
    return state, place


@pytest.mark.parametrize(("path", "value", "message"), FAULTS, ids=[".".join(path) for path, _, _ in FAULTS])
def test_a_wrong_value_is_named(path: tuple[str, ...], value: Any, message: str) -> None:
    state, place = changed(path)
    place[path[-1]] = value
    with pytest.raises(ValueError, match=re.escape(message)):
        RULES.decode(state)


@pytest.mark.parametrize(
    "path",
    [
        ("turn",),
        ("config", "sale_payer"),
        ("zones", "h", "riot_count"),
        ("zones", "h", "levels", "research"),
        ("nations", "barbaria"),
        ("nations", "ana", "missed"),
        ("pieces", "1", "moved_turn"),
        ("deals", "1", "b"),
        ("deals", "2", "until_turn"),
    ],
    ids=".".join,
)
def test_what_is_missing_is_named(path: tuple[str, ...]) -> None:
    state, place = changed(path)
    del place[path[-1]]
    with pytest.raises(ValueError, match=path[-1]):
        RULES.decode(state)


def test_more_armies_than_a_place_holds_are_named() -> None:
    """MAP-52."""
    for armies, where in ((5, {"zone": "h", "aboard": None}), (3, {"zone": "s", "aboard": 99})):
        state, _ = changed(("pieces",))
        pieces = {str(number): {**ARMY, "id": number, **where} for number in range(1, armies + 1)}
        state["pieces"] = {**pieces, "99": {**SHIP, "id": 99}}
        state["pieces_made"] = 99
        with pytest.raises(ValueError, match=r"must (hold|carry) at most"):
            RULES.decode(state)
