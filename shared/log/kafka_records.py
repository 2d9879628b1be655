"""Records as they lie in Kafka's batches, read leniently where anybody may have written them.

The library stops for ever at a record that it cannot decode. In an input topic one that nobody of ours wrote must not
stop anything: what cannot be read there is handed out as a record without key, value and headers, so without signer.
"""

import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError, KafkaError

UNPACKED_BYTES = 16_000_000
"""A compressed batch that is larger than this when unpacked is not unpacked; ours are far smaller (`kafka_batches`)."""
_PLAIN, _GZIP = 0, 1
_MAGIC = 2


class Raw(NamedTuple):
    """A record as stored; headers as they come, names in bytes. `stamped` if the broker set the time."""

    offset: int
    timestamp: int
    stamped: bool
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[bytes, bytes | None], ...]


class Unreadable(KafkaError):  # type: ignore[misc]
    """A batch that cannot be read, in a partition where everything must be readable or which is damaged."""

    def __init__(self, topic: str, partition: int, offset: int, reason: str) -> None:
        super().__init__(f"{topic}, partition {partition}, offset {offset}: {reason}")
        self.place = (topic, partition)


def batches_of(lenient: frozenset[str]) -> type[Any]:
    """What a fetcher unpacks fetched data with; `lenient` are the topics in which unreadable records may stand."""

    class Batches(Fetcher.PartitionRecords):  # type: ignore[misc]
        """The records of one partition in one answer to a fetch."""

        def _unpack_records(self, place: Any, records: Any, *_deserializers: Any) -> Iterator[Raw]:
            tolerant = place.topic in lenient
            while (batch := records.next_batch()) is not None:
                try:
                    _check(batch)
                    self.leader_epoch = batch.leader_epoch
                    if self._visible(batch):
                        for record in _tolerantly(batch) if tolerant else _records(batch):
                            self.bytes_read += 1
                            self.next_fetch_offset = record.offset + 1
                            yield record
                except (CorruptRecordError, ValueError, IndexError) as error:
                    raise Unreadable(place.topic, place.partition, batch.base_offset, str(error)) from error
                self.next_fetch_offset = batch.next_offset
            self.drain()

        def _visible(self, batch: Any) -> bool:
            """False for markers and for what an aborted transaction wrote."""
            if batch.has_producer_id():
                self._consume_aborted_transactions_up_to(batch.last_offset)
                if self._contains_abort_marker(batch):
                    self.aborted_producer_ids.discard(batch.producer_id)
                elif self._is_batch_aborted(batch):
                    return False
            return not batch.is_control_batch

    return Batches


def _check(batch: Any) -> None:
    if batch.magic != _MAGIC:
        raise CorruptRecordError(f"a batch of format {batch.magic}; format {_MAGIC} is read")
    if not batch.validate_crc():
        raise CorruptRecordError("the checksum of the batch does not hold")


def _tolerantly(batch: Any) -> Iterator[Raw]:
    """The records of a batch; from one that cannot be read on, one for them all that says nothing."""
    offset = batch.base_offset
    try:
        for record in _records(batch):
            offset = record.offset + 1
            yield record
    except (ValueError, IndexError):
        stamped = batch.timestamp_type == batch.LOG_APPEND_TIME
        yield Raw(min(offset, batch.last_offset), batch.max_timestamp, stamped, None, None, ())


def _records(batch: Any) -> Iterator[Raw]:
    """Raises ValueError or IndexError for what is no record (Kafka's record format, version 2)."""
    data = _content(batch)
    base, first, last = batch.base_offset, batch.first_timestamp, batch.max_timestamp
    stamped = batch.timestamp_type == batch.LOG_APPEND_TIME
    position, reached = 0, -1
    for _ in range(batch.records_count):
        length, position = _number(data, position)
        end = position + length
        if length < 0 or end > len(data):
            raise ValueError("a record that is longer than its batch")
        later, position = _number(data, position + 1)
        further, position = _number(data, position)
        if not reached < further <= batch.last_offset - base:
            # The broker counts the records of a plain batch, and reads their offsets no further.
            raise ValueError("a record that stands outside its batch, or not behind the one before it")
        reached = further
        key, position = _piece(data, position, end)
        value, position = _piece(data, position, end)
        count, position = _number(data, position)
        headers = []
        for _ in range(count):
            name, position = _piece(data, position, end)
            item, position = _piece(data, position, end)
            headers.append((name or b"", item))
        if position != end:
            raise ValueError("a record that is not as long as it says")
        yield Raw(base + further, last if stamped else first + later, stamped, key, value, tuple(headers))


def _content(batch: Any) -> bytes:
    data = bytes(memoryview(batch._buffer)[batch._pos :])
    if batch.compression_type == _PLAIN:
        return data
    if batch.compression_type != _GZIP:
        raise ValueError("the batch is compressed in a way that is not read here; plain and gzip are")
    unpacking = zlib.decompressobj(wbits=31)
    try:
        content = unpacking.decompress(data, UNPACKED_BYTES)
    except zlib.error as error:
        raise ValueError(f"the batch cannot be unpacked: {error}") from None
    if not unpacking.eof:
        raise ValueError(f"the batch is over {UNPACKED_BYTES:,} bytes when unpacked, or cut off")
    return content


def _number(data: bytes, position: int) -> tuple[int, int]:
    """A variable-length zigzag number, and where the next field begins."""
    byte = data[position]
    position += 1
    if byte < 0x80:
        return (byte >> 1) ^ -(byte & 1), position
    found, shift = byte & 0x7F, 7
    while byte >= 0x80:
        if shift > 63:
            raise ValueError("a number of more than ten bytes")
        byte = data[position]
        position += 1
        found |= (byte & 0x7F) << shift
        shift += 7
    return (found >> 1) ^ -(found & 1), position


def _piece(data: bytes, position: int, end: int) -> tuple[bytes | None, int]:
    length, position = _number(data, position)
    if length < 0:
        return None, position
    if position + length > end:
        raise ValueError("a field that is longer than its record")
    return data[position : position + length], position + length
