"""Notices of every game: each code has a sentence, says nothing that its receiver may not read, and never fails."""

from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from services.gateway.telling import Names, told
from shared.host_events import HOST_EVENTS
from shared.host_notices import HOST_NOTICES
from shared.rules import GAMES
from shared.rules.interface import Event, EventType, Registration
from shared.rules.notices import (
    ADDRESS,
    EVERYBODY_NAMED,
    Given,
    Notice,
    Notices,
    given_by,
    notices_of,
    sentences_by_code,
)
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import SEEDS, played

TABLES: list[tuple[str, Notices, Any]] = [
    *((item.game, notices_of(item.load()), item.load().events) for item in GAMES),
    ("host", HOST_NOTICES, HOST_EVENTS),
]
ROWS = [
    pytest.param(events.get(name), row, id=f"{game} {name} {row.code}")
    for game, notices, events in TABLES
    for name, rows in notices.items()
    for row in rows
]


def fields_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@games
def test_each_code_of_a_game_stands_in_one_row(registered: Registration[Any]) -> None:
    """By its code a notice finds its sentences, among those of its game and of the host."""
    rows = [
        row for notices in (notices_of(registered.load()), HOST_NOTICES) for item in notices.values() for row in item
    ]
    codes = [row.code for row in rows]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(("event", "row"), ROWS)
def test_a_notice_speaks_of_fields_of_its_event_alone(event: EventType | None, row: Notice) -> None:
    assert event is not None, "there is such an event"
    assert not event.journal_only, "nobody is shown it"
    known = set(event.data.fields)
    assert set(row.fields) <= known
    assert set(row.when) <= known
    assert {path.partition(".")[0] for path in fields_in(row.to)} <= known
    for sentence in row.sentences:
        assert fields_in(sentence.text) | set(sentence.when) <= set(row.fields), (
            "sentences are made of what is handed on"
        )


@pytest.mark.parametrize(("event", "row"), ROWS)
def test_every_code_has_a_sentence_whatever_the_event_holds(event: EventType | None, row: Notice) -> None:
    assert row.sentences
    assert not row.sentences[-1].when


@pytest.mark.parametrize(("event", "row"), ROWS)
def test_a_notice_is_for_somebody_and_never_for_the_public(event: EventType | None, row: Notice) -> None:
    assert row.to == EVERYBODY_NAMED or ADDRESS.match(row.to)
    assert row.to.partition(":")[0] not in ("public", "notices")


def given_in(table: Table) -> Iterator[tuple[Event, Given]]:
    """Every notice of a game that was played."""
    notices = notices_of(table.rules)
    for judgement in table.journal:
        for event in judgement.events:
            for given in given_by(event, notices):
                yield event, given


@games
@seeds
def test_a_receiver_may_read_the_event_behind_a_notice_and_it_reaches_somebody(
    registered: Registration[Any], seed: int
) -> None:
    """Its audience is one of the event's, or the event is public; and it is of a kind that players have."""
    table = played(registered, seed)
    members = [item for item in table.documents if item.kind == "member"]
    kinds = {audience.partition(":")[0] for item in members for audience in item.fields["audiences"]}
    for event, given in given_in(table):
        assert "public" in event.to or given.audience in event.to, (event, given)
        assert all(event.data[name] == value for name, value in given.data.items())
        assert given.audience.partition(":")[0] in kinds | {"player", "team"}, given


@games
def test_notices_are_told_in_words_with_every_field_filled(registered: Registration[Any]) -> None:
    sentences = sentences_by_code(notices_of(registered.load()))
    seen: set[str] = set()
    for seed in SEEDS[:4]:
        for _, given in given_in(played(registered, seed)):
            line = told(sentences[given.code], given.data, Names())
            assert line is not None, given
            assert not {"{", "None"} & set(line.replace("{", " { ").split()), (given, line)
            seen.add(given.code)
    assert bool(seen) == bool(sentences), (
        f"none of {', '.join(sorted(sentences))} is given in the games that PLAYER of "
        f"tests/rules/conformance/players/{registered.package}.py plays from the first four seeds"
    )


def test_the_host_tells_of_a_deadline_with_and_without_a_number() -> None:
    (row,) = HOST_NOTICES["reminder.given"]
    data = {"deadline": 1_700_000_000_000, "seconds": 7_200, "period": "round", "number": 3}
    when = "Tuesday, 14 November 2023, 22:13:20 UTC"
    assert told(row.sentences, data, Names()) == f"The game waits for you: round 3 closes in 2 hours, {when}"
    unnumbered = {**data, "period": None, "number": None, "seconds": 5_400}
    assert told(row.sentences, unnumbered, Names()) == f"The game waits for you: its deadline is in 90 minutes, {when}"
