"""A game whose rules fail stands still; every other game goes on, and nothing of it is lost."""

import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.hosting.judging import judge, judge_clock, quarantine
from services.resolver.hosting.snapshots import encode
from shared.events import JournalEvent
from shared.log import Mark
from shared.rules.interface import Deadline
from tests.unit.resolver.hosting.table import Table, code_of, names
from tests.unit.resolver.hosting.toy import TURN_MS

MARKS = {"orders": Mark(17, 3000), "votes": Mark(4, 2500), "trades": Mark(0, 0)}


def refolded(journal: list[JournalEvent]) -> HostedGame:
    game: HostedGame | None = None
    for event in journal:
        game = fold(game, event)
    assert game is not None
    return game


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("raise", "RuntimeError: the rules fell over"),
        ("no mark", "'forgotten' was opened and has no mark"),
        ("mark", "the mark 'never opened' stands where the open resolution is none"),
        ("seal", "no unused sealed resolution 'no such label'"),
        ("huge", "emit it in parts"),
        ("unknown", "'unheard_of', which is not among its event types"),
        ("evolve", "an event that cannot be applied"),
    ],
)
def test_rules_that_fail_are_named_with_their_cause(running: Table, how: str, said: str) -> None:
    before = encode(running.hosted)
    with pytest.raises(DeciderFailed, match=said):
        running.say("ana", "fail", 3000, how=how)
    running.game = refolded(running.journal)
    assert encode(running.hosted) == before


def quarantined(table: Table) -> Table:
    table.game = refolded(table.journal)
    judged = table.keep(quarantine(table.hosted, "the rules fell over", MARKS, 3000))
    assert judged.verdict == "none"
    return table


def test_a_quarantine_is_in_the_journal_for_operators_with_cause_and_marks(running: Table) -> None:
    quarantined(running)
    last = running.journal[-1]
    assert last.type.startswith("warledger.host.game.quarantined")
    assert last.data["cause"] == "the rules fell over"
    assert last.to == ()
    assert running.hosted.quarantined is not None
    assert running.hosted.quarantined.marks == MARKS
    assert refolded(running.journal).quarantined == running.hosted.quarantined


def test_a_quarantined_game_has_no_deadline_and_judges_nothing(running: Table) -> None:
    quarantined(running)
    assert running.hosted.due() is None
    with pytest.raises(ValueError, match="its inputs wait for the release"):
        running.say("ana", "order", 3001, name="x")


def test_a_release_goes_on_where_the_game_stood(running: Table) -> None:
    quarantined(running)
    submitted = running.submitted("op", "release_game", {}, role="operator")
    judged = running.keep(judge(running.hosted, submitted, 9000, running.context))
    assert names(judged) == ["input.accepted", "game.released"]
    assert running.hosted.quarantined is None
    assert running.hosted.due() == Deadline(2000 + TURN_MS, "close", {"turn": 1})
    assert running.take(submitted, 9001).verdict == "repeated"


def test_a_release_may_change_the_rules_and_move_the_deadlines(running: Table) -> None:
    quarantined(running)
    submitted = running.submitted("op", "release_game", {"rules": "2", "shift_ms": 5000}, role="operator")
    judged = running.keep(judge(running.hosted, submitted, 9000, running.context))
    assert names(judged) == [
        "input.accepted",
        "game.released",
        "game.rules_changed",
        "input.accepted",
        "deadline_set",
    ]
    assert judged.events[3].data["input"]["type"] == "shift_time"
    assert judged.events[3].data["input"]["payload"] == {"by_ms": 5000, "reason": "pause"}
    assert running.hosted.rules is not None
    assert running.hosted.rules.version == "2"
    assert running.hosted.due() == Deadline(2000 + TURN_MS + 5000, "close", {"turn": 1})
    assert code_of(running.say("ana", "fail", 9001, how="raise")) == "accepted"


def test_a_release_that_cannot_be_leaves_the_game_quarantined(running: Table) -> None:
    quarantined(running)
    by_player = running.submitted("ana", "release_game", {})
    assert code_of(running.keep(judge(running.hosted, by_player, 9000, running.context))) == "not_authorised"
    unknown = running.submitted("op", "release_game", {"rules": "9"}, role="operator")
    assert code_of(running.keep(judge(running.hosted, unknown, 9001, running.context))) == "unknown_rules"
    malformed = running.submitted("op", "release_game", {"shift_ms": -1}, role="operator")
    assert code_of(running.keep(judge(running.hosted, malformed, 9002, running.context))) == "malformed"
    assert running.hosted.quarantined is not None


def test_a_game_that_is_well_cannot_be_released(running: Table) -> None:
    assert code_of(running.say("op", "release_game", 3000)) == "not_quarantined"


def test_a_deadline_that_is_due_again_at_once_is_a_failure(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    due = running.hosted.due()
    assert due is not None
    rules = running.hosted.rules
    monkeypatch.setattr(rules, "_close", lambda state, command, dice: [])
    with pytest.raises(DeciderFailed, match="is due again after it was accepted"):
        judge_clock(running.hosted, due, running.context)


def test_rules_that_cannot_tell_the_next_deadline_fail(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.hosted.rules, "due", lambda state: 1 // 0)
    with pytest.raises(DeciderFailed, match="due raised ZeroDivisionError"):
        judge(running.game, running.submitted("ana", "order", {"name": "x"}), 3000, running.context)
