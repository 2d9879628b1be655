"""Which records of an input topic are inputs (design, Inputs and judgements). The rest gets no judgement."""

import re
from typing import NamedTuple

from shared.commands import may_write
from shared.events import MAX_EVENT_BYTES, Submitted, Unreadable, read_submitted
from shared.log import Record, partition_of
from shared.rules.shapes import ID
from shared.tracing import read_traceparent

_SALT = re.compile(r"[0-9a-f]{32}\Z")

MAX_INPUT_BYTES = MAX_EVENT_BYTES - 8_192
"""An input travels inside the event that judges it, beside its time and hash."""

FORGED = "forged"
UNREADABLE = "unreadable"


class Fault(NamedTuple):
    """Why a record is no input: the reason of its dead letter and one sentence."""

    reason: str
    detail: str


class Arrival(NamedTuple):
    """A record as the merge holds it. Without `submitted` and `fault` it is a tick."""

    topic: str
    partition: int
    offset: int
    at: int
    key: str
    traceparent: str | None
    submitted: Submitted | None
    fault: Fault | None


def admit(record: Record) -> Arrival:
    """Read a record of an input topic: a tick, an input, or the fault that makes it a dead letter."""
    verdict = None if record.tick else _read(record)
    return Arrival(
        record.topic,
        record.partition,
        record.offset,
        record.at,
        record.key,
        read_traceparent(record.headers.get("traceparent")),  # headers are not signed: anything else is dropped
        verdict if isinstance(verdict, Submitted) else None,
        verdict if isinstance(verdict, Fault) else None,
    )


def _read(record: Record) -> Submitted | Fault:
    if record.signer is None:
        return Fault(FORGED, "the record has no valid signature")
    try:
        submitted = read_submitted(record.value)
    except Unreadable as error:
        return Fault(UNREADABLE, str(error)[:200])
    if not may_write(record.signer, record.topic, submitted.type):
        return Fault(FORGED, f"{record.signer} may not write {submitted.type[:64]!r} to {record.topic}")
    if record.key != submitted.game or partition_of(record.key) != record.partition:
        return Fault(FORGED, "the record stands under the key, or in the partition, of another game")
    if not (ID.match(submitted.id) and ID.match(submitted.game) and ID.match(submitted.actor)):
        return Fault(UNREADABLE, "id, game and actor must be 1 to 64 of A-Z a-z 0-9 _ -")
    if not _SALT.match(submitted.salt):
        return Fault(UNREADABLE, "salt must be 32 hex digits")
    if len(record.value) > MAX_INPUT_BYTES:
        return Fault(UNREADABLE, f"an input has at most {MAX_INPUT_BYTES} bytes")
    return submitted
