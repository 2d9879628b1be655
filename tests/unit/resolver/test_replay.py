"""A replay decides a recorded journal again and finds every place where it is not what was decided."""

from pathlib import Path
from typing import Any

import pytest

from services.resolver.hosting.judging import refuse
from services.resolver.replay import Differs, NoResolution, check, replay
from shared.events import JournalEvent
from shared.rules import UnknownRules
from shared.rules.interface import Period, Refusal
from tests.unit.resolver.hosting.table import Table, install_toy
from tests.unit.resolver.hosting.toy import TOY_1, TURN_MS
from tests.unit.tools.exports import edit, edit_input, place, played, short


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    install_toy(monkeypatch)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return short(tmp_path)


def test_what_was_decided_is_decided_again(table: Table) -> None:
    assert list(replay(table.journal)) == []


def test_a_game_with_every_kind_of_event_replays(tmp_path: Path) -> None:
    assert list(replay(played(tmp_path).journal)) == []


def test_a_replay_leaves_the_journal_alone(table: Table) -> None:
    before = [event.line() for event in table.journal]
    list(replay(table.journal))
    assert [event.line() for event in table.journal] == before


def test_an_altered_outcome_is_shown_with_both_lines(table: Table) -> None:
    journal = list(table.journal)
    edit("closed", value=1000)(journal)
    first = next(iter(replay(journal)))
    index = place(journal, "closed")
    assert first.n == journal[index].n
    assert first.expected == journal[index].line()
    assert first.actual == table.journal[index].line()
    assert first.cause == "the recorded event is not the decided one"


def test_the_first_difference_can_stop_it(table: Table) -> None:
    journal = list(table.journal)
    edit("rolled", value=1000)(journal)
    with pytest.raises(Differs, match="the recorded event is not the decided one") as found:
        check(journal)
    assert found.value.difference.n == journal[place(journal, "rolled")].n


def test_all_differences_can_be_collected(table: Table) -> None:
    journal = list(table.journal)
    edit("rolled", value=1000)(journal)
    edit("closed", value=1000)(journal)
    wrong = {item.n for item in replay(journal)}
    assert {journal[place(journal, name)].n for name in ("rolled", "closed")} <= wrong
    assert journal[place(journal, "dealt")].n not in wrong


def test_an_altered_input_is_a_difference(table: Table) -> None:
    journal = list(table.journal)
    edit_input("kept", honest=True, payload={"name": "changed"})(journal)
    assert next(item.n for item in replay(journal)) == journal[place(journal, "named")].n


@pytest.mark.parametrize(
    ("name", "nth", "field"),
    [
        ("resolution.certified", 0, "seed"),
        ("resolution.certified", 0, "sealed"),
        ("resolution.certified", 0, "state"),
        ("resolution.certified", 1, "sealed_key"),
        ("game.created", 0, "seed0"),
    ],
)
def test_an_altered_proof_is_a_difference(table: Table, name: str, nth: int, field: str) -> None:
    journal = list(table.journal)
    edit(name, nth, **{field: "ab" * 32})(journal)
    assert list(replay(journal))


def test_an_event_too_many_is_a_difference(table: Table) -> None:
    index = place(table.journal, "named") + 1
    extra = JournalEvent(index + 1, "warledger.toy.named.v1", {"name": "extra"}, ())
    journal = renumbered([*table.journal[:index], extra, *table.journal[index:]])
    causes = [item.cause for item in replay(journal)]
    assert causes[0] == "the journal holds an event that nothing decides"


def test_a_missing_event_is_a_difference(table: Table) -> None:
    index = place(table.journal, "named")
    journal = renumbered([*table.journal[:index], *table.journal[index + 1 :]])
    first = next(iter(replay(journal)))
    assert first.cause == "the journal lacks an event that is decided"
    assert first.expected is None
    assert first.actual == table.journal[index].line()


def test_a_gap_in_the_journal_ends_the_replay_with_its_reason(table: Table) -> None:
    journal = [*table.journal[:6], *table.journal[7:]]
    differences = list(replay(journal))
    assert "it cannot be folded: Unfoldable" in differences[-1].cause


