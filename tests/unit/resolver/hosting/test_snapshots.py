"""A snapshot gives back the game, or says that it does not."""

import zlib

import pytest

from services.resolver.hosting.snapshots import BadSnapshot, decode, encode
from shared.canonical import canonical, sha256_hex
from shared.rules import UnknownRules
from tests.unit.resolver.hosting.table import Table
from tests.unit.resolver.hosting.test_folding import eventful


def test_a_game_comes_back_from_its_snapshot_at_every_step(table: Table) -> None:
    for step in eventful(table):
        step()
        snapshot = encode(table.hosted)
        assert encode(decode(snapshot)) == snapshot


def test_a_game_goes_on_from_its_snapshot_as_if_nothing_had_been(table: Table) -> None:
    for step in eventful(table):
        step()
        table.game = decode(encode(table.hosted))
    assert table.hosted.over()


def test_every_damaged_byte_is_noticed(running: Table) -> None:
    snapshot = encode(running.hosted)
    for place in range(0, len(snapshot), 7):
        damaged = snapshot[:place] + bytes([snapshot[place] ^ 1]) + snapshot[place + 1 :]
        with pytest.raises(BadSnapshot):
            decode(damaged)


def test_what_is_compressed_at_the_end_is_what_a_certificate_hashes(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=6)
    certificate = running.journal[-1].data
    state = zlib.decompress(encode(running.hosted).split(b"\n", 3)[3])
    assert sha256_hex(state) == certificate["state"]


def test_a_snapshot_of_another_format_is_not_read() -> None:
    rest = canonical({"format": 99}) + b"\n\n"
    with pytest.raises(BadSnapshot, match="format 99"):
        decode(sha256_hex(rest).encode() + b"\n" + rest)


def test_a_snapshot_of_rules_that_are_gone_says_so(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = encode(running.hosted)
    monkeypatch.setattr("shared.rules.GAMES", ())
    with pytest.raises(UnknownRules):
        decode(snapshot)
