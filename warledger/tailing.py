"""The records of a topic as rows to print, one for each event or input, as they come or up to its present end."""

import sys
import time
from collections.abc import Iterator
from typing import Any

import click
import orjson

from shared.batches import batch_of
from shared.events import Unreadable, read_submitted
from shared.log import (
    DEAD_LETTERS,
    INPUT_TOPICS,
    PARTITIONS,
    START,
    TICKS,
    Log,
    LogDamaged,
    LogUnavailable,
    Mark,
    Reader,
    Record,
    TopicPartition,
    partition_of,
)
from shared.signing import UNPROVED
from shared.tracing import read_traceparent, trace_id
from shared.upcasters import upcast_event
from warledger.output import utc

Row = dict[str, Any]

_WAIT_SECONDS = 1.0


def tail(log: Log, topic: str, game: str | None = None, *, from_start: bool, follow: bool) -> Iterator[list[Row]]:
    """The rows of each poll, in order within a partition. Without `follow` up to the present end, then no more.

    Raises LogUnavailable; while it follows it says so once instead, and goes on when the log is back.
    """
    numbers = range(PARTITIONS) if game is None else (partition_of(game),)
    reader = log.reader()
    try:
        ends = {place: reader.end(place) for place in (TopicPartition(topic, number) for number in numbers)}
        reader.assign({place: START if from_start else Mark(end, 0) for place, end in ends.items()})
        while follow or any(reader.position(place) < end for place, end in ends.items()):
            records = _poll(reader) if follow else reader.poll(_WAIT_SECONDS)
            yield [
                row
                for record in records
                if game in (None, record.key)
                if follow or record.offset < ends[TopicPartition(topic, record.partition)]
                for row in rows_of(record)
            ]
    finally:
        reader.close()


def _poll(reader: Reader) -> list[Record]:
    said = False
    while True:
        try:
            return reader.poll(_WAIT_SECONDS)
        except LogDamaged:
            raise
        except LogUnavailable as error:
            if not said:
                click.echo(f"waiting for the log: {error}", err=True)
            said = True
            time.sleep(_WAIT_SECONDS)


def rows_of(record: Record) -> list[Row]:
    """One row for each event of a record; for an input or a dead letter one; for a tick none.

    An input and its judgement have the `trace` of the request that the input came with, where one is known.

    Raises Unreadable for a record of turns or chronicle that is no batch.
    """
    place = {"topic": record.topic, "partition": record.partition, "offset": record.offset, "at": record.at}
    if record.topic in INPUT_TOPICS:
        trace = trace_id(read_traceparent(record.headers.get("traceparent")))
        row = {**place, "game": record.key, **_input(record)}
        return [] if _ticks(record) else [row if trace is None else {**row, "trace": trace}]
    if record.topic == DEAD_LETTERS:
        return [{**place, "game": record.key, "type": "dead letter", "data": orjson.loads(record.value)}]
    batch = batch_of(record)
    traces = {origin.n: trace_id(origin.traceparent) for origin in batch.origins}
    rows = []
    for event in map(upcast_event, batch.events):
        row = {**place, "game": record.key, "n": event.n, "type": event.type, "to": event.to, "data": event.data}
        rows.append({**row, "trace": traces[event.n]} if event.n in traces else row)
    return rows


def _ticks(record: Record) -> bool:
    return record.tick or (record.signer == UNPROVED + TICKS and not record.value)


def _input(record: Record) -> Row:
    try:
        given = read_submitted(record.value)
    except Unreadable as error:
        return {"signer": record.signer, "type": "unreadable", "data": {"fault": str(error)}}
    data = {"id": given.id, "actor": given.actor, "role": given.role, "payload": given.payload}
    return {"signer": record.signer, "type": given.type, "data": data}


def print_rows(rows: list[Row], *, json: bool) -> None:
    """Write rows to standard output, one a line. Raises BrokenPipeError when nobody reads on."""
    out = sys.stdout.buffer
    for row in rows:
        out.write(orjson.dumps(row) if json else _line(row))
        out.write(b"\n")
    out.flush()


def _line(row: Row) -> bytes:
    """Time, game, number, type without what is the same in all, data."""
    type = row["type"].removeprefix("warledger.")
    number = [str(row["n"])] if "n" in row else []
    signer = [f"({row['signer']})"] if "signer" in row else []
    return " ".join([utc(row["at"]), row["game"], *number, type, *signer]).encode() + b" " + orjson.dumps(row["data"])
