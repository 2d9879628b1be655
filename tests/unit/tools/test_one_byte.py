"""One byte changed anywhere in an export is found; and what it stood in is named, however well the rest was mended."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from shared.events import JournalEvent
from shared.export import Form, write_export
from tests.unit.resolver.hosting.table import Table
from tests.unit.tools.exports import events_of, export, forged, place
from tests.unit.tools.test_verify_turn import Check, check, game, patched

__all__ = ["check", "game", "patched"]

EVENT = "rolled"
CERTIFICATE = "resolution.certified"
NOT_CERTIFIED = "public: the public events from event 1 on are not those that were certified"
NOT_SEALED = "sealed: nonce, state or the events from event 1 on are not what was certified"


class Byte(NamedTuple):
    """A place in an export: event by name and number of occurrence, the way to a string or number in its data, and the
    words by which it is named when the hash beside the line was made to fit."""

    event: str
    nth: int
    way: tuple[str | int, ...]
    words: str
    forms: tuple[Form, ...] = ("journal",)


BOTH: tuple[Form, ...] = ("journal", "chronicle")
BYTES: dict[str, Byte] = {
    "an input": Byte("input.accepted", 2, ("input", "payload", "name"), "the input kept: the input, its salt or its"),
    "the id of an input": Byte("input.accepted", 2, ("input", "id"), "the input, its salt or its hash was changed"),
    "the actor of an input": Byte("input.accepted", 2, ("input", "actor"), "the input kept: the input, its salt or"),
    "the salt of an input": Byte("input.accepted", 2, ("input", "salt"), "the input kept: the input, its salt or"),
    "the hash of an input": Byte("input.accepted", 2, ("hash",), "the input kept: the input, its salt or its hash"),
    "the time of an input": Byte("input.accepted", 2, ("at",), NOT_SEALED),
    "the reason of a refusal": Byte("input.rejected", 0, ("detail",), "sealed: nonce, state or the events"),
    "a public event": Byte("rolled", 0, ("value",), NOT_CERTIFIED, BOTH),
    "a secret event": Byte("named", 0, ("name",), NOT_SEALED),
    "data of the creation": Byte("data.part", 0, ("text",), "the parts of this data do not have its SHA-256", BOTH),
    "a seed": Byte(CERTIFICATE, 0, ("seed",), "seed: it does not lead to what was committed (seed 0", BOTH),
    "a later seed": Byte(CERTIFICATE, 2, ("seed",), "seed: it does not lead to what was committed (seed 1", BOTH),
    "a sealed key": Byte(CERTIFICATE, 1, ("sealed_key",), "sealed_key: it is not the one that was committed"),
    "a certificate's digest": Byte(CERTIFICATE, 0, ("digest",), "digest: it is not that of the leaves", BOTH),
    "a certificate's public hash": Byte(CERTIFICATE, 0, ("public",), NOT_CERTIFIED, BOTH),
    "a certificate's sealed hash": Byte(CERTIFICATE, 0, ("sealed",), NOT_SEALED),
    "a certificate's sealed hash, in public": Byte(
        CERTIFICATE, 0, ("sealed",), "previous: the certificate before this one was changed", ("chronicle",)
    ),
    "a certificate's nonce": Byte(CERTIFICATE, 0, ("nonce",), NOT_SEALED),
    "a certificate's state": Byte(CERTIFICATE, 0, ("state",), NOT_SEALED),
    "a certificate's label": Byte(CERTIFICATE, 0, ("label",), "label: its leaves are those of roll:1", BOTH),
    "a certificate's link": Byte(CERTIFICATE, 2, ("previous",), "previous: the certificate before this one was", BOTH),
    "a certificate's number": Byte(CERTIFICATE, 2, ("k",), "follows certificate 2", BOTH),
    "a leaf": Byte("resolution.leaves", 0, ("leaves", 0), "digest: it is not that of the leaves, or a leaf", BOTH),
    "the salt of a chain": Byte("game.created", 0, ("salt",), NOT_CERTIFIED, BOTH),
    "the commitment of a chain": Byte("game.created", 0, ("seed0",), "seed: it does not lead to what was", BOTH),
    "the commitment of a sealed key": Byte("game.created", 0, ("sealed", "spare"), NOT_CERTIFIED, BOTH),
    "the key id of a chain": Byte("game.created", 0, ("key_id",), NOT_CERTIFIED, BOTH),
}


def turned(value: Any) -> Any:
    """The value with one byte changed: a digit stays one, a letter of hex too."""
    if isinstance(value, int):
        return value - value % 10 + (value + 1) % 10
    place = len(value) // 2
    old = value[place]
    new = "0" if old != "0" else "1"
    return value[:place] + new + value[place + 1 :]


def change(byte: Byte) -> Callable[[list[JournalEvent]], None]:
    """The change of that byte in a list of events."""

    def apply(events: list[JournalEvent]) -> None:
        index = place(events, byte.event, byte.nth)
        events[index] = events[index]._replace(data=_put(events[index].data, byte.way))

    return apply


def _put(data: Any, way: tuple[str | int, ...]) -> Any:
    if not way:
        return turned(data)
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[way[0]] = _put(data[way[0]], way[1:])
    return copy


ROWS = [(name, form) for name, byte in BYTES.items() for form in byte.forms]


@pytest.mark.parametrize(("name", "form"), ROWS)
def test_one_byte_is_found_at_its_line(game: Table, check: Check, name: str, form: Form) -> None:
    byte = BYTES[name]
    lines = export(game, form)
    events = events_of(lines)
    index = place(events, byte.event, byte.nth)
    before = events[index].line()
    change(byte)(events)
    after = events[index].line()
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    lines[index + 1] = lines[index + 1].replace(before, after)

    status, said = check(lines)

    assert status == 1
    assert f"WRONG line {index + 2}: event {index + 1} ({events[index].type})" in said
    assert "was changed: it does not fit the hash beside it" in said


@pytest.mark.parametrize(("name", "form"), ROWS)
def test_one_byte_is_named_though_the_hashes_beside_the_lines_fit(
    game: Table,
    check: Check,
    name: str,
    form: Form,
) -> None:
    status, said = check(forged(export(game, form), change(BYTES[name])))
    assert status == 1
    assert "the hash beside it" not in said
    assert BYTES[name].words in said


@pytest.mark.parametrize("form", BOTH)
def test_a_record_that_was_dropped_or_swapped_is_named_though_the_rest_was_mended(
    game: Table,
    check: Check,
    form: Form,
) -> None:
    """Numbers and hashes fit again; only the certificates know. What follows the last one is in none yet."""
    lines = export(game, form)
    events = events_of(lines)
    last = place(events, CERTIFICATE, 2)
    for index in range(last):
        for changed in ([*events[:index], *events[index + 1 :]], _exchanged(events, index)):
            renumbered = [event._replace(n=n) for n, event in enumerate(changed, 1)]
            status, said = check(list(write_export("g1", form, renumbered)))
            assert (status, "WRONG" in said) == (1, True), (index, events[index].type)


def _exchanged(events: list[JournalEvent], index: int) -> list[JournalEvent]:
    return [*events[:index], events[index + 1], events[index], *events[index + 2 :]]
