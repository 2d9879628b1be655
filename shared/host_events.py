"""Event types of the host: judgements, creation, proof, and what happens to a game as a whole.

The full name of each is `warledger.host.<name>.v<version>`. Who may see one stands at the head of its summary. Hashes
are hex SHA-256; times are UTC milliseconds. Every entry of HOST_EVENTS is the version that is written now; older ones
are in shared/schemas and reach readers through shared/upcasters.py.
"""

from collections.abc import Mapping
from typing import Final

from shared.events import HOST, event_type
from shared.private_tree import DEPTH
from shared.rules.interface import EventType
from shared.rules.shapes import Anything, Array, Boolean, Choice, Id, Integer, Keyed, Maybe, Object, Shape, Text

_HASH = Text(64)
_TIME = Integer(0)
_PART: Mapping[str, Shape] = {"part": Integer(1), "parts": Integer(1)}
_JUDGED: Mapping[str, Shape] = {
    "input": Object(
        {
            "actor": Text(),
            "game": Text(),
            "id": Text(),
            "payload": Keyed(Anything(), keys_are_ids=False),
            "role": Choice(("player", "operator", "clock")),
            "salt": Text(),
            "type": Text(),
        }
    ),
    "at": _TIME,
    "seq": Integer(1),
    "hash": _HASH,
}
_CHAIN: Mapping[str, Shape] = {
    "chain": Integer(0),
    "key_id": Text(),
    "salt": Text(32),
    "seed0": _HASH,
    "sealed": Keyed(_HASH, keys_are_ids=False),
}

RENEWED: Final = "renewed"
"""Reason of `chain.started` when the chain before it is used up; every other reason is a cut that the docs explain."""
CHAIN_REASONS = (RENEWED, "import", "restore", "key")

