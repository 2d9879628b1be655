"""A game as bytes: a line of the hex SHA-256 of the rest, one of the host's state, the judged ids, the rules' state.

The host's state is canonical JSON and tells how many bytes the judged ids have. The rules' state is compressed in the
form of zlib, which leaves an eighth of it, and empty while the game has no rules. Uncompressed, its bytes are those
whose hash a certificate seals. In format 3 the judged ids are a line of canonical JSON; it is still read.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
from isal import isal_zlib

from services.resolver.hosting.game import (
    Chain,
    Creation,
    HostedGame,
    Opening,
    PrivateInput,
    Quarantine,
    Schedule,
)
from services.resolver.hosting.judged_ids import JudgedIds
from services.resolver.hosting.tally import Tally
from shared.canonical import canonical
from shared.collection import paused
from shared.log import Mark
from shared.rules import rules_of

FORMAT = 4
_WITH_IDS_IN_JSON = 3
READABLE = frozenset({FORMAT, _WITH_IDS_IN_JSON})
_LEVEL = 1
"""Of isal: leaves as much as the second of zlib, and takes half of its time at 50 players, a fifth at 10,000."""


class BadSnapshot(ValueError):
    """Bytes that are no snapshot, or not what was written; fold the journal instead."""


def encode(game: HostedGame) -> bytes:
    """The snapshot of a game. Equal games give equal bytes on one kind of processor."""
    return b"".join(encoded_parts(game))


def encoded_parts(game: HostedGame) -> list[bytes]:
    """What `encode` gives, in parts: of a large game it is 50 MB, which nobody needs a second time as one piece."""
    judged = game.judged.stored_parts()
    rest = [canonical(_host(game, sum(map(len, judged)))), b"\n", *judged, stored_state(game)]
    digest = hashlib.sha256()
    for part in rest:
        digest.update(part)
    return [digest.hexdigest().encode(), b"\n", *rest]


def stored_state(game: HostedGame) -> bytes:
    """The state of the rules as a snapshot holds it."""
    return b"" if game.rules is None else isal_zlib.compress(game.canonical_state(game.rules), _LEVEL)


def decode(snapshot: bytes) -> HostedGame:
    """The game of a snapshot. Raises BadSnapshot, and UnknownRules if its rules version is not installed."""
    # Views into the bytes: they may be many megabytes, and what they hold is read one by one.
    host_at = snapshot.find(b"\n") + 1
    rest = memoryview(snapshot)[host_at:]
    if hashlib.sha256(rest).hexdigest().encode() + b"\n" != snapshot[:host_at]:
        raise BadSnapshot("the bytes do not have the hash that stands before them")
    judged_at = snapshot.find(b"\n", host_at) + 1
    with paused():
        data = orjson.loads(snapshot[host_at : judged_at - 1])
        if data["format"] == _WITH_IDS_IN_JSON:
            state_at = snapshot.find(b"\n", judged_at) + 1
            judged = JudgedIds(snapshot[judged_at : state_at - 1], in_json=True)
        elif data["format"] == FORMAT:
            state_at = judged_at + data["judged"]
            judged = JudgedIds(snapshot[judged_at:state_at])
        else:
            raise BadSnapshot(f"format {data['format']}; this version reads {sorted(READABLE)}")
        game = _game(data, judged)
        if game.rules is not None:
            game.state = game.rules.decode(orjson.loads(isal_zlib.decompress(memoryview(snapshot)[state_at:])))
    return game


def _host(game: HostedGame, judged_bytes: int) -> dict[str, Any]:
    journal, chronicle = game.tally.hashes()
    return {
        "format": FORMAT,
        "judged": judged_bytes,
        "id": game.id,
        "kind": game.kind,
        "rules": None if game.rules is None else game.rules.version,
        "n": game.n,
        "seq": game.seq,
        "public_n": game.public_n,
        "last_at": game.last_at,
        "chain": None if game.chain is None else list(game.chain),
        "next_seed": game.next_seed,
        "sealed": game.sealed,
        "sealed_keys": game.sealed_keys,
        "k": game.k,
        "previous": game.previous,
        "leaves": game.leaves,
        "resolved_at": game.resolved_at,
        "begun": game.begun,
        "tally": (journal.hex(), chronicle.hex()),
        "creation": None if game.creation is None else _creation(game.creation),
        "announced": game.announced,
        "schedule": None if game.schedule is None else list(game.schedule),
        "quarantined": None if game.quarantined is None else _stopped(game.quarantined),
        **({} if not game.reminders else _reminders(game)),
        **({"private": [list(item) for item in game.private]} if game.private_apart else {}),
    }


def _reminders(game: HostedGame) -> dict[str, Any]:
    """Of a game that has any; snapshots of the others are as they were before there were reminders."""
    opening = None if game.opening is None else list(game.opening)
    return {"reminders": game.reminders, "opening": opening, "reminded": game.reminded}


def _stopped(quarantine: Quarantine) -> list[Any]:
    return [quarantine.cause, {topic: list(mark) for topic, mark in quarantine.marks.items()}, quarantine.at]


def _creation(creation: Creation) -> dict[str, Any]:
    return {
        "payload": creation.payload,
        "id": creation.id,
        "actor": creation.actor,
        "salt": creation.salt,
        "at": creation.at,
        "seq": creation.seq,
        "parts": creation.parts,
    }


def _game(data: Mapping[str, Any], judged: JudgedIds) -> HostedGame:
    journal, chronicle = (bytes.fromhex(item) for item in data["tally"])
    before, last = data["resolved_at"]
    return HostedGame(
        id=data["id"],
        kind=data["kind"],
        rules=None if data["rules"] is None else rules_of(data["kind"], data["rules"]),
        n=data["n"],
        seq=data["seq"],
        public_n=data["public_n"],
        last_at=data["last_at"],
        judged=judged,
        chain=None if data["chain"] is None else Chain(*data["chain"]),
        next_seed=data["next_seed"],
        sealed=data["sealed"],
        sealed_keys=data["sealed_keys"],
        k=data["k"],
        previous=data["previous"],
        hashed_leaves=sorted(data["leaves"]),  # older snapshots have them as they were judged
        resolved_at=(before, last),
        begun=data["begun"],
        tally=Tally(journal, chronicle),
        creation=None if data["creation"] is None else Creation(**data["creation"]),
        announced=data["announced"],
        schedule=_schedule(data["schedule"]),
        quarantined=_quarantine(data["quarantined"]),
        private_apart="private" in data,
        private=[PrivateInput(*item) for item in data.get("private", ())],
        reminders=tuple(data.get("reminders", ())),
        opening=None if data.get("opening") is None else Opening(*data["opening"]),
        reminded=None if data.get("reminded") is None else (data["reminded"][0], data["reminded"][1]),
    )


def _schedule(data: Any) -> Schedule | None:
    if data is None:
        return None
    zone, times, days = data
    return Schedule(zone, tuple(times), tuple(days))


def _quarantine(data: Any) -> Quarantine | None:
    if data is None:
        return None
    cause, marks, at = data
    return Quarantine(cause, {topic: Mark(*mark) for topic, mark in marks.items()}, at)
