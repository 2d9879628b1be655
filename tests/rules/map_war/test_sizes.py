"""What a player may send at most: each event of it, and of the deadlines behind it, fits into the journal."""

from typing import Any

import pytest

from shared.events import MAX_EVENT_BYTES, JournalEvent, event_type
from shared.rules.interface import Event
from shared.rules.map_war import RULES
from shared.rules.map_war.entering import MOST_NATIONS
from shared.rules.map_war.event_shapes import MOST_ITEMS
from shared.rules.map_war.map_checks import MOST_OF_IDS
from shared.rules.map_war.sizes import LARGEST
from shared.scenarios.table import Table
from tests.rules.map_war.small import NAMES, ZONES

LONG = {name: name * 64 for name in ZONES}
"""Zones with ids as long as ids may be."""
KINDS: dict[str, Any] = {
    "claims": LONG["v"],
    "conquests": {"zone": LONG["t"]},
    "builds": {"zone": LONG["t"], "structure": "agriculture"},
    "cancels": {"zone": LONG["t"], "structure": "agriculture"},
}


def size(event: Event) -> int:
    return len(JournalEvent(10**12, event_type("map-war", event.type), event.data, event.to).line())


def created(zones: dict[str, Any], starts: tuple[str, ...], players: tuple[str, ...] = NAMES) -> Table:
    """Turn 2 is open, and each player has a start."""
    table = Table(RULES, "0" * 64)
    assert table.create({"map": {"zones": zones}, "players": list(players)}).refusal is None
    table.say("s", "operator", "operator", "start_game", {}, 1)
    for number, (name, zone) in enumerate(zip(players, starts, strict=True)):
        payload = {"zone": zone, "name": name, "color": f"#AA00{number:02}"}
        assert table.say(f"c{name}", name, "player", "choose_start", payload, 2)[-1].refusal is None
    return table


def with_long_ids() -> Table:
    zones = {
        LONG[name]: {**zone, "neighbours": [LONG[other] for other in zone["neighbours"]]}
        for name, zone in ZONES.items()
    }
    return created(zones, (LONG["h"], LONG["t"], LONG["u"]))


def fits(table: Table, kind: str, count: int, item: Any) -> bool:
    """Whether a submission of so many of an item is taken; all of its events must be small enough."""
    judged = table.say(f"i{len(table.journal)}", "ana", "player", "submit_turn", {kind: [item] * count}, 1_000)[-1]
    assert judged.code in ("accepted", "malformed")
    assert all(size(event) < MAX_EVENT_BYTES for event in judged.events)
    return judged.refusal is None


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_submission_that_is_taken_fits_into_its_event_and_one_item_more_is_malformed(kind: str) -> None:
    table = with_long_ids()
    least, most = 1, MOST_ITEMS
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if fits(table, kind, middle, KINDS[kind]) else (least, middle)
    assert fits(table, kind, least, KINDS[kind])
    assert least > 1_000
    assert not fits(table, kind, most, KINDS[kind])
    told = table.journal[-1].refusal
    assert told is not None
    assert f"may be {LARGEST} in all, not " in told.detail


def test_the_same_claim_nine_thousand_times_is_refused_and_the_game_goes_on() -> None:
    table = created(dict(ZONES), ("h", "t", "u"))
    assert not fits(table, "claims", 9_000, "v")
    assert fits(table, "claims", 4_000, "v")
    stored = table.journal[-1].events[1].data
    assert stored["items"] == [f"claims.{number}" for number in range(4_000)]
    deadlines = table.run_clock(4 * 7 * 86_400_000)
    events = [event for judged in deadlines for event in judged.events]
    assert "items_dropped" in {event.type for event in events}
    assert max(map(size, events)) < MAX_EVENT_BYTES


def test_supporters_count_too() -> None:
    table = created(dict(ZONES), ("h", "t", "u"))
    conquest = {"zone": "t", "support": [2**53 - 1] * 14_500}
    assert not fits(table, "conquests", 1, conquest)


def test_a_deal_about_very_many_zones_is_malformed_and_the_largest_one_is_carried_out() -> None:
    names = ("a" * 64, "b" * 64)
    ids = [f"{number:04}" + "z" * 60 for number in range(1_300)]
    zones = {
        id_: {"kind": "land", "neighbours": [ids[number - 1], ids[(number + 1) % len(ids)]], "city_max": 1}
        for number, id_ in enumerate(ids)
    }
    table = created(zones, (ids[0], ids[-1]), names)
    for number in range(1, 1_250):
        table.state.owner[number] = names[0]
    for count, code in ((1_195, "malformed"), (1_194, "accepted")):
        deal = {"kind": "exchange", "to": names[1], "give": {"zones": ids[:count]}, "get": {}}
        judged = table.say(f"o{count}", names[0], "player", "offer", deal, 1_000)[-1]
        assert judged.code == code
    assert table.say("accept", names[1], "player", "accept", {"deal": 1}, 1_000)[-1].refusal is None
    for name in names:
        judged = table.say(f"s{name}", name, "player", "submit_turn", {}, 1_001)[-1]
    done = {event.type: event for event in judged.events}
    assert len(done["deal_done"].data["zones"]) == 1_194
    assert max(map(size, judged.events)) < MAX_EVENT_BYTES


