"""Appending to input topics through one idempotent producer, that is thrown away when it has failed.

A batch that kafka-python (3.0) gives up after it was sent leaves the producer without an id for ever, and one that it
keeps may be delivered when nobody waits for it any more. So after any failure the producer goes, with all that it
holds, and the next call makes another.
"""

import functools
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kafka import KafkaProducer
from kafka.errors import KafkaError

from shared.log import INPUT_TOPICS, AppendUnknown, Coordinates, Draft, LogUnavailable, partition_of
from shared.log.kafka_client import make_client
from shared.log.kafka_options import CARRYING, said
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.kafka_waiting import discard
from shared.log.limits import require_input_topic, require_size
from shared.signing import Signer

WAITING_BYTES = 64_000_000
"""Drafts of this size may wait for the broker at a time, in one process; more are refused at once."""
REQUEST_BYTES = 4_000_000
BATCH_BYTES = 256_000
RETRY_MS = 20
CHECK_SECONDS = 2.0

_partition_of = functools.lru_cache(maxsize=65_536)(partition_of)


class InputWriter:
    """Appends to the input topics for all threads of one process.

    While the broker is known to be away one caller at a time tries it, all others are refused at once.
    """

    def __init__(self, place: KafkaPlace, signer: Signer, patience: float) -> None:
        self._place = place
        self._signer = signer
        self._patience = patience
        self._producer: Any = None
        self._sought_in_vain = 0
        """How often no broker was found."""
        self._making = threading.Lock()
        self._trying = threading.Lock()
        self._away: str | None = None
        """Why the last call failed; None once one has succeeded since."""
        self._room = threading.Lock()
        self._waiting_bytes = 0

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        """Append drafts, each to the partition of its key. Raises TooLarge, LogUnavailable or AppendUnknown."""
        require_input_topic(topic)
        size = require_size(drafts)
        with self._space(size), self._attempt():
            return self._write([(topic, _partition_of(draft.key), draft) for draft in drafts])

    def tick(self, partition: int, topics: Sequence[str]) -> None:
        """Append a record without key and value to the partition of each topic. Raises LogUnavailable."""
        for topic in topics:
            require_input_topic(topic)
        with self._attempt():
            self._write([(topic, partition, _TICK) for topic in topics])

    def check(self) -> None:
        """Ask the brokers what topics there are. Raises LogUnavailable if none answers within two seconds.

        What comes of it is no news for callers that append: a slow answer to this one refuses none of them.
        """
        answered = threading.Event()
        asked = self._connected()._metadata.request_update()
        asked.add_both(lambda *_: answered.set())
        if not answered.wait(CHECK_SECONDS):
            raise LogUnavailable(f"no Kafka broker answers at {', '.join(self._place.brokers)}")
        if asked.failed():
            raise LogUnavailable(f"Kafka does not answer: {said(asked.exception)}")

    def close(self) -> None:
        """Nothing is sent any more."""
        producer, self._producer = self._producer, None
        if producer is not None:
            discard(producer)

    @contextmanager
    def _space(self, size: int) -> Iterator[None]:
        with self._room:
            if self._waiting_bytes and self._waiting_bytes + size > WAITING_BYTES:
                raise LogUnavailable(f"{self._waiting_bytes:,} bytes wait for Kafka already")
            self._waiting_bytes += size
        try:
            yield
        finally:
            with self._room:
                self._waiting_bytes -= size

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """A call to the broker; what comes of it tells the next callers whether it is away."""
        tried_alone = self._away is not None
        if tried_alone and not self._trying.acquire(blocking=False):
            raise LogUnavailable(self._away or "Kafka is away")
        try:
            yield
            self._away = None
        except LogUnavailable as error:
            self._away = str(error)
            raise
        finally:
            if tried_alone:
                self._trying.release()

    def _write(self, records: Sequence[tuple[str, int, Draft]]) -> list[Coordinates]:
        deadline = time.monotonic() + self._patience
        producer = self._connected()
        try:
            futures = [
                producer.send(
                    self._place.name(topic),
                    draft.value,
                    draft.key.encode(),
                    [*((name, item.encode()) for name, item in draft.headers.items()), self._signature(draft)],
                    partition,
                )
                for topic, partition, draft in records
            ]
        except Exception as error:
            # Some may be on their way, if there are some.
            self._give_up(producer)
            raise _failure(error, sent=len(records) > 1) from error
        try:
            found = [future.get(max(0.0, deadline - time.monotonic())) for future in futures]
        except Exception as error:
            self._give_up(producer)
            raise _failure(error, sent=True) from error
        if any(item.offset < 0 for item in found):
            raise AppendUnknown("a broker did not say where a record stands")
        return [
            Coordinates(topic, partition, item.offset, item.timestamp)
            for (topic, partition, _), item in zip(records, found, strict=True)
        ]

    def _signature(self, draft: Draft) -> tuple[str, bytes]:
        return SIGNATURE_HEADER, self._signer.sign(draft.value).encode()

    def _connected(self) -> Any:
        producer = self._producer
        if producer is not None:
            return producer
        sought = self._sought_in_vain
        with self._making:
            if self._producer is None:
                if self._sought_in_vain != sought:
                    # Whoever waited for another's search has its answer; they would search one after the other.
                    raise LogUnavailable(f"no Kafka broker answers at {', '.join(self._place.brokers)}")
                self._producer = self._made()
            return self._producer

    def _made(self) -> Any:
        try:
            return make_client(
                KafkaProducer,
                self._place,
                topics=map(self._place.name, INPUT_TOPICS),
                **input_options(self._patience),
            )
        except LogUnavailable:
            self._sought_in_vain += 1
            raise

    def _give_up(self, producer: Any) -> None:
        with self._making:
            if self._producer is producer:
                self._producer = None
        discard(producer)


_TICK = Draft("", b"", {})


def input_options(patience: float) -> dict[str, Any]:
    """A producer whose every wait ends within `patience` seconds."""
    return {
        **CARRYING,
        "enable_idempotence": True,
        "acks": "all",
        "linger_ms": 0,
        "batch_size": BATCH_BYTES,
        "max_request_size": REQUEST_BYTES,
        "max_block_ms": round(patience * 1000),
        "delivery_timeout_ms": round(patience * 1000),
        # A connection that went silent is given up in time for a second try on another.
        "request_timeout_ms": round(patience * 500),
        "retry_backoff_ms": RETRY_MS,
    }


def _failure(error: Exception, *, sent: bool) -> LogUnavailable:
    if not isinstance(error, KafkaError):
        return AppendUnknown(f"Kafka's client failed: {said(error)}")
    return (AppendUnknown if sent else LogUnavailable)(f"Kafka has not acknowledged it: {said(error)}")
