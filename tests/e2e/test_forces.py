"""Three players play the first year of FORCES over HTTP, against the real processes."""

from itertools import count
from typing import Any

import pytest

from tests.e2e.exgenhoca import named
from tests.rules.forces.play import NAMES, PICKS, ZONES
from warledger.api import Client, Refused
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow
_PASSWORD = "a long password"
_numbers = count(1)


class LandWar:
    """A game of three accounts whose first year is open."""

    def __init__(self, house: Installation, **config: Any) -> None:
        self.house = house
        self.id = f"for-{next(_numbers)}"
        self.accounts: dict[str, str] = {}
        self.clients: dict[str, Client] = {}
        for name in NAMES:
            self._enter(name)
        create = {"map": {"zones": ZONES}, "config": config}
        house.operator.judged(house.operator.post("/games", {"id": self.id, "game": "forces", "create": create}))
        for name in NAMES:
            self.say(name, "join")
        house.operator.judged(house.operator.command(self.id, "start_game"))
        for name, zone in PICKS:
            self.say(name, "pick_zone", zone=zone)
        for name, zone in PICKS[:3]:
            self.say(name, "choose_capital", zone=zone)

    def _enter(self, name: str) -> None:
        operator, full = self.house.operator, f"{self.id} {name}"
        operator.post("/accounts", {"name": full, "password": _PASSWORD})
        client = operator.as_token(operator.post("/tokens", {"name": full, "password": _PASSWORD}).body["token"])
        self.clients[name] = client
        self.accounts[name] = str(client.get("/accounts/me")["id"])

    def say(self, name: str, type: str, **payload: Any) -> Any:
        client = self.clients[name]
        return client.judged(client.command(self.id, type, payload))

    def look(self, name: str, page: str) -> Any:
        return self.clients[name].get(f"/games/{self.id}{page}")


def test_a_year_is_hidden_until_the_last_submission_resolves_it_with_all_its_dice(house: Installation) -> None:
    war = LandWar(house, starting_credits=100, credits_public=False)
    caio = war.accounts["caio"]
    tank = {"from": "C", "type": "tank", "count": 1, "path": ["D", "E"]}
    war.say("caio", "submit_turn", year=2000, moves=[tank], purchases=[{"type": "tank", "zone": "C", "count": 2}])
    assert war.look("caio", "/orders")["players"][caio]["submission"]["moves"] == [tank]
    seen = war.look("bia", "/orders")["players"][caio]
    assert (seen["submitted"], "submission" in seen, "credits" in seen) == (True, False, False)
    with pytest.raises(Refused) as refused:
        war.say("bia", "submit_turn", purchases=[{"type": "tank", "zone": "B", "count": 1}])
    assert refused.value.code == "no_factory"
    war.say("bia", "submit_turn")
    answer = war.say("ana", "submit_turn")
    rolls = named(answer, "combat_roll")
    assert [(roll["zone"], roll["seat"], roll["type"]) for roll in rolls] == [
        ("E", 2, "troop"),
        ("E", 2, "troop"),
        ("E", 3, "tank"),
    ]
    assert named(answer, "year_opened")[0]["year"] == 2001
    assert war.look("caio", "/roster")["players"][caio]["credits"] == 100 - 30 + 5
    assert war.look("ana", "/map")["zones"]["C"]["forces"] == {"3": {"troop": 0, "tank": 2}}
    assert len(war.look("bia", "/reports")["combats"]["2000-E"]["rolls"]) == len(rolls)
    told = {notice["code"] for notice in war.look("bia", "/notices")["notices"]}
    assert {"pick_open", "capitals_revealed", "year_resolved"} <= told


def test_a_player_asks_before_she_submits(house: Installation) -> None:
    war = LandWar(house)
    client = war.clients["caio"]

    def ask(**question: Any) -> Any:
        return client.post(f"/games/{war.id}/advice", question).body

    draft = {"moves": [{"from": "C", "type": "tank", "count": 1, "path": ["D", "B"]}]}
    (fault,) = ask(type="submit_turn", payload=draft)["faults"]
    assert (fault["place"], fault["code"], fault["rule"]) == ("moves.0.path.1", "bad_path", "FOR-37")
    assert ask(type="reach")["zones"]["C"]["tank"]["goals"]["E"] == ["D", "E"]
    odds = ask(type="odds", payload={"zone": "E", "forces": {"2": {"troop": 2}, "3": {"tank": 1}}})
    assert odds["exact"]
    assert [item["owner"] for item in odds["owner_after"]] == [2]
