"""Deadlines: expiry, start, grace, warning, end of a move, and times that are shifted (SPB-104, ENG-12)."""

from shared.rules.deadlines import LATEST_MS
from shared.rules.space_battle import RULES
from tests.rules.space_battle.play import START, Room, running

HOUR_MS = 3_600_000
MOVE_MS = 60_000


def due(room: Room) -> tuple[int, str] | None:
    found = RULES.due(room.state)
    return None if found is None else (found.at, found.type)


def test_the_next_deadline_is_that_of_the_phase() -> None:
    room = Room()
    assert due(room) is None
    room.done("ana", "issue_challenge", challenged="bia")
    assert due(room) == (1 + 72 * HOUR_MS, "tick")
    room.done("bia", "accept_challenge", challenge=1, number=2, time=START)
    room.done("ana", "agree_time", challenge=1, time=START)
    assert due(room) == (START + 600_000, "tick")
    room.deploy("ana")
    room.deploy("bia")
    room.done("ana", "ready")
    assert due(room) == (START + 600_000, "tick")
    room.done("bia", "ready")
    assert due(room) == (START, "start_battle")
    room.clock(START)
    assert due(room) == (START + 55_000, "tick")
    room.clock(START + 55_000)
    assert due(room) == (START + MOVE_MS, "tick")
    room.done("ana", "surrender")
    assert due(room) is None


def test_an_expiry_comes_between_what_the_battle_has() -> None:
    room = Room(challenge_expires_hours={"seconds": 1_020})
    room.done("ana", "issue_challenge", challenged="bia")
    room.done("bia", "accept_challenge", challenge=1, number=2, time=START)
    room.done("caio", "issue_challenge", challenged="ana")
    room.done("ana", "agree_time", challenge=1, time=START)
    for name in ("ana", "bia"):
        room.deploy(name)
        room.done(name, "ready")
    told = [(event.type, event.data.get("challenge")) for event in room.clock(START + 55_000)]
    assert told == [("battle_started", 1), ("challenge_expired", 2), ("time_warning", None)]


def test_the_host_waits_for_those_whom_the_next_deadline_hits() -> None:
    room = Room()
    assert RULES.waiting(room.state) == []
    room.done("ana", "issue_challenge", challenged="bia")
    assert RULES.waiting(room.state) == ["bia"]
    room.done("bia", "accept_challenge", challenge=1, number=2, time=START)
    assert RULES.waiting(room.state) == ["ana"]
    room.done("ana", "agree_time", challenge=1, time=START)
    assert RULES.waiting(room.state) == ["ana", "bia"]
    room.deploy("ana")
    room.done("ana", "ready")
    assert RULES.waiting(room.state) == ["bia"]
    room.deploy("bia")
    room.done("bia", "ready")
    assert RULES.waiting(room.state) == []
    room.clock(START)
    assert RULES.waiting(room.state) == ["bia"]
    room.done("bia", "end_move")
    assert RULES.waiting(room.state) == ["ana"]
    room.done("ana", "surrender")
    assert RULES.waiting(room.state) == []


def test_a_late_clock_applies_everything_at_its_own_time() -> None:
    """SPB-57: one tick may be late by many moves."""
    room = running(forfeits_until_surrender=0)
    room.done("clock", "tick", at=START + 10 * MOVE_MS + 1)
    assert (room.state.move_no, room.state.move_started_at) == (11, START + 10 * MOVE_MS)
    assert [item["move_started_at"] for item in room.of("move_ended")] == [
        START + number * MOVE_MS for number in range(1, 11)
    ]
    assert len(room.of("time_warning")) == 10


def test_a_tick_without_anything_due_changes_nothing() -> None:
    room = running()
    before = room.canonical
    room.done("clock", "tick", at=START + 54_999)
    assert room.canonical == before
    assert room.events == []


def test_a_warning_may_come_with_the_end_of_the_move_or_with_its_beginning() -> None:
    """SPB-56."""
    room = running(warning_seconds=0)
    assert [event.type for event in room.clock(START + MOVE_MS)] == ["time_warning", "move_forfeited", "move_ended"]
    room = running(warning_seconds=60)
    assert room.state.warned
    assert [event.type for event in room.clock(START + MOVE_MS)] == ["move_forfeited", "move_ended", "time_warning"]


def test_a_shift_puts_no_deadline_before_now_and_none_out_of_sight() -> None:
    """SPB-104: the warning is a deadline too, and the start is one while it lies ahead."""
    room = running()
    assert room.say("operator", "shift_time", by_ms=-54_000, reason="operator", at=START + 2_000) == "bad_deadline"
    assert room.say("operator", "shift_time", by_ms=-53_000, reason="operator", at=START + 2_000) == "accepted"
    assert room.state.move_started_at == START - 53_000
    room.clock(START + 2_000)
    assert room.state.warned
    assert room.say("operator", "shift_time", by_ms=-5_001, reason="operator", at=START + 2_000) == "bad_deadline"
    assert room.say("operator", "shift_time", by_ms=-5_000, reason="operator", at=START + 2_000) == "accepted"
    room = Room()
    room.agree(2)
    assert room.say("operator", "shift_time", by_ms=-START, reason="operator") == "bad_deadline"
    late = START + 1
    assert room.say("operator", "shift_time", by_ms=-600_000, reason="operator", at=late) == "bad_deadline"
    assert room.say("operator", "shift_time", by_ms=-599_999, reason="operator", at=late) == "accepted"
    room = Room()
    room.done("ana", "issue_challenge", challenged="bia", at=LATEST_MS - 72 * HOUR_MS)
    assert room.say("operator", "shift_time", by_ms=1, reason="operator") == "bad_deadline"


def test_a_battle_opens_a_resolution_at_its_start_and_one_at_its_end() -> None:
    """SPB-12."""
    room = running()
    room.done("ana", "surrender")
    assert room.dice.labels == ["start", "end"]
    room = Room()
    room.agree(2)
    room.clock(START + 600_000)
    assert room.dice.labels == ["end"]
