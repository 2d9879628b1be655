"""Which partitions a process owns, agreed on through Kafka's group protocol.

kafka-python joins a group inside `poll`, and waits there for the others. So a thread of its own polls: the loop that
asks for its partitions never waits, and goes on with what it has while they are shared out anew. What is claimed is
what the group gave last, as long as its coordinator has been heard of within the session; after that another process
may have it.
"""

import os
import threading
import time
from contextlib import suppress
from typing import Any

import structlog
from kafka import ConsumerRebalanceListener, KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.errors import KafkaError

from shared.faults import point
from shared.log import PARTITIONS, TURNS, LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_options import said
from shared.log.kafka_place import KafkaPlace

SESSION_SECONDS = 6.0
"""A member that is silent for so long loses its partitions; the least that a broker allows by default."""
HEARTBEAT_SECONDS = 1.0
"""So soon a member learns that the group shares its partitions out anew."""
REJOIN_SECONDS = 10.0
"""The group waits so long for its members to join again, and a member for the answer."""
ASKED_SECONDS = 300.0
"""A process that has not asked for its partitions for so long hangs, and leaves the group. A long close asks later."""
GIVE_UP_SECONDS = 7.0
"""Work on partitions that are to be given up before the group decides goes on for so long at most."""
CONNECT_SECONDS = 2.0
RETRY_SECONDS = 1.0
LEAVE_SECONDS = 2.0
CLOSE_SECONDS = 0.5
"""A settled member has left by then; one that waits for the group or a broker is ended."""
TURN_SECONDS = 0.2
"""Between two looks at a group that is settled."""

_NOTHING: frozenset[int] = frozenset()
_logger: Any = structlog.get_logger()


