"""A snapshot gives back the game, or says that it does not."""

import zlib

import orjson
import pytest

from services.resolver.hosting import certifying
from services.resolver.hosting.game import HostedGame
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


def state_in(snapshot: bytes) -> bytes:
    """The canonical state of a snapshot."""
    _, host, rest = snapshot.split(b"\n", 2)
    return zlib.decompress(rest[orjson.loads(host)["judged"] :])


def in_format_3(game: HostedGame) -> bytes:
    """The snapshot of a game as it was before: its judged ids are a line of JSON."""
    _, host, rest = encode(game).split(b"\n", 2)
    data = orjson.loads(host)
    columns, state = rest[: data["judged"]], rest[data.pop("judged") :]
    count, ids_end = int.from_bytes(columns[:8], "little"), 16 + 16 * int.from_bytes(columns[8:16], "little")
    ids = [columns[at : at + 16].hex() for at in range(16, ids_end, 16)]
    for place, id in orjson.loads(columns[ids_end + 48 * count :] or b"[]"):
        ids.insert(place, id)
    first = [item for item in map(game.judged.first, ids) if item is not None]
    judged = [ids, [item.seq for item in first], [item.hash for item in first], [item.at for item in first]]
    lines = canonical({**data, "format": 3}) + b"\n" + canonical(judged) + b"\n" + state
    return sha256_hex(lines).encode() + b"\n" + lines


def test_what_is_compressed_at_the_end_is_what_a_certificate_hashes(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=6)
    certificate = running.journal[-1].data
    assert sha256_hex(state_in(encode(running.hosted))) == certificate["state"]


def test_a_state_that_a_certificate_sealed_is_not_taken_for_a_later_one(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=6)
    game = running.hosted
    assert game.rules is not None
    assert game.certified_state is not None
    assert state_in(encode(game)) == game.certified_state.json == canonical(game.rules.encode(game.state))

    running.say("ana", "order", 3001, name="later")

    assert state_in(encode(game)) == canonical(game.rules.encode(game.state)) != game.certified_state.json


def test_a_large_state_is_not_kept_from_a_certificate(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certifying, "SMALL_STATE_BYTES", 10)
    running.say("ana", "roll", 3000, faces=6)
    assert running.hosted.certified_state is None


def test_a_snapshot_of_the_format_before_is_read_at_every_step(table: Table) -> None:
    for step in eventful(table):
        step()
        snapshot = encode(table.hosted)
        assert encode(decode(in_format_3(table.hosted))) == snapshot


def test_a_snapshot_of_another_format_is_not_read() -> None:
    rest = canonical({"format": 99}) + b"\n\n"
    with pytest.raises(BadSnapshot, match="format 99"):
        decode(sha256_hex(rest).encode() + b"\n" + rest)


def test_a_snapshot_of_rules_that_are_gone_says_so(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = encode(running.hosted)
    monkeypatch.setattr("shared.rules.GAMES", ())
    with pytest.raises(UnknownRules):
        decode(snapshot)