def test_a_refusal_that_was_none_is_a_difference(table: Table) -> None:
    journal = list(table.journal)
    index = place(journal, "input.rejected")
    data = journal[index].data
    given = {**data["input"], "payload": {"faces": 6}}
    journal[index] = journal[index]._replace(data={**data, "input": given})
    assert next(item.n for item in replay(journal)) == journal[index].n


def test_an_input_behind_its_deadline_is_a_difference(table: Table) -> None:
    journal = list(table.journal)
    index = place(journal, "input.accepted", 2)
    journal[index] = journal[index]._replace(data={**journal[index].data, "at": 2001 + TURN_MS})
    causes = [item.cause for item in replay(journal)]
    assert causes[0] == f"an input taken at {2001 + TURN_MS} was judged before the deadline close at {2000 + TURN_MS}"


def test_a_close_that_was_not_due_is_a_difference(table: Table) -> None:
    journal = list(table.journal)
    index = next(i for i, event in enumerate(journal) if event.data.get("input", {}).get("role") == "clock")
    journal[index] = journal[index]._replace(data={**journal[index].data, "at": 5000})
    causes = [item.cause for item in replay(journal)]
    assert causes[0] == "the id of this input of the clock is not that of close at 5000"


def test_rules_that_decide_otherwise_are_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOY_1, "_chat", lambda state, command, dice: [])
    first = next(iter(replay(table.journal)))
    assert first.n == table.journal[place(table.journal, "said")].n


def test_rules_that_raise_are_a_difference(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOY_1, "_chat", lambda state, command, dice: 1 // 0)
    causes = [item.cause for item in replay(table.journal)]
    assert causes == ["deciding again raised ZeroDivisionError: integer division or modulo by zero"]


def test_rules_that_open_an_unrecorded_resolution_are_a_difference(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chat(state: Any, command: Any, dice: Any) -> list[Any]:
        for number in range(9):
            dice.resolve(f"more:{number}")
        return []

    monkeypatch.setattr(TOY_1, "_chat", chat)
    first = next(iter(replay(table.journal)))
    assert "NotRecorded: the journal reveals no seed 3" in first.cause


def test_one_turn_can_be_decided_alone(table: Table) -> None:
    journal = list(table.journal)
    edit("closed", value=1000)(journal)
    assert list(replay(journal, "deal")) == []
    wrong = [item.n for item in replay(journal, "turn:1")]
    assert wrong[0] == journal[place(journal, "closed")].n
    with pytest.raises(NoResolution, match=r"no resolution 'turn:7'; the journal holds roll:1, deal, turn:1"):
        list(replay(journal, "turn:7"))


def test_the_resolutions_of_one_period_can_be_decided_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = list(table.journal)
    edit("rolled", value=1000)(journal)
    edit("closed", value=1000)(journal)
    rolled, closed = journal[place(journal, "rolled")].n, journal[place(journal, "closed")].n
    assert closed in {item.n for item in replay(journal, period=1)}
    assert rolled not in {item.n for item in replay(journal, period=1)}
    with pytest.raises(NoResolution, match=r"no turn 7; the journal holds roll:1, deal, turn:1"):
        list(replay(journal, period=7))
    monkeypatch.setattr(TOY_1, "period", EveryResolution("round", "deadline", {}))
    assert {rolled, closed} <= {item.n for item in replay(journal, period=1)}


class EveryResolution(Period):
    """One period with all resolutions of the game."""

    def number_of(self, label: str) -> int | None:
        return 1


def test_what_the_host_refused_by_itself_is_taken_as_recorded(table: Table) -> None:
    submitted = table.submitted("ana", "order", {"name": "x"})
    table.keep(refuse(table.hosted, submitted, 2002 + TURN_MS, Refusal("internal", "ENG-5", "a fault of the server")))
    table.say("ana", "order", 2003 + TURN_MS, name="y")
    assert list(replay(table.journal)) == []


def test_a_journal_of_rules_that_are_not_installed_says_so(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.rules.GAMES", ())
    with pytest.raises(UnknownRules):
        list(replay(table.journal))


def test_an_empty_journal_has_no_difference() -> None:
    assert list(replay([])) == []


def renumbered(journal: list[JournalEvent]) -> list[JournalEvent]:
    return [event._replace(n=n) for n, event in enumerate(journal, 1)]
