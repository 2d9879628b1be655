"""Records that no service of ours wrote, put into Kafka's topics past the port: read as forged, stopping nobody."""

from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.record.default_records import DefaultRecordBatch
from kafka.record.util import calc_crc32c

from shared.log import INPUT_TOPICS, START, TURNS, LogDamaged, Mark, TopicPartition
from shared.log.kafka import KafkaLog
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.reading import ends, stretch
from tests.contract.kafka_house import KafkaFixtures, KafkaHouse
from tests.contract.log_house import draft, eventually, key_in, marks_at, outcome, poll_until, read_exactly, values

pytestmark = pytest.mark.servers

ORDERS = TopicPartition("orders", 2)
JOURNAL = TopicPartition(TURNS, 2)
_CHECKSUM, _CHECKED = slice(17, 21), 21
_OFFSET = DefaultRecordBatch.HEADER_STRUCT.size + 3
"""Where a batch holds its checksum, what that is over, and the offset of its first record."""


class TestKafkaStrangers(KafkaFixtures):
    def test_what_nobody_of_ours_wrote_is_read_without_a_signer(self, house: KafkaHouse, log: KafkaLog) -> None:
        signature = (SIGNATURE_HEADER, house.signer("orders").sign(b"true").encode())
        strangers: list[tuple[bytes | None, bytes | None, list[tuple[str, bytes]]]] = [
            (None, b"no key", []),
            (None, b"true", [signature]),
            (b"g", None, [signature]),
            (b"\xff\xfe", b"true", [signature]),
            (b"g", b"true", [signature, ("traceparent", b"\xff")]),
            (b"g", b"false", [signature]),
            (b"g", b"true", [(SIGNATURE_HEADER, b"orders")]),
            (b"g", b"true", [(SIGNATURE_HEADER, b"\xff:\xff")]),
            (b"g", b"true", [(SIGNATURE_HEADER, b"nobody:00")]),
            (b"g", b"", [(SIGNATURE_HEADER, b"ticks:00")]),
        ]
        for stranger in strangers:
            house.put(ORDERS, *stranger)
        log.append("orders", [draft(key_in(2), "ours")])
        *found, last = read_exactly(log, {ORDERS: START}, len(strangers) + 1)
        assert [record.signer for record in found] == [None] * len(strangers)
        assert not any(record.tick for record in found)
        assert (last.value, last.signer) == (b"ours", "orders")

    def test_a_signed_record_is_signed_whatever_stands_beside_the_signature(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        # The signature is over the value, which holds all that is judged; headers are envelope.
        signature = (SIGNATURE_HEADER, house.signer("orders").sign(b"true").encode())
        house.put(ORDERS, b"g", b"true", [("extra", b"1"), signature])
        (record,) = read_exactly(log, {ORDERS: START}, 1)
        assert (record.signer, dict(record.headers)) == ("orders", {"extra": "1"})

    def test_a_time_that_a_client_claims_is_not_taken(self, house: KafkaHouse, log: KafkaLog) -> None:
        producer = KafkaProducer(**house.place.options())
        future = 4_000_000_000_000
        producer.send(house.place.name("orders"), b"late", b"g", partition=2, timestamp_ms=future).get(10)
        producer.close()
        (place,) = log.append("orders", [draft(key_in(2), "ours")])
        first, second = read_exactly(log, {ORDERS: START}, 2)
        assert first.at <= second.at == place.at < future

    def test_a_time_that_no_broker_set_moves_nothing_whoever_signed_the_record(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        """The signature does not cover the time, so a copy of a genuine record may have any."""
        (before,) = log.append("orders", [draft(key_in(2), "true")])
        admin = KafkaAdminClient(**house.place.options())
        unset = {"message.timestamp.type": "CreateTime"}
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, house.place.name("orders"), unset)])
        admin.close()
        signature = (SIGNATURE_HEADER, house.signer("orders").sign(b"true").encode())
        producer = KafkaProducer(**house.place.options())

        def copied() -> bool:
            """Whether the broker takes the time of a copy already; it hears of the setting a moment later."""
            future = before.at + 3_000_000
            sent = producer.send(house.place.name("orders"), b"true", b"g", [signature], 2, future).get(10)
            return bool(sent.timestamp == future)

        eventually(copied)
        producer.close()
        records = list(stretch(log, ORDERS, START, ends(log, [ORDERS])[ORDERS]))
        assert records[-1].signer == "orders"
        assert before.at <= records[-1].at < before.at + 3_000_000

    def test_what_stands_without_key_in_the_journal_is_of_no_game_and_stops_nobody(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        owner = log.own(2, "first")
        owner.commit(outcome(1, [draft("g", "first")]))
        house.put(JOURNAL, None, b"garbage", [])
        end = owner.commit(outcome(2, [draft("g", "second")]))
        assert values(read_exactly(log, {JOURNAL: START}, 2)) == ["first", "second"]
        eventually(lambda: ends(log, [JOURNAL]) == {JOURNAL: end})
        assert values(stretch(log, JOURNAL, START, end)) == ["first", "second"]
        assert log.own(2, "second").marks() == marks_at(2, 2)

    def test_a_packed_batch_of_a_stranger_is_read_like_any_other(self, house: KafkaHouse, log: KafkaLog) -> None:
        producer = KafkaProducer(**house.place.options(), compression_type="gzip", linger_ms=50)
        sent = [producer.send(house.place.name("votes"), b"x" * 900, b"g", partition=2) for _ in range(20)]
        assert [future.get(10).offset for future in sent] == list(range(20))
        producer.close()
        log.append("votes", [draft(key_in(2), "ours")])
        found = read_exactly(log, {TopicPartition("votes", 2): START}, 21)
        assert [record.signer for record in found] == [None] * 20 + ["orders"]

    def test_an_outcome_without_records_is_passed_and_never_handed_out(self, log: KafkaLog) -> None:
        owner = log.own(2, "first")
        owner.commit(outcome(1, [draft("g", "first")]))
        for number in range(2, 12):
            end = owner.commit(outcome(number))
        reader = log.reader()
        reader.assign({JOURNAL: START})
        found = poll_until(reader, 1)
        while reader.position(JOURNAL) < end:
            found += reader.poll(1.0)
        assert values(found) == ["first"]
        owner.commit(outcome(12, [draft("g", "last")]))
        assert values(poll_until(reader, 1)) == ["last"]
        reader.close()

    def test_the_times_of_a_poll_are_those_that_the_marks_carry_on(self, house: KafkaHouse, log: KafkaLog) -> None:
        house.forge(ORDERS, draft("g", "forged"))
        log.append("orders", [draft(key_in(2), "ours")])
        first, second = read_exactly(log, {ORDERS: START}, 2)
        assert read_exactly(log, {ORDERS: Mark(first.offset + 1, first.at)}, 1) == [second]
        assert {topic: log.marks(2)[topic] for topic in INPUT_TOPICS} == dict.fromkeys(INPUT_TOPICS, START)

    @pytest.mark.parametrize("marks", [b"{", b"[]", b'{"orders":[1,1]}', b'{"orders":1,"trades":1,"votes":1}'])
    def test_marks_that_cannot_be_read_are_damage_to_their_partition(
        self, house: KafkaHouse, log: KafkaLog, marks: bytes
    ) -> None:
        log.own(2, "first").commit(outcome(1, [draft("g")]))
        house.put(JOURNAL, b"g", b"{}", [("marks", marks)])
        with pytest.raises(LogDamaged, match="turns, partition 2") as told:
            log.own(2, "second")
        assert told.value.places == (JOURNAL,)

    def test_an_offset_that_a_record_claims_for_itself_moves_no_mark(self, house: KafkaHouse, log: KafkaLog) -> None:
        """The broker counts the records of a plain batch, and takes what is written in each for its own offset."""
        producer = KafkaProducer(**house.place.options(), enable_idempotence=False)
        asked = producer._sender._produce_request

        def claiming(*given: Any) -> Any:
            request = asked(*given)
            [piece] = request.topic_data[0].partition_data
            data = bytearray(piece.records)
            assert data[_OFFSET] == 0
            data[_OFFSET] = 2 * 50
            data[_CHECKSUM] = calc_crc32c(memoryview(data)[_CHECKED:]).to_bytes(4, "big")
            piece.records = bytes(data)
            return request

        producer._sender._produce_request = claiming
        assert producer.send(house.place.name("orders"), b"true", b"g", partition=2).get(10).offset == 0
        producer.close()
        log.append("orders", [draft(key_in(2), "ours")])
        found = read_exactly(log, {ORDERS: START}, 2)
        assert [(record.offset, record.signer) for record in found] == [(0, None), (1, "orders")]
