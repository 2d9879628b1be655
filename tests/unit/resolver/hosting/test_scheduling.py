"""A schedule closes what opens at local times."""

from datetime import UTC, datetime

import pytest

from services.resolver.hosting.game import Schedule
from services.resolver.hosting.scheduling import DAYS, next_time
from tests.unit.resolver.hosting.table import Table, code_of, names
from tests.unit.resolver.hosting.toy import TURN_MS


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


BERLIN = Schedule("Europe/Berlin", ("08:00", "20:00"), DAYS)


@pytest.mark.parametrize(
    ("schedule", "after", "expected"),
    [
        (BERLIN, "2025-01-10T12:00", "2025-01-10T19:00"),
        (BERLIN, "2025-01-10T19:00", "2025-01-11T07:00"),
        (BERLIN, "2025-07-10T12:00", "2025-07-10T18:00"),
        # Clocks go forward on 30 March 2025, back on 26 October
        (BERLIN, "2025-03-29T20:00", "2025-03-30T06:00"),
        (Schedule("Europe/Berlin", ("02:30",), DAYS), "2025-03-29T12:00", "2025-03-30T01:30"),
        (Schedule("Europe/Berlin", ("02:30",), DAYS), "2025-10-25T12:00", "2025-10-26T00:30"),
        (Schedule("Europe/Berlin", ("02:30",), DAYS), "2025-10-26T00:30", "2025-10-27T01:30"),
        (Schedule("America/Sao_Paulo", ("00:00",), ("sun",)), "2025-01-05T03:00", "2025-01-12T03:00"),
        (Schedule("Pacific/Kiritimati", ("09:00",), ("mon",)), "2025-01-05T18:00", "2025-01-05T19:00"),
    ],
)
def test_the_next_time_is_the_first_local_one_after(schedule: Schedule, after: str, expected: str) -> None:
    assert next_time(schedule, ms(after)) == ms(expected)


def scheduled(table: Table, at: int = 2500) -> None:
    table.say("op", "set_schedule", at, zone="Europe/Berlin", times=["20:00"])


def test_what_is_open_is_scheduled_at_once(running: Table) -> None:
    judged = running.say("op", "set_schedule", 2500, zone="Europe/Berlin", times=["20:00"])
    assert names(judged) == ["input.accepted", "game.scheduled", "input.accepted", "deadline_set"]
    clock = judged.events[2].data
    assert clock["at"] == 2500
    assert clock["input"]["role"] == "clock"
    assert clock["input"]["payload"] == {"deadline": ms("1970-01-01T19:00"), "reason": "schedule"}
    assert judged.events[1].to == ("public",)


def test_every_opening_is_scheduled_and_stamped_with_the_opening(running: Table) -> None:
    scheduled(running)
    running.run_clock(ms("1970-01-03T19:00"))
    given = [event.data for event in running.journal if event.data.get("input", {}).get("role") == "clock"]
    assert [(item["input"]["type"], item["at"]) for item in given] == [
        ("set_deadline", 2500),
        ("close", ms("1970-01-01T19:00")),
        ("set_deadline", ms("1970-01-01T19:00")),
        ("close", ms("1970-01-02T19:00")),
        ("set_deadline", ms("1970-01-02T19:00")),
        ("close", ms("1970-01-03T19:00")),
        ("set_deadline", ms("1970-01-03T19:00")),
    ]


def test_a_deadline_that_an_operator_moves_stays_where_it_is(running: Table) -> None:
    scheduled(running)
    judged = running.say("op", "set_deadline", 3000, deadline=None, reason="pause")
    assert names(judged) == ["input.accepted", "deadline_set"]
    judged = running.say("op", "set_deadline", 4000, deadline=5_000_000, reason="operator")
    assert names(judged) == ["input.accepted", "deadline_set"]
    assert running.hosted.state.deadline == 5_000_000


def test_a_resolution_in_the_middle_of_a_turn_opens_nothing(running: Table) -> None:
    scheduled(running)
    assert names(running.say("ana", "roll", 3000, faces=6))[-1] == "resolution.certified"


def test_a_schedule_ends(running: Table) -> None:
    scheduled(running)
    running.say("op", "set_schedule", 3000, zone=None)
    running.run_clock(ms("1970-01-01T19:00"))
    assert running.hosted.schedule is None
    assert running.hosted.state.deadline == ms("1970-01-01T19:00") + TURN_MS


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"zone": "Mars/Olympus", "times": ["20:00"]}, "bad_schedule"),
        ({"zone": "../etc/passwd", "times": ["20:00"]}, "bad_schedule"),
        ({"zone": "Europe/Berlin"}, "bad_schedule"),
        ({"zone": "Europe/Berlin", "times": ["24:00"]}, "bad_schedule"),
        ({"zone": "Europe/Berlin", "times": ["8:00"]}, "bad_schedule"),
        ({"zone": "Europe/Berlin", "times": ["+1:00"]}, "bad_schedule"),
        ({"zone": "Europe/Berlin", "times": ["20:00"], "days": ["someday"]}, "malformed"),
        ({}, "malformed"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(running: Table, payload: dict[str, object], code: str) -> None:
    assert code_of(running.say("op", "set_schedule", 3000, **payload)) == code
    assert running.hosted.schedule is None


def test_only_operators_schedule_and_only_before_the_end(running: Table) -> None:
    assert code_of(running.say("ana", "set_schedule", 3000, zone=None)) == "not_authorised"
    running.say("op", "end", 3001)
    assert code_of(running.say("op", "set_schedule", 3002, zone=None)) == "game_over"
