"""Commands that an intake gets in one request and appends at once, judged by the real processes."""

from collections import Counter

import pytest

from services.gateway.forwarding import Handover, Intakes, command_of
from services.gateway.writes import location_of
from shared.calls import Caller
from shared.clock import SystemClock
from shared.commands import Ruleset
from shared.errors import Problem
from shared.events import input_id
from shared.host_events import ACCEPTED, REPEATED
from shared.tracing import traceparent_of
from tests.e2e.wars import enlisted, small_war
from tests.faults.proof import journal_of
from tests.faults.waiting import eventually
from warledger.api import Answer, Client
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow
GXC = Ruleset("gxc", "1")


def test_in_one_batch_each_key_is_one_input_and_who_is_refused_is_refused_alone(any_house: Installation) -> None:
    game = small_war(any_house)
    players = {
        name: enlisted(any_house, game, "red", place) for name, place in (("ana", "dunmere"), ("bia", "ashford"))
    }
    accounts = {name: str(player.get("/accounts/me")["id"]) for name, player in players.items()}
    given = [("ana", 1, "k"), ("ana", 1, "k"), ("ana", "x", "m"), ("ana", 2, "k"), ("bia", 2, "k"), ("bia", 3, "n")]
    settings = any_house.settings
    intakes = Intakes(settings.urls, settings.key("calls"), SystemClock())
    try:
        answers = intakes.submit_all(
            "orders", [handover(accounts[name], game, defend, key) for name, defend, key in given]
        )
    finally:
        intakes.close()
    assert [answer.code if isinstance(answer, Problem) else "stored" for answer in answers] == [
        *("stored", "stored", "malformed", "stored", "stored", "stored")
    ]
    said = [
        settled(players[name], game, answer)
        for (name, _, _), answer in zip(given, answers, strict=True)
        if isinstance(answer, dict)
    ]
    assert said[0].body == said[1].body
    assert [answer.body.get("code") for answer in said] == [None, None, "key_reused", None, None]
    assert [answer.body["status"] for answer in said] == ["accepted", "accepted", 422, "accepted", "accepted"]
    check_judged(any_house, game, input_id(game, accounts["ana"], "k"), {ACCEPTED: 1, REPEATED: 2})
    check_judged(any_house, game, input_id(game, accounts["bia"], "k"), {ACCEPTED: 1})
    check_judged(any_house, game, input_id(game, accounts["ana"], "m"), {})


def handover(account: str, game: str, defend: object, key: str) -> Handover:
    """An order as the gateway hands it over."""
    caller, command = Caller(account, "player"), command_of(GXC, "set_order")
    return Handover(caller, game, GXC, command, {"defend": defend}, key, traceparent_of(None))


def settled(player: Client, game: str, receipt: dict[str, str]) -> Answer:
    """What the place of a judgement says in the end."""
    place = location_of(game, receipt["id"], receipt["hash"])
    eventually(lambda: player.request("GET", place).status != 202, "the input is judged")
    return player.request("GET", place)


def check_judged(house: Installation, game: str, id: str, wanted: dict[str, int]) -> None:
    """The records of this id are judged so in the end."""

    def found() -> Counter[str]:
        return Counter(e.type for e in journal_of(house, game) if e.data.get("input", {}).get("id") == id)

    eventually(lambda: found().total() >= sum(wanted.values()), "all records are judged")
    assert found() == wanted
