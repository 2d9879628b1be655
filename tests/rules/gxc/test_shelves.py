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


def test_who_is_expelled_takes_nothing_from_those_on_her_shelf() -> None:
    left = Event("player_removed", {"team": "red", "player": MATE, "reason": ""})
    moved = Event("moved", {"player": ANA, "from": "t1", "to": "t2", "cost": 0})
    players = _seen([*_events(), moved, left], "public", "team:red")

    assert (players[ANA]["energy"], players[ANA]["location"]) == (7, "t2")
    assert players[MATE] == {"team": "red", "status": "expelled"}


def test_the_energy_of_a_player_is_what_the_last_close_that_changed_it_left_or_what_she_energized_to_after_it() -> None:
    again = {"player": ANA, "team": "red", "energy": 9, "turn": 2, "streak": 2}
    events = [*_events(), _left(**{ANA: 3}), Event("energized", again, ("team:red",)), _left(**{MATE: 2})]

    energies = [[item["energy"] for _, item in sorted(_seen(events[:end], "team:red").items())] for end in (-2, None)]

    assert energies == [[3, 8], [9, 2]]


def test_who_has_left_and_comes_back_has_the_energy_and_the_place_of_her_return() -> None:
    moved = Event("moved", {"player": ANA, "from": "t1", "to": "t2", "cost": 0})
    out = Event("players_out", {"team": "red", "players": [ANA]})
    ordered = {"player": ANA, "team": "red", "turn": 1, "move_to": "t2", "attack": None, "defend": 0}
    order = Event("order_set", ordered, ("team:red",))
    opened = Event("turn_opened", {"turn": 1, "opened_at": 0, "deadline": 1})
    events = [opened, *_events(), moved, order, _left(**{ANA: 3}), out, *_entered(ANA, "blue", 0)[:2]]

    for audiences in (("public", "team:blue"), ("public", "team:blue", "team:red")):
        player = _seen(events, *audiences)[ANA]
        assert (player["team"], player["energy"], player["streak"], player["location"]) == ("blue", 0, 0, "t1")
        assert player["order"] is None


def test_of_a_team_that_is_out_everybody_sees_that_its_players_are_but_those_who_were_expelled_before() -> None:
    teams = {team: {"name": team} for team in ("blue", "green", "red")}
    removed = Event("player_removed", {"team": "red", "player": MATE, "reason": ""})
    created = [Event("game_created", {"config": {"shield_public": True}, "teams": teams}), *_events(), removed]
    eliminated = Event("team_eliminated", {"team": "red", "turn": 1, "step": 4})
    disqualified = Event("team_disqualified", {"team": "blue", "reason": ""})
    gone = [Event("players_out", {"team": team, "players": [name]}) for team, name in (("red", ANA), ("blue", FOE))]

    before, after = (
        _seen(events, "public", "team:blue", "team:red")
        for events in (created, [*created, eliminated, gone[0], disqualified, gone[1]])
    )

    assert [before[name].get("status") for name in (ANA, MATE, FOE)] == ["active", "expelled", "active"]
    assert after == {
        ANA: {"team": "red", "status": "out"},
        MATE: {"team": "red", "status": "expelled"},
        FOE: {"team": "blue", "status": "out"},
    }


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