class KafkaMembership:
    """One member of a group. Nothing is started before the first question, and none survives a fork.

    A member whose writes are `fenced` keeps what it has until the group has decided: if a partition goes to another,
    the other's takeover ends what this one writes. One that is not gives everything up before, and the group decides
    after its next question; so its partitions have one owner at a time, unless it was taken for dead.
    """

    def __init__(self, place: KafkaPlace, group: str, member: str, *, fenced: bool = True) -> None:
        """`member` names this process in the reports of the cluster; two of one name are two members."""
        self._topic = place.name(TURNS)
        self._group = place.name(group)
        self._place = place
        self._member = member
        self._fenced = fenced
        self._pid: int | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._answered = threading.Event()
        """Set by a question: whoever asked knows what is claimed since."""
        self._asked = 0.0
        self._client: Any = None
        self._seat: _Seat | None = None
        self._fault: str | None = f"joining the group {self._group}"

    def partitions(self) -> frozenset[int]:
        """The partitions assigned now; empty while no assignment is known to hold. Asks no server."""
        self._asked = time.monotonic()
        if self._pid is None:
            self._start()
        elif self._pid != os.getpid():
            raise RuntimeError("a membership is of one process: ask for partitions after the fork, not before")
        with self._lock:
            seat = self._seat
            self._answered.set()
            return _NOTHING if seat is None or self._closing.is_set() else seat.claimed()

    def fault(self) -> str | None:
        """Why no assignment is known; None while one is, be it of no partition."""
        seat = self._seat
        return self._fault if seat is None else seat.fault(self._fault)

    def close(self) -> None:
        """Leave the group at once, so that others need not wait for the end of the session."""
        self._closing.set()
        self._answered.set()
        if self._thread is None or self._pid != os.getpid():
            return
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive() and self._client is not None:
            _leave(self._client)
            self._thread.join(LEAVE_SECONDS)
        if self._thread.is_alive() and self._client is not None:
            self._client._client.close()  # it waits for a broker that does not answer; this ends every wait
            self._thread.join(LEAVE_SECONDS)
        self._thread = None

    def _start(self) -> None:
        self._pid = os.getpid()
        self._thread = threading.Thread(target=self._run, name=f"membership-{self._group}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._take_part()
            except LogUnavailable as error:
                self._fault = str(error)
            except Exception as error:  # whatever the client ended with, a new one starts anew
                _logger.warning("group left", group=self._group, reason=said(error))
                self._fault = f"the group {self._group} was left: {said(error)}"
            self._closing.wait(RETRY_SECONDS)

    def _take_part(self) -> None:
        """Be a member until the membership is closed, or nobody asks for its partitions."""
        if self._asked_ago() > ASKED_SECONDS:
            return
        consumer = make_client(
            KafkaConsumer,
            self._place,
            group_id=self._group,
            client_id=self._member,
            enable_auto_commit=False,
            allow_auto_create_topics=False,
            partition_assignment_strategy=[RangePartitionAssignor],
            session_timeout_ms=_ms(SESSION_SECONDS),
            heartbeat_interval_ms=_ms(HEARTBEAT_SECONDS),
            max_poll_interval_ms=_ms(REJOIN_SECONDS),
            request_timeout_ms=_ms(REJOIN_SECONDS),
            reconnect_backoff_max_ms=_ms(RETRY_SECONDS),
            metadata_max_age_ms=_ms(REJOIN_SECONDS),
            bootstrap_timeout_ms=_ms(CONNECT_SECONDS),
        )
        self._client = consumer
        seat = _Seat(consumer, self._group, self._topic)
        try:
            # A member that knows no partitions and leads the group would give nobody any.
            self._fault = seat.topic_fault()
            if self._fault is not None:
                return
            consumer.subscribe([self._topic], listener=seat)
            self._fault = f"joining the group {self._group}"
            self._seat = seat
            while not self._closing.is_set():
                if self._asked_ago() > ASKED_SECONDS:
                    self._fault = f"nobody asked for partitions for {ASKED_SECONDS:.0f} seconds"
                    return
                if not self._fenced and seat.must_rejoin():
                    self._give_up(seat)
                seat.poll()
                if not seat.must_rejoin():
                    self._closing.wait(TURN_SECONDS)
        finally:
            self._seat = None
            _leave(consumer)

    def _give_up(self, seat: "_Seat") -> None:
        """Claim nothing any more, and wait until that was heard; not longer than the group waits for this member."""
        with self._lock:
            had = seat.drop()
            self._answered.clear()
        if had:
            self._answered.wait(GIVE_UP_SECONDS)

    def _asked_ago(self) -> float:
        return time.monotonic() - self._asked


class _Seat(ConsumerRebalanceListener):  # type: ignore[misc]
    """What one consumer is assigned, and when the group's coordinator was last known to agree."""

    def __init__(self, consumer: Any, group: str, topic: str) -> None:
        self._consumer = consumer
        self._coordinator: Any = consumer._coordinator
        """The part of the client that keeps the membership; its own poll would fetch records too, and nothing else
        tells whether the session lasts."""
        self._group = group
        self._topic = topic
        self._assigned: frozenset[int] | None = None
        self._agreed = time.monotonic()

    def topic_fault(self) -> str | None:
        """What keeps the topic from being shared; None if nothing does. Asks a broker."""
        found = len(self._consumer.partitions_for_topic(self._topic) or ())
        if found == PARTITIONS:
            return None
        state = f"has {found} partitions, not {PARTITIONS}" if found else "is missing"
        return f"topic {self._topic} {state}: see `warledger topics status`"

    def on_partitions_assigned(self, assigned: Any) -> None:
        """Called on the client's thread: the group has decided."""
        point("log.assigned")
        self._agreed = time.monotonic()
        self._assigned = frozenset(place.partition for place in assigned)
        _logger.info("partitions assigned", group=self._group, partitions=sorted(self._assigned))

    def on_partitions_revoked(self, revoked: Any) -> None:
        """Called on the client's thread before it joins again: what is claimed stays until the group has decided."""

    def on_partitions_lost(self, lost: Any) -> None:
        """Called on the client's thread: the group has put this member out."""
        self.drop()

    def drop(self) -> bool:
        """Claim nothing until the group decides again; True if something was claimed."""
        had, self._assigned = self._assigned, None
        if had:
            _logger.info("partitions given up", group=self._group, partitions=sorted(had))
        return bool(had)

    def claimed(self) -> frozenset[int]:
        """The partitions that nobody else has, as far as can be known here."""
        assigned = self._assigned
        return assigned if assigned and self._lasts() else _NOTHING

    def fault(self, joining: str | None) -> str | None:
        """Why it is not known what the group has decided, `joining` if it has not; None if it is known."""
        if self._assigned is None:
            return joining
        return None if self._lasts() else f"no word from the group {self._group} since its session ended"

    def must_rejoin(self) -> bool:
        """Whether the next poll joins the group again.

        The client forgets that it must when a join for a change of the topic fails, and the change is undone meanwhile:
        it then takes itself for joined, and says nothing to the group any more.
        """
        due = bool(self._coordinator.need_rejoin())
        if not due and (fault := self._lost()) is not None:
            _logger.warning("group joined anew", group=self._group, reason=fault)
            self._coordinator.request_rejoin()
            return True
        return due

    def poll(self) -> None:
        """Let the client join, join again, or see that all is well. Raises what the client ends with."""
        # A join that ends between two polls is thrown away, and begun again by all: so it is waited for to its end.
        joins = self.must_rejoin()
        if joins:
            point("log.joining")
        self._coordinator.poll(timeout_ms=_ms(REJOIN_SECONDS) if joins else 0)

    def _lost(self) -> str | None:
        """Why a client that sees no need to join is no member; None if it is one, for all that is known."""
        if not self._coordinator.stable():
            return "a join has ended without success"
        heard = max(self._agreed, self._coordinator.heartbeat.last_receive)
        silent = time.monotonic() - heard
        return f"no word for {silent:.0f} seconds" if silent > SESSION_SECONDS + REJOIN_SECONDS else None

    def _lasts(self) -> bool:
        """Whether the coordinator has agreed within the session, counted from when it was asked.

        An answer that lay waiting while this process was stopped tells of the time before. While the group shares out
        anew there are no heartbeats: it waits for its members so long.
        """
        heartbeat = self._coordinator.heartbeat
        if heartbeat.last_receive >= heartbeat.last_send:
            self._agreed = max(self._agreed, heartbeat.last_send)
        lasts = SESSION_SECONDS + (REJOIN_SECONDS if self._coordinator.rebalance_in_progress() else 0.0)
        return time.monotonic() - self._agreed <= lasts


def _leave(consumer: Any) -> None:
    """Leave the group and end the client. What that fails with matters to nobody: the session ends by itself."""
    with suppress(KafkaError, RuntimeError, OSError):
        consumer.close(autocommit=False, timeout_ms=_ms(LEAVE_SECONDS))


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
