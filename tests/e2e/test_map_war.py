"""Three rulers play a turn of Map War 3 with its correction over HTTP, against the real processes."""

from typing import Any

import pytest

from tests.e2e.exgenhoca import named
from tests.rules.map_war.small import NAMES, STARTS, STOCK, ZONES
from warledger.api import Client, Refused
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow
GAME = "age"
_PASSWORD = "a long password"


class Age:
    """A game of three accounts whose turn 2 is open; nations are named by their accounts' ids."""

    def __init__(self, house: Installation, **config: Any) -> None:
        self.operator = house.operator
        self.ids: dict[str, str] = {}
        self.clients: dict[str, Client] = {}
        for name in NAMES:
            self._enter(name)
        create = {
            "map": {"zones": ZONES},
            "players": list(self.ids.values()),
            "config": {"start_stock": STOCK, **config},
        }
        self.operator.judged(self.operator.post("/games", {"id": GAME, "game": "map-war", "create": create}))
        self.operator.judged(self.operator.command(GAME, "start_game"))
        for number, (name, zone) in enumerate(STARTS):
            self.say(name, "choose_start", zone=zone, name=name.capitalize(), color=f"#AA00{number:02}")

    def _enter(self, name: str) -> None:
        self.operator.post("/accounts", {"name": name, "password": _PASSWORD})
        token = self.operator.post("/tokens", {"name": name, "password": _PASSWORD}).body["token"]
        self.clients[name] = self.operator.as_token(token)
        self.ids[name] = str(self.clients[name].get("/accounts/me")["id"])

    def say(self, name: str, type: str, /, **payload: Any) -> Any:
        client = self.clients[name]
        return client.judged(client.command(GAME, type, payload))

    def look(self, name: str, page: str) -> Any:
        return self.clients[name].get(f"/games/{GAME}{page}")


def test_orders_are_hidden_mended_and_carried_out_with_their_ledger(house: Installation) -> None:
    age = Age(house, open_submissions=False)
    ana, bia = age.ids["ana"], age.ids["bia"]
    question = {"type": "quote", "order": "conquest", "zone": "t"}
    cost = age.clients["ana"].post(f"/games/{GAME}/advice", question).body["cost"]
    age.say("ana", "offer", kind="agreement", to=bia, good="food")
    age.say("bia", "accept", deal=1)
    assert "1" not in age.look("cai", "/orders").get("deals", {})
    age.say("ana", "submit_turn", conquests=[{"zone": "t"}], builds=[{"zone": "u", "structure": "city"}])
    assert age.look("ana", "/orders")["nations"][ana]["submission"]["faults"] == ["not_own_zone"]
    seen = age.look("cai", "/orders")["nations"][ana]
    assert (seen["submitted"], "submission" in seen) == (True, False)
    age.say("bia", "submit_turn")
    age.say("cai", "submit_turn", claims=["v"])
    closed = age.operator.judged(age.operator.command(GAME, "close_turn", {"turn": 2}))
    assert named(closed, "fix_opened")[0]["nations"] == [ana]
    with pytest.raises(Refused) as refused:
        age.say("bia", "submit_turn", claims=["s"])
    assert refused.value.code == "wrong_phase"
    before = age.look("ana", "/roster")["nations"][ana]
    answer = age.say("ana", "submit_turn", conquests=[{"zone": "t"}])
    assert named(answer, "zone_conquered")[0]["cost"] == cost
    after = age.look("cai", "/map")
    assert (after["turn"], after["zones"]["t"]["owner"], after["zones"]["v"]["owner"]) == (3, ana, age.ids["cai"])
    told_of = [*named(answer, "zone_conquered"), *named(answer, "production")]
    booked = [entry for data in told_of for entry in data["ledger"]]
    for good in ("currency", "resources", "food", "technology"):
        gained = sum(entry[good] for entry in booked if entry["nation"] == ana)
        assert after["nations"][ana][good] - before[good] == gained, good
    told = {notice["code"] for notice in age.look("bia", "/notices")["notices"]}
    assert {"deal_offered", "zone_lost", "eliminated"} <= told
    assert "submission_faulty" in {notice["code"] for notice in age.look("ana", "/notices")["notices"]}
