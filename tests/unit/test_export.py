"""An export can be read again, and says which line was damaged."""

from pathlib import Path

import pytest

from shared.events import JournalEvent
from shared.export import BadExport, chronicle_of, read_export, write_export
from tests.unit.resolver.hosting.table import Table, install_toy
from tests.unit.tools.exports import short


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    install_toy(monkeypatch)
    return short(tmp_path)


def test_an_export_comes_back_as_it_was(table: Table) -> None:
    lines = list(write_export("g1", "journal", table.journal))
    read = read_export(lines)
    assert (read.game, read.form) == ("g1", "journal")
    assert read.events == table.journal
    assert list(write_export(read.game, read.form, read.events)) == lines


def test_a_longer_export_begins_with_the_shorter_one(table: Table) -> None:
    before = list(write_export("g1", "journal", table.journal))
    table.say("ana", "order", 9_000_000, name="later")
    after = list(write_export("g1", "journal", table.journal))
    assert after[: len(before) - 1] == before[:-1]


def test_the_last_line_tells_the_number_of_events_and_whether_the_game_is_over(table: Table) -> None:
    count = len(table.journal)
    assert list(write_export("g1", "journal", table.journal))[-1] == b'{"end":{"events":%d,"over":false}}\n' % count
    ended = [*table.journal, JournalEvent(count + 1, "warledger.gxc.game_ended.v1", {}, ("public",))]
    lines = list(write_export("g1", "journal", ended))
    assert lines[-1] == b'{"end":{"events":%d,"over":true}}\n' % (count + 1)
    assert read_export(lines).events == ended


def test_an_export_that_was_cut_anywhere_is_refused(table: Table) -> None:
    lines = list(write_export("g1", "journal", table.journal))
    for kept in range(1, len(lines)):
        with pytest.raises(BadExport, match=f"line {kept}: the file was cut"):
            read_export(lines[:kept])
    with pytest.raises(BadExport, match=f"line {len(lines) - 1}: it must be "):
        read_export([*lines[:-2], lines[-1]])
    with pytest.raises(BadExport, match="nothing belongs behind the line that ends an export"):
        read_export([*lines, lines[-2]])


def test_the_chronicle_follows_from_the_journal(table: Table) -> None:
    assert list(chronicle_of(table.journal)) == table.chronicle


def test_a_public_export_holds_no_secret(table: Table) -> None:
    text = b"".join(write_export("g1", "chronicle", table.chronicle))
    for secret in (b"nonce", b"sealed_key", b'"state"', b"hello", b"input.accepted", b"dealt"):
        assert secret not in text
        assert secret in b"".join(write_export("g1", "journal", table.journal)) or secret == b"hello"


@pytest.mark.parametrize("number", [2, 5, 12])
def test_a_damaged_line_is_named(table: Table, number: int) -> None:
    lines = list(write_export("g1", "journal", table.journal))
    line = lines[number - 1]
    where = line.index(b'"n":') - 3
    lines[number - 1] = line[:where] + bytes([line[where] ^ 1]) + line[where + 1 :]
    with pytest.raises(BadExport) as found:
        read_export(lines)
    assert found.value.line == number


def test_a_missing_line_is_named(table: Table) -> None:
    lines = list(write_export("g1", "journal", table.journal))
    with pytest.raises(BadExport, match="line 4: event 4 stands where event 3 belongs"):
        read_export([*lines[:3], *lines[4:]])


@pytest.mark.parametrize("lines", [[], [b"{}\n"], [b"nonsense\n"], [b'{"format":"warledger-export","version":1}\n']])
def test_what_is_no_export_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(BadExport, match="line 1"):
        read_export(lines)
