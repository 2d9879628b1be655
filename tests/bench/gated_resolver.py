"""A resolver that reads no input before a file is there: `python -m tests.bench.gated_resolver`, with its path in GATE.

So several have joined their group and taken over their partitions before any of them judges.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from services.resolver.bootstrap import services
from services.resolver.loop import Resolver
from shared.collection import make_rare
from shared.config import Settings
from shared.health import HealthServer
from shared.log import Log, Mark, Reader, Record, TopicPartition
from shared.starting import start

GATE = "GATE"


class _GatedReader:
    """Finds nothing before the gate is open."""

    def __init__(self, reader: Reader, gate: Path) -> None:
        self._reader = reader
        self._gate = gate
        self._open = False

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        self._reader.assign(marks)

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        if not self._open and not self._gate.exists():
            time.sleep(min(timeout, 0.01))
            return []
        self._open = True
        return list(self._reader.poll(timeout, limit))

    def position(self, place: TopicPartition) -> int:
        return self._reader.position(place)

    def end(self, place: TopicPartition) -> int:
        return self._reader.end(place)

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return self._reader.written(places)

    def close(self) -> None:
        self._reader.close()


class _GatedLog:
    """The log, but that the reader of a group waits for the gate."""

    def __init__(self, log: Log, gate: Path) -> None:
        self._log = log
        self._gate = gate

    def reader(self, group: str | None = None) -> Reader:
        reader = self._log.reader(group)
        return reader if group is None else _GatedReader(reader, self._gate)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


def run(settings: Settings) -> None:
    """As the resolver runs."""
    parts = services(settings)
    log: Any = _GatedLog(parts.log, Path(os.environ[GATE]))
    resolver = Resolver(replace(parts, log=log), f"bench-{os.getpid()}")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stop.set())
    health = HealthServer(settings.inner_host, settings.ports["resolver"], resolver.live_fault, resolver.ready_fault)
    make_rare()
    try:
        resolver.run(stop)
    finally:
        health.close()


if __name__ == "__main__":
    sys.exit(start("resolver", run))