HOST_EVENTS: Mapping[str, EventType] = {
    item.name: item
    for item in (
        EventType(
            "input.accepted",
            1,
            Object(_JUDGED),
            "Its player and operators. The whole input, its time, the number of its judgement and its hash (ENG-7).",
        ),
        EventType(
            "input.rejected",
            1,
            Object({**_JUDGED, "code": Text(), "rule": Text(), "detail": Text()}),
            "Its player and operators. The input changed nothing (ENG-5).",
        ),
        EventType(
            "input.repeated",
            1,
            Object({**_JUDGED, "first": Integer(1), "same": Boolean()}),
            "Its player and operators. The id was judged before, as number `first`; `same` if hashes agree (ENG-4).",
        ),
        EventType(
            "data.part",
            1,
            Object({"sha256": _HASH, **_PART, "text": Text()}),
            "Public; to operators alone behind a refused creation. A part of the data that the creation before it was "
            "judged by; the parts joined have this SHA-256.",
        ),
        EventType(
            "game.created",
            1,
            Object({"id": Id(), "kind": Id(), "rules": Text(16), **_CHAIN}),
            "Public. Game, rules version, and the commitments of chain 0 and of the sealed resolutions (ENG-7).",
        ),
        EventType(
            "resolution.leaves",
            1,
            Object({"k": Integer(1), "label": Text(), **_PART, "leaves": Array(_HASH, 3000)}),
            "Public. The sorted leaves of the inputs in the digest of resolution k; one empty part if there are none.",
        ),
        EventType(
            "resolution.certified",
            1,
            Object(
                {
                    "k": Integer(1),
                    "label": Text(),
                    "previous": _HASH,
                    "seed": Maybe(_HASH),
                    "digest": _HASH,
                    "public": _HASH,
                    "sealed": _HASH,
                    "private": _HASH,
                    "nonce": Text(32),
                    "state": _HASH,
                    "sealed_key": _HASH,
                },
                optional=frozenset({"private", "nonce", "state", "sealed_key"}),
            ),
            "Public without `nonce`, `state` and `sealed_key`. Certificate of resolution k (docs/proof.md); `seed` is "
            "null for a sealed one; `private` is the root over private inputs, in games that certify them apart.",
        ),
        EventType(
            "input.covered",
            1,
            Object({"k": Integer(1), "label": Text(), "input": Text(), "leaf": _HASH, "path": Array(_HASH, DEPTH)}),
            "Player. The private input is covered by certificate k: the path leads from its leaf to the root that "
            "is `private` there.",
        ),
        EventType(
            "chain.started",
            1,
            Object({**_CHAIN, "reason": Choice(CHAIN_REASONS)}),
            "Public. Commitment of the next chain; with a salt of its own also of the sealed resolutions not yet used.",
        ),
        EventType(
            "sealed.revealed",
            1,
            Object({"keys": Keyed(_HASH, keys_are_ids=False)}),
            "Public. The game is over: the keys of its sealed resolutions, by label.",
        ),
        EventType(
            "game.quarantined",
            2,
            Object({"cause": Text(), "positions": Keyed(Object({"offset": Integer(0), "at": _TIME})), "at": _TIME}),
            "Operators. The rules failed; inputs from these marks on, by topic, are not judged until the release.",
        ),
        EventType(
            "game.released",
            1,
            Object({"shift_ms": Integer(0), "at": _TIME}),
            "Operators. The game goes on, its deadlines moved by `shift_ms`.",
        ),
        EventType(
            "game.moved",
            1,
            Object({"reason": Choice(("import", "restore")), "at": _TIME, "source": Text()}),
            "Public. The journal up to here was brought in from an export or a backup; `source` is the key id of the "
            "house that wrote it.",
        ),
        EventType(
            "game.rules_changed",
            1,
            Object({"from": Text(16), "to": Text(16)}),
            "Public. From here on another version of the rules decides.",
        ),
        EventType(
            "game.scheduled",
            1,
            Object(
                {
                    "zone": Maybe(Text(64)),
                    "times": Array(Text(5), 24),
                    "days": Array(Choice(("mon", "tue", "wed", "thu", "fri", "sat", "sun")), 7),
                }
            ),
            "Public. What opens from now on closes at these local times; zone null ends the schedule.",
        ),
        EventType(
            "reminders.due",
            1,
            Object({"at": _TIME, "deadline": _TIME, "seconds": Integer(1), "players": Integer(0)}),
            "Operators. So long before the deadline the game waits for so many players; `reminder.given` follows.",
        ),
        EventType(
            "reminder.given",
            1,
            Object(
                {
                    "at": _TIME,
                    "deadline": _TIME,
                    "seconds": Integer(1),
                    "period": Maybe(Text(64)),
                    "number": Maybe(Integer()),
                }
            ),
            "Player. The game waits for her, and its deadline is so many seconds away; `period` and `number` say what "
            "closes then, as in `round` 3.",
        ),
        EventType(
            "ruling.made",
            1,
            Object({"label": Text(64), "ruling": Text(2000), "at": _TIME}),
            "Public. An operator's ruling on a disputed resolution; it changes nothing by itself.",
        ),
    )
}


def host_type(name: str) -> str:
    """Full name of the version of a host event that is written now."""
    return event_type(HOST, name, HOST_EVENTS[name].version)


ACCEPTED = host_type("input.accepted")
REJECTED = host_type("input.rejected")
REPEATED = host_type("input.repeated")
JUDGEMENTS = frozenset({ACCEPTED, REJECTED, REPEATED})
"""Each stands for one input; the events up to the next one are its outcomes."""
DATA_PART = host_type("data.part")
CREATED = host_type("game.created")
LEAVES = host_type("resolution.leaves")
COVERED = host_type("input.covered")
CHAIN_STARTED = host_type("chain.started")
SEALED_REVEALED = host_type("sealed.revealed")
QUARANTINED = host_type("game.quarantined")
RELEASED = host_type("game.released")
MOVED = host_type("game.moved")
RULES_CHANGED = host_type("game.rules_changed")
SCHEDULED = host_type("game.scheduled")
REMINDERS_DUE = host_type("reminders.due")
REMINDER_GIVEN = host_type("reminder.given")
RULING = host_type("ruling.made")
