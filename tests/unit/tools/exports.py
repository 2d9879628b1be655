"""Exports to be checked, and the ways in which somebody may alter one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from shared.canonical import canonical, sha256_hex
from shared.events import JournalEvent
from shared.export import Form, write_export
from tests.unit.resolver.hosting.table import Table
from tests.unit.resolver.hosting.test_folding import eventful
from tests.unit.resolver.hosting.toy import TURN_MS


def played(folder: Path) -> Table:
    """A game of the toy in which everything happens, with a receipt's input `kept` in its first resolution."""
    table = Table(folder)
    for step in eventful(table):
        step()
    return table


def short(folder: Path) -> Table:
    """A short game: three resolutions, one of them sealed, and a tail without a certificate."""
    table = Table(folder)
    table.create({"names": {"sha256": table.store(["ana"])}})
    table.say("op", "start", 2000)
    table.take(table.submitted("ana", "order", {"name": "x"}, id="kept"), 3000)
    table.say("ana", "chat", 3001, text="hello")
    table.say("ana", "roll", 3002, faces=6)
    table.say("op", "deal", 3003)
    table.say("ana", "roll", 3004, faces=0)
    table.say("bia", "order", 3005, name="y")
    table.run_clock(2000 + TURN_MS)
    table.say("ana", "order", 2001 + TURN_MS, name="z")
    return table


def export(table: Table, form: Form = "journal") -> list[bytes]:
    """The lines of an export."""
    return list(write_export(table.id, form, table.journal if form == "journal" else table.chronicle))


def events_of(lines: list[bytes]) -> list[JournalEvent]:
    found = [orjson.loads(line)["event"] for line in lines[1:-1]]
    return [JournalEvent(e["n"], e["type"], e["data"], tuple(e["to"])) for e in found]


def forged(lines: list[bytes], change: Callable[[list[JournalEvent]], list[JournalEvent] | None]) -> list[bytes]:
    """The export with changed events, renumbered and with fitting hashes beside them: the work of somebody skilled."""
    header = orjson.loads(lines[0])
    events = events_of(lines)
    events = change(events) or events
    return list(write_export(header["game"], header["form"], [e._replace(n=i) for i, e in enumerate(events, 1)]))


def place(events: list[JournalEvent], name: str, nth: int = 0) -> int:
    """Index of the n-th event whose type has this name."""
    return [index for index, event in enumerate(events) if event.type.split(".", 2)[2].rpartition(".v")[0] == name][nth]


def edit(name: str, nth: int = 0, /, **changes: Any) -> Callable[[list[JournalEvent]], None]:
    """A change of fields of one event's data."""

    def change(events: list[JournalEvent]) -> None:
        index = place(events, name, nth)
        events[index] = events[index]._replace(data={**events[index].data, **changes})

    return change


def edit_input(id: str, *, honest: bool, **changes: Any) -> Callable[[list[JournalEvent]], None]:
    """A change of an input; `honest` writes the hash that fits it."""

    def change(events: list[JournalEvent]) -> None:
        for index, event in enumerate(events):
            given = event.data.get("input", {})
            if given.get("id") == id:
                given = {**given, **changes}
                hashed = sha256_hex(canonical(given)) if honest else event.data["hash"]
                events[index] = event._replace(data={**event.data, "input": given, "hash": hashed})

    return change