def ring(ids: list[str], reach: int, **besides: Any) -> dict[str, Any]:
    """Land in a circle; each zone has `reach` neighbours on each side."""
    steps = [step for step in range(-reach, reach + 1) if step]
    return {
        id_: {
            "kind": "land",
            "neighbours": [ids[(number + step) % len(ids)] for step in steps],
            "city_max": 2,
            **besides,
        }
        for number, id_ in enumerate(ids)
    }


@pytest.mark.parametrize(
    "zones",
    [
        ring([f"z{number:03}" + "x" * 56 for number in range(500)], 4, name="Zone " + "\u00e9" * 20),
        ring([f"z{number:03}" for number in range(500)], 40),
        ring([f"{number:03}" + "x" * 61 for number in range(600)], 2, name="\u0001" * 200),
        ring([f"{number:04}" for number in range(301)], 150),
    ],
    ids=["long ids", "many neighbours", "long names", "everybody a neighbour"],
)
def test_a_map_is_announced_in_parts_that_fit(zones: dict[str, Any]) -> None:
    table = Table(RULES, "0" * 64)
    made = table.create({"map": {"zones": zones}})
    assert made.refusal is None
    assert max(map(size, made.events)) < MAX_EVENT_BYTES
    parts = [event.data for event in made.events if event.type == "map_zones"]
    assert [(part["part"], part["parts"]) for part in parts] == [(n, len(parts)) for n in range(1, len(parts) + 1)]
    assert [id_ for part in parts for id_ in part["zones"]] == sorted(zones)


def test_a_zone_beside_every_other_of_the_largest_map_fits_and_longer_ids_are_refused() -> None:
    """So does whatever names all zones."""
    ids = [f"{number:04}" + "x" * 57 for number in range(3_126)]
    for count, code in ((3_125, "accepted"), (3_126, "bad_map")):
        star = {id_: {"kind": "land", "neighbours": [ids[0]], "city_max": 0} for id_ in ids[1:count]}
        star[ids[0]] = {"kind": "land", "neighbours": ids[1:count], "city_max": 0}
        made = Table(RULES, "0" * 64).create({"map": {"zones": star}})
        assert made.code == code
        assert all(size(event) < MAX_EVENT_BYTES for event in made.events)
    assert made.refusal is not None
    assert f"{MOST_OF_IDS} characters in all, not " in made.refusal.detail


def test_a_game_takes_so_many_nations_that_a_scoreboard_of_all_fits() -> None:
    players = [f"{number:04}" + "p" * 60 for number in range(MOST_NATIONS)]
    zones = ring([f"z{number:04}" for number in range(MOST_NATIONS)], 1)
    config = {"late_join": True, "start_stock": {"technology": 10**9}}
    table = Table(RULES, "0" * 64)
    assert table.create({"map": {"zones": zones}, "players": players[1:], "config": config}).refusal is None
    assert table.say("j0", players[0], "player", "join", {}, 1)[-1].refusal is None
    judged = table.say("j1", "late", "player", "join", {}, 2)[-1]
    assert judged.code == "joining_closed"
    assert judged.refusal is not None
    assert f"{MOST_NATIONS} players" in judged.refusal.detail
    table.say("s", "operator", "operator", "start_game", {}, 3)
    for number, (player, zone) in enumerate(zip(players, sorted(zones), strict=True)):
        told = {"nation": player, "kind": "player", "player": player, "name": "n", "color": f"#{number:06X}"}
        start: dict[str, Any] = {"zone": zone, "left": None, "turn": 1, "ledger": []}
        stocks = {player: {"currency": 0, "resources": 0, "food": 0, "technology": 10**12}}
        table.state = RULES.evolve(table.state, Event("nation_founded", {**told, **start, "stocks": stocks}))
        nation = table.state.nations[player]
        nation.currency_last_turn, nation.status, nation.eliminated_turn = -(10**12), "eliminated", 10**6
    closed = table.say("c", "operator", "operator", "close_turn", {"turn": 1}, 4)[-1].events
    assert max(map(size, closed)) < MAX_EVENT_BYTES
    assert len(next(event for event in closed if event.type == "turn_closed").data["scoreboard"]) == MOST_NATIONS + 1
