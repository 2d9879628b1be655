"""Faults of stores, as contexts: a full disk, a read-only one, a lock that somebody holds."""

import resource
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from warledger.demo.installation import Installation

Fault = Callable[[Installation, str], AbstractContextManager[None]]
FILES: Mapping[str, tuple[str, ...]] = {
    "orders": ("log/orders",),
    "polls": ("log/votes", "docs/messages"),
    "economy": ("log/trades",),
    "resolver": ("log/journal", "docs/snapshots"),
    "projector": ("docs/views",),
    "gateway": ("docs/accounts",),
}
"""Service -> the files whose lock stops its writing."""


def processes(house: Installation, service: str) -> list[int]:
    """The process of a service and its workers."""
    leader = house.services.children[service].process.pid
    return [leader, *map(int, Path(f"/proc/{leader}/task/{leader}/children").read_text().split())]


@contextmanager
def full(house: Installation, service: str) -> Iterator[None]:
    """No file of the service's processes can grow, as on a full disk; their log files neither."""
    _limit_files(house, service, 0)
    try:
        yield
    finally:
        _limit_files(house, service, resource.RLIM_INFINITY)


def _limit_files(house: Installation, service: str, most: int) -> None:
    for pid in processes(house, service):
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most if most != resource.RLIM_INFINITY else hard, hard))


@contextmanager
def read_only(house: Installation, service: str) -> Iterator[None]:
    """SQLite refuses every write of the service."""
    marker = Path(f"{house.environment['FAULTS_READ_ONLY']}.{service}")
    marker.touch()
    try:
        yield
    finally:
        marker.unlink()


@contextmanager
def locked(house: Installation, service: str) -> Iterator[None]:
    """Somebody else writes to the service's files and does not come to an end."""
    folder = house.settings.keys.parent
    held = [sqlite3.connect(folder / f"{file}.db", isolation_level=None, timeout=20) for file in FILES[service]]
    try:
        for connection in held:
            connection.execute("BEGIN IMMEDIATE")
        yield
    finally:
        for connection in held:
            connection.close()


FAULTS: Mapping[str, Fault] = {"full": full, "read-only": read_only, "locked": locked}
"""Every fault by its name; a lock on the intakes' files also holds up the resolver's ticks."""
