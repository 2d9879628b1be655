"""One input becomes one judgement and its outcomes."""

import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import clock_input, judge_clock, refuse
from services.resolver.hosting.snapshots import encode
from shared.canonical import canonical, sha256_hex
from shared.events import NO_SALT
from shared.rules.interface import Deadline, Refusal
from tests.unit.resolver.hosting.table import Table, code_of, names
from tests.unit.resolver.hosting.toy import TURN_MS

DAY = 86_400_000


def test_an_accepted_input_is_recorded_whole_before_its_outcomes(running: Table) -> None:
    submitted = running.submitted("ana", "order", {"name": "x"}, id="first")
    judged = running.take(submitted, 3000)
    assert names(judged) == ["input.accepted", "named"]
    given = judged.events[0]
    assert given.data == {
        "input": {
            "actor": "ana",
            "game": "g1",
            "id": "first",
            "payload": {"name": "x"},
            "role": "player",
            "salt": submitted.salt,
            "type": "order",
        },
        "at": 3000,
        "seq": 3,
        "hash": submitted.hash(),
    }
    assert given.to == ("player:ana",)
    assert judged.verdict == "accepted"


def test_positions_have_no_gaps_in_journal_and_chronicle(running: Table) -> None:
    running.say("ana", "order", 3000, name="secret")
    running.say("ana", "roll", 3001, faces=6)
    running.run_clock(2000 + TURN_MS)
    assert [event.n for event in running.journal] == list(range(1, len(running.journal) + 1))
    assert [event.n for event in running.chronicle] == list(range(1, len(running.chronicle) + 1))
    assert len(running.chronicle) < len(running.journal)


def test_the_chronicle_holds_only_public_events_and_no_other_audience(running: Table) -> None:
    running.say("ana", "order", 3000, name="secret")
    assert not any("secret" in str(event.data) for event in running.chronicle)
    assert {event.to for event in running.chronicle} == {("public",)}


def test_an_operators_input_is_for_operators_alone(table: Table) -> None:
    assert table.create({"names": []}).events[0].to == ()


def test_a_refused_input_leaves_one_event_and_no_trace(running: Table) -> None:
    state = running.hosted.rules and running.hosted.rules.encode(running.hosted.state)
    judged = running.say("ana", "roll", 3000, faces=0)
    assert names(judged) == ["input.rejected"]
    assert judged.events[0].data["code"] == "bad_number"
    assert judged.events[0].data["rule"] == "TOY-2"
    assert judged.chronicle_lines == []
    assert running.hosted.rules is not None
    assert running.hosted.rules.encode(running.hosted.state) == state
    assert running.hosted.leaves == running.hosted.leaves[:2]


@pytest.mark.parametrize(
    ("type", "payload", "said"),
    [
        ("dance", {}, "toy has no command 'dance'; it has chat, close, deal"),
        ("roll", {"faces": "six"}, "payload.faces must be an integer"),
        ("roll", {}, "payload.faces is missing"),
        ("roll", {"faces": 6, "luck": 1}, "payload has the unknown field 'luck'"),
    ],
)
def test_a_malformed_input_is_told_what_would_be_right(
    running: Table, type: str, payload: dict[str, object], said: str
) -> None:
    judged = running.take(running.submitted("ana", type, payload), 3000)
    assert code_of(judged) == "malformed"
    assert judged.events[0].data["detail"].startswith(said)


def test_an_input_of_a_game_that_does_not_exist_is_rejected(table: Table) -> None:
    assert code_of(table.say("ana", "roll", 1000, faces=6)) == "unknown_game"
    assert code_of(table.say("op", "set_schedule", 1001, zone=None)) == "unknown_game"
    assert code_of(table.say("op", "release_game", 1002)) == "unknown_game"


def test_the_same_id_again_is_repeated_and_changes_nothing(running: Table) -> None:
    submitted = running.submitted("ana", "order", {"name": "x"}, id="once")
    running.take(submitted, 3000)
    judged = running.take(submitted, 3001)
    assert names(judged) == ["input.repeated"]
    assert (judged.events[0].data["first"], judged.events[0].data["same"]) == (3, True)
    other = running.take(running.submitted("ana", "order", {"name": "y"}, id="once"), 3002)
    assert (other.events[0].data["first"], other.events[0].data["same"]) == (3, False)
    assert running.hosted.state.names == ["ana", "x"]


def test_a_rejected_input_is_repeated_too(running: Table) -> None:
    submitted = running.submitted("ana", "roll", {"faces": 0}, id="once")
    running.take(submitted, 3000)
    assert running.take(submitted, 3001).events[0].data["first"] == 3


def test_ids_are_kept_for_two_days_however_many_resolutions_there_are(running: Table) -> None:
    early = running.submitted("ana", "order", {"name": "x"}, id="early")
    running.take(early, 3000)
    for at in range(3001, 3006):
        running.say("ana", "roll", at, faces=6)
    assert running.take(early, 3006).verdict == "repeated"
    running.say("op", "set_deadline", 3007, deadline=None, reason="pause")
    running.say("ana", "roll", 3 * DAY, faces=6)
    assert "early" not in running.hosted.judged
    assert running.take(early, 3 * DAY + 1).verdict == "accepted"


