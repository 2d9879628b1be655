"""The records of a transaction as batches, packed by gzip before the producer's thread sends them.

A producer of kafka-python packs with gzip's slowest level, when its thread comes to it, and sends what is there when it
first looks. Here all records of a partition stand in one batch, if a topic takes it, and are packed while that thread
still waits for the coordinator. Every consumer of Kafka reads gzip; kafka-python with nothing but Python.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from isal import isal_zlib
from kafka.producer.producer_batch import ProducerBatch
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.memory_records import MemoryRecordsBuilder
from kafka.record.util import encode_varint
from kafka.structs import TopicPartition as KafkaPartition

BATCH_BYTES = 1_000_000
"""Nearly what a topic takes at once (`max.message.bytes`): batches of a partition go one after the other."""
VALUES_BYTES = 4_000_000
"""Values of so many bytes go into one batch: who reads it holds it as a whole; one is sent while the next is packed."""
CONTENT_BYTES = 8_000_000
"""The same with keys and headers. A reader refuses batches twice as large (`kafka_records`), for good."""
_MAGIC, _GZIP = 2, 1
_LEVEL, _GZIP_FRAME = 1, 31


class Message(NamedTuple):
    """A record to be sent in a transaction."""

    topic: str
    value: bytes
    key: bytes
    headers: list[tuple[str, bytes]]


def batches(place: KafkaPartition, messages: Sequence[Message]) -> Iterator[Any]:
    """Batches of kafka-python with all messages of one partition, in their order; one if that is not too large.

    Each is answered as a whole (`produce_future`): it has no futures of its records.
    """
    records = _records(messages)
    if records is not None:
        yield ProducerBatch(place, records)
    else:
        half = len(messages) // 2
        yield from batches(place, messages[:half])
        yield from batches(place, messages[half:])


def _records(messages: Sequence[Message]) -> "_Records | None":
    """The records of one batch; None if they are too many for one. One alone is what the port lets it be."""
    alone = len(messages) == 1
    # Asked first, and of the values alone, as it costs next to nothing: what is far too much is not put together.
    if not alone and sum(len(message.value) for message in messages) > VALUES_BYTES:
        return None
    content = b"".join(piece for offset, message in enumerate(messages) for piece in _record(offset, message))
    if not alone and len(content) > CONTENT_BYTES:
        return None
    records = _Records(content, len(messages))
    return records if alone or records.size_in_bytes() <= BATCH_BYTES else None


def _record(offset: int, message: Message) -> tuple[bytes, bytes, bytes]:
    """A record in Kafka's format, version 2, without a time of its own: what comes before its value, it, and the rest.

    `offset` is counted from the first record of the batch.
    """
    _, value, key, headers = message
    head = bytearray(2)
    encode_varint(offset, head.append)
    _piece(head, key)
    encode_varint(len(value), head.append)
    rest = bytearray()
    encode_varint(len(headers), rest.append)
    for name, item in headers:
        _piece(rest, name.encode())
        _piece(rest, item)
    length = bytearray()
    encode_varint(len(head) + len(value) + len(rest), length.append)
    return bytes(length + head), value, bytes(rest)


def _piece(data: bytearray, piece: bytes) -> None:
    encode_varint(len(piece), data.append)
    data += piece


class _Records(MemoryRecordsBuilder):  # type: ignore[misc]  # kafka-python has no types
    """Records that take no more; the head of their batch is written when it is sent."""

    def __init__(self, content: bytes, count: int) -> None:
        super().__init__(_MAGIC, _GZIP, BATCH_BYTES, offset=count)
        self._builder = _Builder(content, count)

    def append(self, *_: Any) -> None:
        """Another batch must be begun."""


class _Builder(DefaultRecordBatchBuilder):  # type: ignore[misc]  # kafka-python has no types
    """A batch whose records are there already, packed if that makes it smaller."""

    def __init__(self, content: bytes, count: int) -> None:
        super().__init__(_MAGIC, _GZIP, False, -1, -1, -1, BATCH_BYTES)
        packed = isal_zlib.compress(content, _LEVEL, _GZIP_FRAME)
        self._is_packed = len(packed) < len(content)
        self._buffer += packed if self._is_packed else content
        self._num_records = count
        self._last_offset = count - 1
        self._first_timestamp = self._max_timestamp = int(time.time() * 1000)

    def _maybe_compress(self) -> bool:
        return self._is_packed
