"""What somebody puts into the input topics who has a client of Kafka and nothing else: forged, copied, unreadable."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from kafka import KafkaConsumer, KafkaProducer
from kafka.structs import TopicPartition as KafkaPartition

from services.resolver.admission import FORGED, UNREADABLE
from shared.canonical import canonical
from shared.events import Submitted
from shared.log import INPUT_TOPICS, PARTITIONS, partition_of
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.signing import Signer
from warledger.demo.installation import Installation

Header = tuple[str, bytes]


class Raw(NamedTuple):
    """A record as Kafka has it."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    headers: list[Header]


@dataclass(frozen=True)
class Stranger:
    """A plain client of the cluster that an installation uses, and keys of it that were stolen."""

    house: Installation
    place: KafkaPlace
    producer: Any
    game: str
    other: str
    """Another game, in another partition."""
    actor: str
    victim: str
    """Accounts of two players of the game."""

    @classmethod
    @contextmanager
    def at(cls, house: Installation, games: tuple[str, str], players: Iterable[str]) -> Iterator[Self]:
        """At the cluster of this installation."""
        place = parse_place(house.environment["WARLEDGER_LOG"])
        # As a retrying producer without idempotence is: what it sends again stands there twice.
        producer = make_client(KafkaProducer, place, acks="all", enable_idempotence=False, max_request_size=4_000_000)
        actor, victim, *_ = players
        try:
            yield cls(house, place, producer, *games, actor, victim)
        finally:
            producer.close()

    def put(self, records: Iterable[Raw]) -> list[tuple[str, int, int]]:
        """Append them as they are; returns where each stands: topic, partition, offset."""
        sent = [
            self.producer.send(self.place.name(item.topic), item.value, item.key, item.headers, item.partition)
            for item in records
        ]
        found = [future.get(30) for future in sent]
        prefix = len(self.place.name(""))
        return [(item.topic[prefix:], item.partition, item.offset) for item in found]

    def standing(self) -> list[Raw]:
        """Everything that stands in the input topics."""
        consumer = make_client(KafkaConsumer, self.place, auto_offset_reset="earliest", enable_auto_commit=False)
        names = {self.place.name(topic): topic for topic in INPUT_TOPICS}
        places = [KafkaPartition(name, number) for name in names for number in range(PARTITIONS)]
        ends = consumer.end_offsets(places)
        consumer.assign(places)
        found: list[Raw] = []
        while any(consumer.position(place) < ends[place] for place in places):
            for records in consumer.poll(1_000).values():
                found += [
                    Raw(names[item.topic], item.partition, item.key, item.value, list(item.headers)) for item in records
                ]
        consumer.close()
        return found

    def order(self, **changes: Any) -> Submitted:
        """An order that the victim never gave."""
        payload = {"attack": {"target": "elmgate", "energy": 3}}
        made = Submitted("f" * 32, self.game, self.victim, "player", "set_order", payload, "5" * 32)
        return replace(made, **changes)

    def sign(self, value: bytes, service: str = "orders") -> list[Header]:
        """With a key of the installation."""
        signature = Signer(service, self.house.settings.key(service)).sign(value)
        return [(SIGNATURE_HEADER, signature.encode())]

    def raw(self, value: bytes | None, headers: list[Header], topic: str = "orders") -> Raw:
        return Raw(topic, partition_of(self.game), self.game.encode(), value, headers)


def unsigned(by: Stranger) -> Raw:
    return by.raw(by.order().value(), [])


def a_signature_of_nothing(by: Stranger) -> Raw:
    return by.raw(by.order().value(), [(SIGNATURE_HEADER, b"orders:" + b"ab" * 32)])


def another_actor(by: Stranger) -> Raw:
    own = by.order(actor=by.actor)
    return by.raw(replace(own, actor=by.victim).value(), by.sign(own.value()))


def another_role(by: Stranger) -> Raw:
    own = by.order(actor=by.actor)
    closing = replace(own, role="operator", type="close_turn", payload={"turn": 1})
    return by.raw(closing.value(), by.sign(own.value()))


def another_service(by: Stranger) -> Raw:
    value = by.order().value()
    return by.raw(value, by.sign(value, "polls"))


def another_topic(by: Stranger) -> Raw:
    value = by.order().value()
    return by.raw(value, by.sign(value), "votes")


def another_game_inside(by: Stranger) -> Raw:
    own = by.order()
    return by.raw(replace(own, game=by.other).value(), by.sign(own.value()))


def a_genuine_value_under_the_key_of_another_game(by: Stranger) -> Raw:
    value = by.order(game=by.other).value()
    return by.raw(value, by.sign(value))


def a_genuine_value_in_the_partition_of_another_game(by: Stranger) -> Raw:
    value = by.order().value()
    return by.raw(value, by.sign(value))._replace(partition=partition_of(by.other))


def an_order_with_the_signature_of_a_tick(by: Stranger) -> Raw:
    return by.raw(by.order().value(), by.sign(b"", "ticks"))


def a_tick_with_a_value(by: Stranger) -> Raw:
    return by.raw(by.order().value(), by.sign(b"", "ticks"))._replace(key=b"")


def no_value(by: Stranger) -> Raw:
    return by.raw(None, by.sign(b""))


def no_key(by: Stranger) -> Raw:
    value = by.order().value()
    return by.raw(value, by.sign(value))._replace(key=None)


def a_key_that_is_no_text(by: Stranger) -> Raw:
    value = by.order().value()
    return by.raw(value, by.sign(value))._replace(key=b"\xff\xfe")


def nothing_at_all(by: Stranger) -> Raw:
    return by.raw(b"", [])._replace(key=None)


def huge_headers(by: Stranger) -> Raw:
    return by.raw(by.order().value(), [("x" * 1_000, b"y" * 300_000) for _ in range(3)])


def headers_that_are_no_text(by: Stranger) -> Raw:
    return by.raw(by.order().value(), [(SIGNATURE_HEADER, b"\xff\xfe"), ("traceparent", b"\x00")])


def no_json(by: Stranger) -> Raw:
    return by.raw(b"attack!", by.sign(b"attack!"))


def json_that_is_no_input(by: Stranger) -> Raw:
    value = canonical({"type": "set_order"})
    return by.raw(value, by.sign(value))


def an_input_of_the_clock(by: Stranger) -> Raw:
    value = by.order(role="clock", actor="clock", type="close_turn", payload={"turn": 1}).value()
    return by.raw(value, by.sign(value))


FORGERIES: Mapping[Callable[[Stranger], Raw], str] = {
    **dict.fromkeys(
        (
            unsigned,
            a_signature_of_nothing,
            another_actor,
            another_role,
            another_service,
            another_topic,
            another_game_inside,
            a_genuine_value_under_the_key_of_another_game,
            a_genuine_value_in_the_partition_of_another_game,
            an_order_with_the_signature_of_a_tick,
            a_tick_with_a_value,
            no_value,
            no_key,
            a_key_that_is_no_text,
            nothing_at_all,
            huge_headers,
            headers_that_are_no_text,
        ),
        FORGED,
    ),
    **dict.fromkeys((no_json, json_that_is_no_input, an_input_of_the_clock), UNREADABLE),
}
"""Forgery -> the reason of its dead letter."""


def is_tick(record: Raw) -> bool:
    """Whether a record bears the name of the ticks."""
    return any(name == SIGNATURE_HEADER and item.startswith(b"ticks:") for name, item in record.headers)
