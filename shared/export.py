"""Export of one game: JSON lines that an import, an analyst and tools/verify_turn.py read.

The first line says what the file is; every further line is {"event": ..., "hash": ...}: an event as the journal (or, in
a public export, the chronicle) holds it, and the running hash that begins anew behind each certificate (docs/proof.md).
The last line is {"end": {"events": ..., "over": ...}}: how many events there are, and whether the game has ended;
without it the file was cut. The hash tells which line was damaged; what proves the events are the certificates. A
journal holds secrets.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import orjson

from shared.canonical import canonical
from shared.events import CERTIFIED, JournalEvent, public_form
from shared.rules.interface import PUBLIC

FORMAT = "warledger-export"
VERSION = 1
_START = bytes(32)

Form = Literal["journal", "chronicle"]


class Export(NamedTuple):
    """What an export holds. `form` says whether it is the journal (with secrets) or the chronicle."""

    game: str
    form: Form
    events: Sequence[JournalEvent]


class BadExport(ValueError):
    """A file that is no export, or was damaged; `line` counts from 1."""

    def __init__(self, line: int, said: str) -> None:
        super().__init__(f"line {line}: {said}")
        self.line = line


def write_export(game: str, form: Form, events: Iterable[JournalEvent]) -> Iterator[bytes]:
    """The lines of an export, each with its line feed. `events` are those of the form, in order."""
    yield canonical({"form": form, "format": FORMAT, "game": game, "version": VERSION}) + b"\n"
    running = _START
    count, over = 0, False
    for event in events:
        count += 1
        over = over or _ends_the_game(event.type)
        line = event.line()
        running = hashlib.sha256(running + line + b"\n").digest()
        yield b'{"event":%b,"hash":"%b"}\n' % (line, running.hex().encode())
        if event.type == CERTIFIED:
            running = _START
    yield _end(count, over)


def _end(count: int, over: bool) -> bytes:
    return canonical({"end": {"events": count, "over": over}}) + b"\n"


def _ends_the_game(type: str) -> bool:
    """Whether an event of this type ends its game: every game calls it `game_ended`."""
    return type.rpartition(".v")[0].endswith(".game_ended")


def chronicle_of(journal: Iterable[JournalEvent]) -> Iterator[JournalEvent]:
    """The chronicle that belongs to a journal: its public events in their public form, counted by themselves."""
    n = 0
    for event in journal:
        if (form := public_form(event)) is not None:
            n += 1
            yield JournalEvent(n, form[0], form[1], PUBLIC)


def read_export(lines: Iterable[bytes]) -> Export:
    """Read an export. Raises BadExport with the line and what is wrong with it."""
    numbered = enumerate(lines, 1)
    header = _header(next(numbered, (1, b""))[1])
    events: list[JournalEvent] = []
    running = _START
    over, ended, number = False, False, 1
    for number, line in numbered:
        if ended:
            raise BadExport(number, "nothing belongs behind the line that ends an export")
        if line.startswith(b'{"end":'):
            _check_end(number, line, _end(len(events), over))
            ended = True
            continue
        event, written = _event(number, line)
        if event.n != len(events) + 1:
            raise BadExport(number, f"event {event.n} stands where event {len(events) + 1} belongs")
        running = hashlib.sha256(running + event.line() + b"\n").digest()
        if running.hex() != written:
            raise BadExport(number, f"event {event.n}, {event.type}, does not have the hash written beside it")
        if event.type == CERTIFIED:
            running = _START
        over = over or _ends_the_game(event.type)
        events.append(event)
    if not ended:
        raise BadExport(number, "the file was cut: it lacks its last line, which tells the number of events")
    return Export(header["game"], header["form"], events)


def _check_end(number: int, line: bytes, expected: bytes) -> None:
    if line.rstrip(b"\n") != expected.rstrip(b"\n"):
        said = f"it must be {expected.decode().rstrip()} behind these events; is the end missing?"
        raise BadExport(number, said)


def _header(line: bytes) -> dict[str, Any]:
    try:
        header = orjson.loads(line)
    except ValueError as error:
        raise BadExport(1, str(error)) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT or header.get("version") != VERSION:
        raise BadExport(1, f'expected {{"format": "{FORMAT}", "version": {VERSION}, ...}}')
    if header.get("form") not in ("journal", "chronicle") or not isinstance(header.get("game"), str):
        raise BadExport(1, "expected form journal or chronicle, and the id of the game")
    return header


def _event(number: int, line: bytes) -> tuple[JournalEvent, str]:
    try:
        data = orjson.loads(line)
        event, written = data["event"], data["hash"]
        if set(event) != {"data", "n", "to", "type"} or type(event["n"]) is not int:
            raise KeyError("data, n, to, type")
        if not isinstance(event["data"], dict) or not isinstance(event["type"], str):
            raise TypeError("data must be an object, type a string")
        return JournalEvent(event["n"], event["type"], event["data"], tuple(event["to"])), str(written)
    except (ValueError, KeyError, TypeError) as error:
        raise BadExport(number, f'no {{"event": {{data, n, to, type}}, "hash": ...}}: {error}') from None
