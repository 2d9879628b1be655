"""Whatever befalls deals at the same moment, every cent is somebody's, and every zone has one owner (MAP-74 to MAP-79).

Two acceptances of one offer, one of an offer that is withdrawn, offers that together are more than a nation has, a zone
that is sold twice or conquered meanwhile, and a turn that closes amid all that.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

import pytest

from shared.events import JournalEvent, split_type
from tests.counts import Counts
from tests.e2e.market import ACCEPTED, STOCK, Market
from tests.faults.proof import journal_of
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow
ROUNDS = 5
ROUNDS_ON_SERVERS = 2
GOODS = tuple(STOCK)
REFUSED = {"no_offer", "not_own_zone", "insufficient_currency", "insufficient_goods", "wrong_phase", "wrong_turn"}
"""Why somebody may come too late, or lack what was there a moment ago."""
ENDINGS = {"deal_done", "lacking", "zone_lost"}
"""How deals end that were accepted."""
_seeds = count(1)


def events_of(house: Installation, market: Market) -> list[tuple[str, Mapping[str, Any]]]:
    """The game's own events, in their order: name and data."""
    listed: list[JournalEvent] = journal_of(house, market.game)
    return [(split_type(event.type).name, event.data) for event in listed if split_type(event.type).game == "map-war"]


def booked(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, dict[str, int]]:
    """Stocks by nation, summed up from the entries of the ledger alone; each event tells the same sums.

    What goes from one nation to another neither makes nor loses a cent.
    """
    stocks: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(GOODS, 0))
    for name, data in events:
        entries = data.get("ledger", ())
        for entry in entries:
            for good in GOODS:
                stocks[entry["nation"]][good] += entry[good]
        dealt = [entry for entry in entries if entry["cause"] == "deal"]
        assert bool(dealt) <= (name == "deal_done")
        assert all(sum(entry[good] for entry in dealt) == 0 for good in GOODS), data
        for nation, after in data.get("stocks", {}).items():
            assert stocks[nation] == after, (name, data)
        for entry in dealt:  # nobody gives what she has not (MAP-76)
            assert all(entry[good] >= 0 or stocks[entry["nation"]][good] >= 0 for good in GOODS), data
    return stocks


def owners_of(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Zone -> owner, from what changed hands."""
    owners: dict[str, str] = {}
    for name, data in events:
        match name:
            case "nation_founded" | "zone_claimed" | "zone_conquered" if data["zone"] is not None:
                owners[data["zone"]] = data["nation"]
            case "deal_done":
                assert all(owners[zone] in (data["from"], data["to"]) for zone in data["zones"]), data
                owners |= data["zones"]
    return owners


def check_deals(market: Market, events: list[tuple[str, Mapping[str, Any]]]) -> Counter[str]:
    """Each deal is accepted once at most and ends once at most, as the answers said; how each has ended."""
    accepted = Counter(data["deal"] for name, data in events if name == "deal_accepted")
    ended = {
        (name, data["deal"]): data.get("reason", name) for name, data in events if name in ("deal_done", "deal_void")
    }
    assert max(accepted.values()) == 1
    assert len({deal for _, deal in ended}) == len(ended)
    turned_down = {deal for (_, deal), reason in ended.items() if reason in ("declined", "withdrawn")}
    assert not turned_down & accepted.keys()
    assert {deal for (name, deal) in ended if name == "deal_done"} <= accepted.keys()
    yes, no = (
        Counter(
            said.command.payload["deal"]
            for said in market.said
            if said.command.type == type and said.verdict == ACCEPTED
        )
        for type in ("accept", "decline")
    )
    assert yes == accepted
    assert no == Counter(turned_down)
    assert {said.verdict for said in market.said} <= {ACCEPTED, *REFUSED}
    return Counter(ended.values())


def test_every_cent_of_deals_that_race_is_accounted_for(any_house: Installation, counts: Counts) -> None:
    market = Market(any_house, next(_seeds))
    for number in range(ROUNDS if any_house.settings.log_is_local else ROUNDS_ON_SERVERS):
        market.bargain(closes=number > 0)
        if number == 0:
            market.close()
    market.close()
    market.close()
    # Which of those that race comes first is up to the machine: go on until deals have ended in each of the ways.
    while not check_deals(market, events_of(any_house, market)).keys() >= ENDINGS:
        market.bargain(closes=False)
        market.close()

    events = events_of(any_house, market)
    endings = check_deals(market, events)
    view = market.seen()
    stocks = booked(events)
    assert {name: {good: nation[good] for good in GOODS} for name, nation in view["nations"].items()} == {
        name: stocks[name] for name in view["nations"]
    }
    assert {id: zone["owner"] for id, zone in view["zones"].items() if zone["owner"]} == owners_of(events)
    assert endings.keys() >= ENDINGS, endings
    turned_down = endings["withdrawn"] + endings["declined"]
    races = Counter(said.verdict for said in market.said)
    assert races["no_offer"] > 0
    counts.add("trades", "commands that raced about a deal", races.total())
    counts.add("trades", "deals carried out", endings["deal_done"])
    counts.add("trades", "offers withdrawn or declined before anybody accepted", turned_down)
    counts.add("trades", "deals void at their turn, as a side lacked something", endings["lacking"])
    counts.add("trades", "deals void at their turn, as a zone had another owner", endings["zone_lost"])


def test_a_sale_costs_what_was_quoted(house: Installation) -> None:
    market = Market(house, next(_seeds))
    seller, buyer = market.names[:2]
    price = market.quoted(buyer, "order=sale&good=food&amount=1001")["price"]
    market.trade(seller, buyer, {"kind": "sale", "good": "food", "amount": 1001})
    (paid,) = (
        [entry["currency"] for entry in data["ledger"] if entry["nation"] == seller and entry["currency"]]
        for name, data in events_of(house, market)
        if name == "deal_done"
    )
    assert paid == [price]
