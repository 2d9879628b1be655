"""Energies and places of several players in one document: each keeps her own, and her audience its own."""

from itertools import count
from typing import Any

from shared.rules.gxc import RULES
from shared.rules.gxc.project_common import shelf_of
from shared.rules.interface import Document, Event, Viewer
from shared.views import generations

ANA = "ana"
MATE, FOE = [name for name in map("player_{}".format, range(10_000)) if shelf_of(name) == shelf_of(ANA)][:2]
PLAYERS = {ANA: "red", MATE: "red", FOE: "blue"}


def _entered(player: str, team: str, energy: int) -> list[Event]:
    audience = (f"team:{team}",)
    placed = {"player": player, "team": team, "territory": "t1"}
    energized = {"player": player, "team": team, "energy": energy, "turn": 1, "streak": 1}
    return [
        Event("joined", {"player": player, "team": team}),
        Event("placed", placed, audience),
        Event("energized", energized, audience),
    ]


def _seen(events: list[Event], *audiences: str) -> dict[str, Any]:
    """The players whom a viewer with these audiences sees, from views that hold these events."""
    stored: dict[tuple[str, str, str], dict[str, Any]] = {}
    gone: set[tuple[str, str, str]] = set()
    for write in (write for event in events for write in RULES.project(event)):
        place = (write.kind, write.id, write.audience)
        stored.setdefault(place, {}).update(write.fields)
        (gone.add if write.gone else gone.discard)(place)
    shown = [Document(*place, fields) for place, fields in stored.items() if place not in gone]
    documents = [item for item in shown if item.audience in audiences and item.kind != "member"]
    view = RULES.view(documents, Viewer("player", ANA, audiences))
    players: dict[str, Any] = view["players"]
    return players


def _events() -> list[Event]:
    energy = count(7)
    return [event for player, team in PLAYERS.items() for event in _entered(player, team, next(energy))]


def test_players_of_one_shelf_have_each_her_own_energy_and_a_foe_shows_none() -> None:
    players = _seen(_events(), "public", "team:red")

    assert [players[name]["energy"] for name in (ANA, MATE)] == [7, 8]
    assert players[FOE] == {"team": "blue"}


def test_who_is_out_takes_nothing_from_those_on_her_shelf() -> None:
    left = Event("players_out", {"team": "red", "players": [MATE]})
    moved = Event("moved", {"player": ANA, "from": "t1", "to": "t2", "cost": 0})
    players = _seen([*_events(), moved, left], "public", "team:red")

    assert (players[ANA]["energy"], players[ANA]["location"]) == (7, "t2")
    assert players[MATE] == {"team": "red", "status": "out"}


def test_views_of_form_3_show_the_same_while_new_ones_are_filled_and_go_on_with_a_new_turn() -> None:
    """One document for each territory, and an empire with its team. What is new is written beside it (0025)."""
    older = [
        Document("game", "game", "public", {"phase": "running", "turn": 3, "config": {"public_energy": True}}),
        *(Document("territory", item, "public", {"owner": "red"}) for item in ("0", "turn")),
        *(Document("strength", item, "public", {"turn": 3, "players": 2, "energy": 7}) for item in ("0", "turn")),
        Document("team", "red", "public", {"name": "Red", "empire": 4}),
    ]
    opened = {"phase": "running", "turn": 4, "config": {"public_energy": True}, "red|empire": 5}
    strengths = {"turn": 3, "players": 2, "energy": 7, "0": [4, 1, 9]}
    newer = [
        Document("game", "game", "public", opened),
        *older[1:3],
        Document("strength", "0", "public", strengths),
        Document("strength", "1", "public", {"turn": [4, 3, 8]}),
        older[-1],
    ]

    shown = [RULES.view(documents, Viewer("public", "")) for documents in (older, newer)]

    assert [[(item["players"], item["energy"]) for item in view["territories"].values()] for view in shown] == [
        [(2, 7), (2, 7)],
        [(1, 9), (3, 8)],
    ]
    assert [view["teams"]["red"]["empire"] for view in shown] == [4, 5]


def test_a_player_stands_where_views_of_this_form_have_her() -> None:
    """Who moves shelves raises the form of the views (docs/decisions/0025): on the old ones values would go stale."""
    assert (generations.FORM, shelf_of(ANA), shelf_of("u57d29c22fa433274")) == (4, "070", "000")