def test_ids_are_kept_for_two_resolutions_however_long_they_take(running: Table) -> None:
    running.say("op", "set_deadline", 2999, deadline=None, reason="pause")
    early = running.submitted("ana", "order", {"name": "x"}, id="early")
    running.take(early, 3000)
    running.say("ana", "roll", 5 * DAY, faces=6)
    running.say("ana", "roll", 10 * DAY, faces=6)
    assert "early" not in running.hosted.judged
    late = running.submitted("ana", "order", {"name": "x"}, id="late")
    running.take(late, 10 * DAY + 1)
    running.say("ana", "roll", 15 * DAY, faces=6)
    assert running.take(late, 20 * DAY).verdict == "repeated"


def talk_for_weeks(table: Table, start: int) -> None:
    """Somebody talks every six hours for four weeks; each word is remembered for two days and little more."""
    before = len(table.hosted.judged)
    for quarter in range(4 * 28):
        at = start + quarter * DAY // 4
        early = table.submitted("ana", "chat", {"text": "hello"})
        table.take(early, at)
        assert table.take(early, at + 1).verdict == "repeated"
        assert len(table.hosted.judged) <= before + 2 * 4 + 1
    assert table.take(early, at + 2 * DAY).verdict == "repeated"
    table.say("ana", "chat", at + 3 * DAY, text="hello")
    assert early.id not in table.hosted.judged
    assert encode(folded(table)) == encode(table.hosted)


def test_before_the_first_turn_ids_are_kept_for_two_days(table: Table) -> None:
    table.create({"names": ["ana"]})
    talk_for_weeks(table, 2000)


def test_after_the_end_ids_are_kept_for_two_days(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=6)
    running.say("op", "end", 4000)
    talk_for_weeks(running, 5000)


@pytest.mark.parametrize("paused", [False, True])
def test_in_the_first_turn_ids_are_kept_however_long_it_takes(running: Table, paused: bool) -> None:
    running.say("op", "set_deadline", 2001, deadline=None if paused else 90 * DAY, reason="operator")
    early = running.submitted("ana", "order", {"name": "x"}, id="early")
    running.take(early, 3000)
    for day in range(1, 9):
        running.say("ana", "chat", day * DAY, text="hello")
    assert running.take(early, 9 * DAY).verdict == "repeated"
    assert encode(folded(running)) == encode(running.hosted)


def folded(table: Table) -> HostedGame:
    """The game as its journal tells it."""
    game: HostedGame | None = None
    for event in table.journal:
        game = fold(game, event)
    assert game is not None
    return game


def test_a_deadline_is_an_input_of_the_clock_stamped_with_it(running: Table) -> None:
    due = running.hosted.due()
    assert due == Deadline(2000 + TURN_MS, "close", {"turn": 1})
    judged = running.keep(judge_clock(running.hosted, due, running.context))
    given = judged.events[0].data
    assert (given["at"], given["input"]["role"], given["input"]["actor"]) == (2000 + TURN_MS, "clock", "clock")
    assert given["input"]["salt"] == NO_SALT
    assert given["input"]["id"] == sha256_hex(f"g1|clock|close:{2000 + TURN_MS}:3".encode())[:32]
    assert given["hash"] == clock_input_hash(given["input"])
    assert names(judged)[:3] == ["input.accepted", "closed", "opened"]


def test_where_commands_are_certified_apart_the_clock_tells_nothing_of_their_number(running: Table) -> None:
    """The leaf of its input is public: made of the number of its judgement, it could be found by trying numbers out."""
    due = Deadline(2000 + TURN_MS, "close", {"turn": 1})
    game, ids = running.hosted, []
    for game.private_apart, game.seq in ((False, 3), (False, 8), (True, 3), (True, 8)):
        ids.append(clock_input(game, due).id)
    assert ids[0] != ids[1]
    assert ids[2] == ids[3]


def clock_input_hash(given: dict[str, object]) -> str:
    return sha256_hex(canonical(given))


def test_overdue_turns_close_one_after_the_other(running: Table) -> None:
    running.run_clock(2000 + 3 * TURN_MS)
    stamps = [event.data["at"] for event in running.journal if event.data.get("input", {}).get("role") == "clock"]
    assert stamps == [2000 + TURN_MS, 2000 + 2 * TURN_MS, 2000 + 3 * TURN_MS]


def test_ids_of_the_clock_differ_between_two_inputs_of_one_time(running: Table) -> None:
    deadline = Deadline(5000, "set_deadline", {"deadline": 9000, "reason": "credit"})
    first = clock_input(running.hosted, deadline)
    running.say("ana", "order", 3000, name="x")
    assert clock_input(running.hosted, deadline).id != first.id


def test_the_caller_may_refuse_for_its_own_reason(running: Table) -> None:
    submitted = running.submitted("ana", "order", {"name": "x"})
    judged = running.keep(refuse(running.game, submitted, 3000, Refusal("too_large", "ENG-5", "shorten it")))
    assert code_of(judged) == "too_large"