def test_views_of_form_6_show_the_same_while_new_ones_are_filled_and_go_on_with_a_new_close() -> None:
    """Energies of closes a team, places in three documents, each turn with its opening, who is out with status."""
    own = {"status": "active", "location": "t1"}
    older = [
        Document("game", "game", "public", {"phase": "running", "turn": 3, "closed_turn": 2, "config": {}}),
        Document("team", "red", "public", {"name": "Red", "status": "active", "eliminated_at": None}),
        Document("team", "blue", "public", {"status": "eliminated", "eliminated_at": {"turn": 2, "step": 7}}),
        *(Document("player", name, "public", {"team": "red", "status": None}) for name in (ANA, MATE)),
        *(Document("player", name, "team:red", own) for name in (ANA, MATE)),
        Document("player", FOE, "public", {"team": "blue", "status": "out"}),
        Document("energy", CLOSES, "team:red", {ANA: [4, 3], MATE: [4, 6]}),
        *(Document("location", f"places-{n}", "public", {ANA: "t2", MATE: "t3"}) for n in range(3)),
        Document("turn", "00000003", "public", {"opened_at": 5, "empires": {"red": 2}}),
    ]
    closed = (
        Event("moved", {"player": ANA, "from": "t2", "to": "t1", "cost": 0}, ("public",)),
        Event("turn_closed", {"turn": 3, "closed_at": 9, "by": "clock"}, ("public",)),
        _left(**{ANA: 1}),
        Event("turn_opened", {"turn": 4, "opened_at": 9, "deadline": 12}, ("public",)),
        Event("empires_measured", {"turn": 4, "empires": {"red": 1}}, ("public",)),
    )
    written: dict[tuple[str, str, str], dict[str, Any]] = {item[:3]: dict(item.fields) for item in older}
    for write in (write for n, event in enumerate(closed, 5) for write in RULES.project(event._replace(n=n))):
        written.setdefault((write.kind, write.id, write.audience), {}).update(write.fields)
    newer = [Document(*place, fields) for place, fields in written.items()]

    before, after = (
        RULES.view(documents, Viewer("player", ANA, ("public", "team:red"))) for documents in (older, newer)
    )

    stand = [
        [(view["players"][name]["energy"], view["players"][name]["location"]) for name in (ANA, MATE)]
        for view in (before, after)
    ]
    assert stand == [[(3, "t2"), (6, "t3")], [(1, "t1"), (6, "t3")]]
    assert after["teams"]["blue"] == before["teams"]["blue"]
    assert before["teams"]["blue"]["eliminated_at"] == {"turn": 2, "step": 7}
    assert [view["players"][FOE] for view in (before, after)] == [{"team": "blue", "status": "out"}] * 2
    opened = {"opened_at": 5, "empires": {"red": 2}, "eliminated": {}}
    assert before["turns"] == {"3": opened}
    assert after["turns"] == {
        "3": {**opened, "closed_at": 9, "by": "clock"},
        "4": {"opened_at": 9, "empires": {"red": 1}, "eliminated": {}},
    }


def test_what_closes_leave_stands_together_while_a_game_is_small_and_is_seen_as_one_with_what_comes_later() -> None:
    many = {f"player_{number}": number for number in range(33)}
    moved = Event("moved", {"player": ANA, "from": "t1", "to": "t2", "cost": 0})
    back = Event("moved", {"player": ANA, "from": "t2", "to": "t1", "cost": 0})
    early, late = 32_768, 32_769
    written = [
        [(write.kind, write.id) for write in RULES.project(event._replace(n=n))]
        for event, n in (
            (moved, early),
            (_left(**{ANA: 3}), early),
            (_left(**many), early),
            (back, late),
            (_left(**{ANA: 2}), late),
        )
    ]

    assert [place for (place,) in written] == [
        ("all:standing", "standing"),
        ("all:standing", "standing"),
        ("energy", CLOSES),
        ("location", place_of(ANA)),
        ("energy", CLOSES),
    ]
    entered = _events()
    filler = [Event("orders_revealed", {"orders": []})] * (late - len(entered) - 3)
    ends = [*entered, moved, _left(**{ANA: 3})], [*entered, moved, _left(**{ANA: 3}), *filler, back, _left(**{ANA: 2})]
    shown = [_seen(list(events), "public", "team:red")[ANA] for events in ends]
    assert [(player["energy"], player["location"]) for player in shown] == [(3, "t2"), (2, "t1")]


def test_a_player_stands_where_views_of_this_form_have_her() -> None:
    """Who moves shelves raises the form of the views (docs/decisions/0025): on the old ones values would go stale."""
    known = [shelf_of(ANA), shelf_of("u57d29c22fa433274"), place_of(ANA), place_of("u57d29c22fa433274")]
    assert (generations.FORM, known) == (7, ["070", "000", "standing-1", "standing-1"])
