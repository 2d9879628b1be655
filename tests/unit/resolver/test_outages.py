"""Credit for an outage before a deadline, measured from the log (design, Time; ENG-12)."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from services.resolver import credit
from services.resolver.replay import check
from services.resolver.settings import Pace
from shared.events import JournalEvent
from shared.log import partition_of
from shared.rules.interface import Refusal
from tests.unit.resolver.hosting.toy import TOY_1, Toy
from tests.unit.resolver.house import START, House

pytestmark = pytest.mark.slow

MEASURED = replace(Pace(), tick_again_ms=0, retry_ms=0, idle_ms=0)


@pytest.fixture(params=[credit.GAPS_LOOKED_THROUGH, 0], ids=["few gaps", "gaps forgotten at once"])
def measured(request: pytest.FixtureRequest, tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """Also if what matters to no deadline is forgotten after every record."""
    monkeypatch.setattr(credit, "GAPS_LOOKED_THROUGH", request.param)
    return House(tmp_path, MEASURED)


def run(house: House, start: int, end: int) -> None:
    """The resolver is at work from `start` to `end`, looking once a second."""
    for moment in range(start, end + 1, 1_000):
        house.clock.time = moment
        house.resolver.round(0)
    house.settle()


def last_heard(house: House) -> int:
    """Time of the last record of orders."""
    return max(record.at for record in house.records("orders"))


def clock_inputs(house: House, game: str) -> list[dict[str, Any]]:
    return [_given(event) for event in house.journal(game) if event.data.get("input", {}).get("role") == "clock"]


def _given(event: JournalEvent) -> dict[str, Any]:
    given = event.data["input"]
    return {"type": given["type"], "at": event.data["at"], **given["payload"]}


def test_without_an_outage_the_deadline_holds(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()

    run(measured, deadline - 620_000, deadline + 1_000)

    assert clock_inputs(measured, "g1") == [{"type": "close", "at": deadline, "turn": 1}]


def test_an_outage_before_the_deadline_moves_it_by_its_length(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 300_000)
    moved = 2 * deadline - 200_000 - last_heard(measured)
    run(measured, deadline - 200_000, deadline + 1_000)

    assert clock_inputs(measured, "g1") == [
        {"type": "set_deadline", "at": deadline, "deadline": moved, "reason": "credit"}
    ]

    run(measured, deadline + 2_000, moved + 1_000)
    assert clock_inputs(measured, "g1")[1:] == [{"type": "close", "at": moved, "turn": 1}]


def test_an_outage_over_the_deadline_leaves_a_minute_and_is_credited_once(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 10_000)
    end = deadline + 200_000
    moved = max(deadline + end - last_heard(measured), end + 60_000)
    run(measured, end, end + 5_000)

    assert clock_inputs(measured, "g1") == [
        {"type": "set_deadline", "at": deadline, "deadline": moved, "reason": "credit"}
    ]

    run(measured, end + 6_000, moved + 1_000)
    assert clock_inputs(measured, "g1")[1:] == [{"type": "close", "at": moved, "turn": 1}]
    check(measured.journal("g1"))


def test_a_resolver_that_sleeps_while_orders_come_in_measures_no_outage(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()
    for moment in range(deadline - 600_000, deadline + 30_000, 29_000):
        measured.say("g1", "ana", "order", at=moment, name="awake")

    measured.settle(at=deadline + 60_000)

    assert [item["type"] for item in clock_inputs(measured, "g1")] == ["close"]


def test_where_nothing_ever_closes_silences_are_not_gathered(measured: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credit, "GAPS_LOOKED_THROUGH", 20)
    measured.create("g1")
    for minute in range(60):
        measured.say("g1", "ana", "roll", at=START + minute * 60_000, faces=6)
        measured.settle()
    pulse = measured.resolver._running[partition_of("g1")]._pulse
    assert 9 <= len(pulse.gaps) <= 21


def test_an_outage_before_the_records_that_set_the_deadline_were_judged_is_credited(measured: House) -> None:
    """Days of one partition are read at once after a long absence; what was silent then still counts."""
    deadline = measured.open("g1")
    measured.say("g1", "ana", "order", at=deadline - 500_000, name="before the silence")
    measured.say("g1", "ana", "order", at=deadline - 100_000, name="after it")
    for later in range(1, 30):
        measured.say("g1", "ana", "order", at=deadline + later * 60_000, name="later")

    measured.settle(at=deadline + 40 * 60_000)

    assert clock_inputs(measured, "g1")[0] == {
        "type": "set_deadline", "at": deadline, "deadline": deadline + 660_000, "reason": "credit",
    }  # fmt: skip


def test_a_deadline_set_a_moment_before_it_is_due_is_no_outage(measured: House) -> None:
    measured.open("g1")
    measured.settle()
    now = measured.clock.time + 1_000_000
    measured.say("g1", "op", "set_deadline", at=now, deadline=now + 5_000, reason="operator")

    run(measured, now, now + 6_000)

    assert clock_inputs(measured, "g1") == [{"type": "close", "at": now + 5_000, "turn": 1}]


def test_an_outage_is_measured_also_by_a_resolver_that_was_killed_in_it(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 300_000)
    moved = 2 * deadline - 200_000 - last_heard(measured)
    measured.say("g1", "ana", "order", at=deadline - 200_000, name="after the outage")
    run(measured, deadline - 200_000, deadline - 100_000)
    measured.restart()
    run(measured, deadline - 99_000, deadline + 1_000)

    assert clock_inputs(measured, "g1") == [
        {"type": "set_deadline", "at": deadline, "deadline": moved, "reason": "credit"}
    ]


def test_a_restart_after_the_credit_does_not_credit_again(measured: House) -> None:
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 10_000)
    end = deadline + 200_000
    moved = max(deadline + end - last_heard(measured), end + 60_000)
    run(measured, end, end + 5_000)
    measured.restart()

    run(measured, end + 6_000, moved + 1_000)

    assert [item["type"] for item in clock_inputs(measured, "g1")] == ["set_deadline", "close"]


def test_a_game_without_set_deadline_has_its_time_shifted(measured: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(cast("dict[str, object]", TOY_1.commands), "set_deadline")
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 10_000)
    length = deadline + 200_000 - last_heard(measured)
    run(measured, deadline + 200_000, deadline + 205_000)

    assert clock_inputs(measured, "g1") == [
        {"type": "shift_time", "at": deadline, "by_ms": max(length, 260_000), "reason": "credit"}
    ]


def test_a_credit_that_the_rules_refuse_leaves_the_deadline_as_it_is(
    measured: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Toy, state: object, command: object, dice: object) -> Refusal:
        return Refusal("bad_deadline", "ENG-12", "no credit here")

    monkeypatch.setattr(Toy, "_set_deadline", refuse)
    deadline = measured.open("g1")
    measured.settle()
    run(measured, deadline - 620_000, deadline - 300_000)
    run(measured, deadline - 200_000, deadline + 1_000)

    told = measured.told("g1")[4:]
    assert told[:2] == ["rejected set_deadline bad_deadline", "accepted close"]
