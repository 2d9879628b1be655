"""Judgements written through the Kafka log against bare kafka-python with the same judgements, each a record.

Both sides wait for all replicas and are idempotent. Ours writes in transactions, each as large as a full poll of the
resolver makes it. What is written is made before the clock starts: records that are packed here, JSON there; one row
has the JSON of both inside the clock.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from kafka import KafkaProducer

from services.resolver.outcome import drafts
from services.resolver.settings import Pace
from shared.events import HOST, JournalEvent, Submitted, event_type
from shared.log import INPUT_TOPICS, START, TURNS, Draft, LogUnavailable, Outcome, Ownership, partition_of
from shared.log.kafka import KafkaLog
from shared.log.kafka_batches import BATCH_BYTES
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_topics import apply
from tests.bench.rows import ratios

GAME = "gxc-1"
PARTITION = partition_of(GAME)
PLAYERS = 10_000
COMMITS = 5
A_COMMIT = Pace().poll_records
"""Judgements of one transaction."""
ONE_BY_ONE = 300
"""Judgements that the bare side sends one after the other, each when the one before it is acknowledged."""
WARM_UPS = 8
"""A broker that has just started takes ten times as long for its first transactions as for the hundredth."""
_AT = 1_800_000_000_000
_MARKS = dict.fromkeys(INPUT_TOPICS, START)
_ACCEPTED = event_type(HOST, "input.accepted")

Judgement = list[JournalEvent]
Send = Callable[[bytes], Any]


class Race(NamedTuple):
    """Ratios of judgements a second: ours through what the name says."""

    each: list[float]
    """`send().get()` of one after the other."""
    together: list[float]
    """`send()` of all, then one wait."""
    made: list[float]
    """The same with the JSON of both sides made inside the clock."""
    note: str


def race(place: KafkaPlace, bare: KafkaPlace, runs: int) -> Race:
    """Write the same judgements in all ways; the places are two shares of one cluster."""
    apply(place)
    apply(bare)
    judged = [[judgement(commit * A_COMMIT + index) for index in range(A_COMMIT)] for commit in range(COMMITS)]
    packed = [_packed(commit) for commit in judged]
    singly = [_single(item) for commit in judged for item in commit]
    log = KafkaLog(place)
    owner = _owned(log)

    def ours() -> float:
        return _rate(lambda: [owner.commit(Outcome(records, (), (), _MARKS)) for records in packed])

    def ours_made() -> float:
        return _rate(lambda: [owner.commit(Outcome(_packed(commit), (), (), _MARKS)) for commit in judged])

    try:
        with _producer(bare) as send:

            def each() -> float:
                return _rate(lambda: [send(value).get(10) for value in singly[:ONE_BY_ONE]], ONE_BY_ONE)

            def together() -> float:
                return _rate(lambda: _settled([send(value) for value in singly]))

            def made() -> float:
                return _rate(lambda: _settled([send(_single(item)) for commit in judged for item in commit]))

            for _ in range(WARM_UPS):
                for warm_up in (ours, each, together):
                    warm_up()
            found = (ratios(ours, each, runs), ratios(ours, together, runs), ratios(ours_made, made, runs))
            return Race(*found, f"{ours():,.0f}/s against {together():,.0f}/s")
    finally:
        owner.release()
        log.close()


def _rate(work: Callable[[], object], count: int = COMMITS * A_COMMIT) -> float:
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def _packed(commit: list[Judgement]) -> list[Draft]:
    return drafts(TURNS, GAME, [event for item in commit for event in item])


def _single(item: Judgement) -> bytes:
    return b"[" + b",".join(event.line() for event in item) + b"]"


def _settled(futures: list[Any]) -> None:
    for future in futures:
        future.get(60)


def _owned(log: KafkaLog) -> Ownership:
    """A new broker makes its own topic of transactions first, which may take longer than a call waits."""
    for _ in range(9):
        with suppress(LogUnavailable):
            return log.own(PARTITION, "bench")
    return log.own(PARTITION, "bench")


@contextmanager
def _producer(place: KafkaPlace) -> Iterator[Send]:
    """Sends a value to one partition of a topic, with the promises of our own producer.

    Its batches are as large as a topic takes them: half as fast again as with 256,000 bytes. Packed, by gzip or lz4, or
    with a linger it is slower.
    """
    producer: Any = KafkaProducer(
        **place.options(), acks="all", enable_idempotence=True, linger_ms=0, batch_size=BATCH_BYTES
    )
    topic, key = place.name(TURNS), GAME.encode()
    try:
        yield lambda value: producer.send(topic, value, key, partition=PARTITION)
    finally:
        producer.close()


def judgement(number: int) -> Judgement:
    """An order accepted, and what it changed: three events, as the rules of GXC make them."""
    player, n = f"player-{number % PLAYERS}", number * 3
    attack = {"energy": number % 60, "target": f"territory-{number % 1000:03}"}
    payload = {"attack": attack, "defend": number % 10, "move_to": None}
    submitted = Submitted(f"{number:032x}", GAME, player, "player", "set_order", payload, "5" * 32)
    given = {
        "actor": player,
        "game": GAME,
        "id": submitted.id,
        "payload": payload,
        "role": "player",
        "salt": submitted.salt,
        "type": "set_order",
    }
    judged = {"at": _AT + number, "hash": submitted.hash(), "input": given, "seq": number + 1}
    order = {**payload, "player": player, "team": f"team-{number % 6}"}
    return [
        JournalEvent(n + 1, _ACCEPTED, judged, (f"player:{player}",)),
        JournalEvent(n + 2, "warledger.gxc.order_set.v1", order, (f"team:team-{number % 6}",)),
        JournalEvent(n + 3, "warledger.gxc.order_numbered.v1", {"player": player, "seq": number + 1}, ()),
    ]
