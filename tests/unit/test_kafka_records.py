"""Kafka's batches are read to the record, whatever is in them; what cannot be read in an input topic stops nobody."""

import functools
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from kafka.record import MemoryRecords
from kafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder
from kafka.record.util import calc_crc32c
from kafka.structs import TopicPartition

from shared.log.kafka_records import Raw, Unreadable, batches_of

INPUTS = TopicPartition("orders", 3)
JOURNAL = TopicPartition("turns", 3)
LENIENT = frozenset({INPUTS.topic})
TIME = 1_700_000_000_000
_CRC = slice(17, 21)
_ATTRIBUTES = 21
_RECORDS = DefaultRecordBatch.HEADER_STRUCT.size


class Written(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


def batch(records: Sequence[Written], compression: int = 0) -> bytearray:
    """A batch as a producer makes it."""
    builder = DefaultRecordBatchBuilder(2, compression, False, -1, -1, -1, 1_000_000)
    for offset, record in enumerate(records):
        builder.append(offset, TIME + offset, record.key, record.value, list(record.headers))
    return bytearray(builder.build())


def sealed(data: bytearray) -> bytes:
    """The batch with the checksum that belongs to what is in it now."""
    data[8:12] = (len(data) - 12).to_bytes(4, "big")
    data[_CRC] = calc_crc32c(memoryview(data)[_ATTRIBUTES:]).to_bytes(4, "big")
    return bytes(data)


def read(data: bytes, place: Any = INPUTS, start: int = 0) -> list[Raw]:
    """What a fetcher gives of fetched data, and that it stands behind them all then."""
    records = batches_of(LENIENT)(start, place, MemoryRecords(data))
    found: list[Raw] = records.take()
    last = list(MemoryRecords(data))[-1]
    assert records.next_fetch_offset == last.next_offset
    return found


def test_every_field_is_read_as_it_was_written() -> None:
    headers = (("name", b"\xff\0"), ("empty", b""), ("none", None))
    written = [Written(b"k" * 200, b"v" * 70_000, headers), Written(b"", b""), Written(None, None)]
    found = read(sealed(batch(written)))
    assert found == [
        Raw(0, TIME, False, b"k" * 200, b"v" * 70_000, ((b"name", b"\xff\0"), (b"empty", b""), (b"none", None))),
        Raw(1, TIME + 1, False, b"", b"", ()),
        Raw(2, TIME + 2, False, None, None, ()),
    ]


def test_the_time_that_the_broker_set_is_the_time_of_all() -> None:
    data = batch([Written(b"k", b"1"), Written(b"k", b"2")])
    data[_ATTRIBUTES + 1] |= DefaultRecordBatch.TIMESTAMP_TYPE_MASK
    assert [(raw.timestamp, raw.stamped) for raw in read(sealed(data))] == [(TIME + 1, True)] * 2


def test_reading_begins_in_the_middle_of_a_batch() -> None:
    data = sealed(batch([Written(b"k", str(number).encode()) for number in range(5)]))
    assert [raw.value for raw in read(data, start=3)] == [b"3", b"4"]


def test_a_header_whose_name_is_no_text_is_read() -> None:
    data = batch([Written(b"k", b"v", (("zz", b"x"),)), Written(b"k", b"after")])
    at = data.index(b"zz")
    data[at : at + 2] = b"\xff\xfe"
    found = read(sealed(data))
    assert [(raw.value, raw.headers) for raw in found] == [(b"v", ((b"\xff\xfe", b"x"),)), (b"after", ())]


def test_a_batch_packed_with_gzip_is_read() -> None:
    written = [Written(b"k", b"x" * 5_000), Written(b"k", b"y" * 5_000)]
    assert [raw.value for raw in read(sealed(batch(written, DefaultRecordBatch.CODEC_GZIP)))] == [
        b"x" * 5_000,
        b"y" * 5_000,
    ]


@functools.cache
def broken() -> dict[str, bytes]:
    """Batches of three records, followed by a good one, by what is wrong with them."""
    unknown = batch([Written(b"k", b"1"), Written(b"k", b"2"), Written(b"k", b"3")])
    unknown[_ATTRIBUTES + 1] |= DefaultRecordBatch.CODEC_SNAPPY
    garbled = batch([Written(b"k", b"1"), Written(b"k", b"2"), Written(b"k", b"3")])
    garbled[_RECORDS:] = b"\x7f" * (len(garbled) - _RECORDS)
    endless = batch([Written(b"k", b"1"), Written(b"k", b"2"), Written(b"k", b"3")])
    endless[_RECORDS:] = b"\xff" * (len(endless) - _RECORDS)
    ahead = batch([Written(b"k", b"1"), Written(b"k", b"2"), Written(b"k", b"3")])
    ahead[_RECORDS + 3] = 2 * 50  # 50 offsets into a batch of three
    bomb = batch([Written(b"k", b"1"), Written(b"k", b"2"), Written(b"k", b"3")])
    packing = zlib.compressobj(wbits=31)
    bomb[_RECORDS:] = packing.compress(bytes(16_100_000)) + packing.flush()
    bomb[_ATTRIBUTES + 1] |= DefaultRecordBatch.CODEC_GZIP
    return {
        "unknown codec": sealed(unknown),
        "garbled": sealed(garbled),
        "endless": sealed(endless),
        "ahead of its batch": sealed(ahead),
        "bomb": sealed(bomb),
    }


@pytest.mark.parametrize("what", sorted(broken()))
def test_what_cannot_be_read_in_an_input_topic_is_one_record_that_says_nothing(what: str) -> None:
    good = bytearray(sealed(batch([Written(b"k", b"good")])))
    good[:8] = (3).to_bytes(8, "big")
    first, last = read(broken()[what] + bytes(good))
    assert (first.offset, first.key, first.value, first.headers) == (0, None, None, ())
    assert (last.offset, last.value) == (3, b"good")


@pytest.mark.parametrize("what", sorted(broken()))
def test_what_cannot_be_read_in_the_journal_is_damage_to_its_partition(what: str) -> None:
    with pytest.raises(Unreadable, match="turns, partition 3, offset 0") as told:
        read(broken()[what], JOURNAL)
    assert told.value.place == ("turns", 3)


@pytest.mark.parametrize("place", [INPUTS, JOURNAL])
def test_a_checksum_that_does_not_hold_is_damage_everywhere(place: Any) -> None:
    data = bytearray(sealed(batch([Written(b"k", b"value")])))
    data[-3] ^= 1
    with pytest.raises(Unreadable, match="checksum"):
        read(bytes(data), place)


def test_records_before_one_that_cannot_be_read_are_given() -> None:
    data = batch([Written(b"k", b"first"), Written(b"k", b"second"), Written(b"k", b"third")])
    at = data.index(b"second")
    data[at - 1] = 0x7F  # the length of the value, far too long
    found = read(sealed(data))
    assert [(raw.offset, raw.value) for raw in found] == [(0, b"first"), (1, None)]


@pytest.mark.parametrize("further", [0, -5, 2, 1_000])
def test_a_record_that_claims_an_offset_which_is_not_its_own_moves_no_reader(further: int) -> None:
    data = batch([Written(b"k", b"first"), Written(b"k", b"second")])
    at = data.index(b"second") - 4  # behind it: two bytes of the key, one that holds the length of the value
    assert data[at] == 2
    encoded = (further << 1) ^ (further >> 63)
    if encoded < 0x80:
        data[at] = encoded
    else:
        data[at : at + 1] = bytes([encoded & 0x7F | 0x80, encoded >> 7])
        data[at - 3] += 2
    found = read(sealed(data))
    assert [(raw.offset, raw.value) for raw in found] == [(0, b"first"), (1, None)]
