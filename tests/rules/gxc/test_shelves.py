"""Energies and places of several players in one document: each keeps her own, and her audience its own."""

from itertools import count
from typing import Any

from shared.rules.gxc import RULES
from shared.rules.gxc.project_common import CLOSES, place_of, shelf_of
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


def _left(**energy: int) -> Event:
    return Event("energies", {"part": 1, "parts": 1, "team": "red", "energy": energy}, ("team:red",))


def _seen(events: list[Event], *audiences: str) -> dict[str, Any]:
    """The players whom a viewer with these audiences sees, from views that hold these events."""
    stored: dict[tuple[str, str, str], dict[str, Any]] = {}
    gone: set[tuple[str, str, str]] = set()
    journal = (event._replace(n=n) for n, event in enumerate(events, 1))
    for write in (write for event in journal for write in RULES.project(event)):
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


def test_the_energy_of_a_player_is_what_the_last_close_that_changed_it_left_or_what_she_energized_to_after_it() -> None:
    again = {"player": ANA, "team": "red", "energy": 9, "turn": 2, "streak": 2}
    events = [*_events(), _left(**{ANA: 3}), Event("energized", again, ("team:red",)), _left(**{MATE: 2})]

    energies = [[item["energy"] for _, item in sorted(_seen(events[:end], "team:red").items())] for end in (-2, None)]

    assert energies == [[3, 8], [9, 2]]


def test_who_has_left_and_comes_back_has_the_energy_and_the_place_of_her_return() -> None:
    moved = Event("moved", {"player": ANA, "from": "t1", "to": "t2", "cost": 0})
    out = Event("players_out", {"team": "red", "players": [ANA]})
    events = [*_events(), moved, _left(**{ANA: 3}), out, *_entered(ANA, "red", 0)[:2]]

    player = _seen(events, "public", "team:red")[ANA]

    assert (player["energy"], player["streak"], player["location"]) == (0, 0, "t1")


def test_views_of_form_4_show_the_same_while_new_ones_are_filled_and_go_on_with_a_new_turn() -> None:
    """Energies of closes on the shelves of those who energize, and places on shelves like them (0025)."""
    player = [
        Document("player", ANA, audience, {"team": "red", "status": "active", "location": "t1"})
        for audience in ("public", "team:red")
    ]
    shelf = {ANA: 5, f"{ANA}|streak": [2, 7]}
    older = [
        *player,
        Document("energy", shelf_of(ANA), "team:red", shelf),
        Document("location", shelf_of(ANA), "public", {ANA: "t2"}),
    ]
    newer = [
        *older[:3],
        Document("energy", CLOSES, "team:red", {ANA: [4, 3]}),
        older[-1],
        Document("location", "places-0", "public", {ANA: "t3"}),
    ]
    energized = [*newer[:2], Document("energy", shelf_of(ANA), "team:red", {**shelf, ANA: [6, 9, 3, 8]}), *newer[3:]]

    shown = [
        RULES.view(documents, Viewer("player", ANA, ("public", "team:red")))["players"][ANA]
        for documents in (older, newer, energized)
    ]

    assert [(item["energy"], item["energized_turn"], item["streak"], item["location"]) for item in shown] == [
        (5, 2, 7, "t2"),
        (3, 2, 7, "t3"),
        (9, 3, 8, "t3"),
    ]


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


def test_views_of_form_5_show_owners_and_conquests_while_new_ones_are_filled_and_go_on_with_a_new_close() -> None:
    """A territory had its owner in its own document, a team its conquests."""
    older = [
        Document("game", "game", "public", {"phase": "running", "turn": 3, "config": {"public_energy": True}}),
        *(Document("territory", item, "public", {"owner": "red"}) for item in ("t1", "t2", "t3")),
        Document("strength", "0", "public", {"t1": [3, 1, 9]}),
        Document("team", "red", "public", {"conquered_last_turn": True, "conquests_total": 4}),
    ]
    closed = (
        Event("captured", {"step": 1, "territory": "t1", "from": "red", "to": "blue"}, ("public",)),
        Event("territories_abandoned", {"team": "red", "territories": ["t2"]}, ("public",)),
        Event("conquests_counted", {"team": "red", "conquered_last_turn": False, "conquests_total": 5}, ("public",)),
    )
    written: dict[tuple[str, str, str], dict[str, Any]] = {item[:3]: dict(item.fields) for item in older}
    for write in (write for event in closed for write in RULES.project(event)):
        written.setdefault((write.kind, write.id, write.audience), {}).update(write.fields)
    newer = [Document(*place, fields) for place, fields in written.items()]

    before, after = (RULES.view(documents, Viewer("public", "")) for documents in (older, newer))

    assert [item["owner"] for item in before["territories"].values()] == ["red", "red", "red"]
    assert [item["owner"] for item in after["territories"].values()] == ["blue", None, "red"]
    assert after["territories"]["t1"]["energy"] == 9
    conquests = [
        (view["teams"]["red"]["conquered_last_turn"], view["teams"]["red"]["conquests_total"])
        for view in (before, after)
    ]
    assert conquests == [(True, 4), (False, 5)]


def test_a_player_stands_where_views_of_this_form_have_her() -> None:
    """Who moves shelves raises the form of the views (docs/decisions/0025): on the old ones values would go stale."""
    known = [shelf_of(ANA), shelf_of("u57d29c22fa433274"), place_of(ANA), place_of("u57d29c22fa433274")]
    assert (generations.FORM, known) == (6, ["070", "000", "places-1", "places-1"])
