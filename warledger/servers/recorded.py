"""Servers that `warledger servers up` left running: written to a file, found again, ended."""

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from shared.config import ConfigError
from warledger.servers.child import started_at
from warledger.servers.containers import exists, remove
from warledger.servers.kafka import LocalKafka, brokers_in
from warledger.servers.kafka_settings import NodePorts
from warledger.servers.mongo import LocalMongo, answers
from warledger.servers.opening import Server

KINDS = ("kafka", "mongo")
_STOP_SECONDS = 15.0

Process = tuple[int, str]
"""Process id, and the time at which it began: a process id alone may be somebody else's by now."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A server as it was started. After its end the ports stay, so that the address is the same the next time."""

    way: str
    """given, container or process."""
    address: str
    ports: tuple[int, ...] = ()
    processes: tuple[Process, ...] = ()
    container: str = ""

    def there(self) -> bool:
        """Whether what was started is still there. Raises NoServer if an engine that has it does not answer."""
        if self.container:
            return exists(self.container)
        return self.way == "given" or any(started_at(pid) == began for pid, began in self.processes)

    def end(self) -> bool:
        """End it; False if it was gone, or is not ours to end. Raises NoServer."""
        if self.container:
            return remove(self.container)
        living = [pid for pid, began in self.processes if started_at(pid) == began]
        for pid in living:
            _signal(pid, signal.SIGTERM)
        if not self._await_end(_STOP_SECONDS):
            for pid, began in self.processes:
                if started_at(pid) == began:
                    _signal(pid, signal.SIGKILL)
            self._await_end(_STOP_SECONDS)
        return bool(living)

    def ended(self) -> "Recorded":
        """What is kept of it afterwards."""
        return Recorded(self.way, self.address, self.ports)

    def _await_end(self, within: float) -> bool:
        end = time.monotonic() + within
        while any(started_at(pid) == began for pid, began in self.processes):
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True


def record(server: Server) -> Recorded:
    """What is written of a server that was started to outlive this process."""
    pids = [child.pid for child in server.children]
    processes = tuple((pid, began) for pid in pids if (began := started_at(pid)) is not None)
    ports: tuple[int, ...] = ()
    if isinstance(server, LocalKafka):
        ports = (server.nodes[0].ports.broker, server.nodes[0].ports.controller)
    elif isinstance(server, LocalMongo):
        ports = (server.port,)
    return Recorded(server.way, server.address, ports, processes, str(getattr(server, "id", "")))


def local_kafka(folder: Path, before: Recorded | None, report: Callable[[str], None]) -> LocalKafka:
    """The broker of a folder, on the ports of its last start."""
    ports = [NodePorts(*before.ports[:2])] if before and len(before.ports) == 2 else []
    return LocalKafka(folder, ports=ports, outlive=True, report=report)


def local_mongo(folder: Path, before: Recorded | None) -> LocalMongo:
    """The document server of a folder, on the port of its last start; every write is on the disk before its answer."""
    return LocalMongo(folder, port=before.ports[0] if before and before.ports else 0, sync=True, outlive=True)


def answering(kind: str, address: str) -> bool:
    """Whether a server answers there."""
    return brokers_in(address) > 0 if kind == "kafka" else answers(address)


class State:
    """The file of one installation, and the lock of whoever changes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "servers.json"

    def read(self) -> dict[str, Recorded]:
        """What was recorded, by kind. Raises ConfigError for a file that says something else."""
        if not self._path.exists():
            return {}
        try:
            found = orjson.loads(self._path.read_bytes())
            return {kind: _recorded(found[kind]) for kind in KINDS if kind in found}
        except (ValueError, TypeError, KeyError) as error:
            raise ConfigError(
                f"{self._path}: cannot be read ({error}); end the servers by hand, then remove it"
            ) from error

    def write(self, servers: Mapping[str, Recorded]) -> None:
        """Write it whole or not at all."""
        draft = self._path.with_suffix(".draft")
        draft.write_bytes(orjson.dumps({kind: asdict(servers[kind]) for kind in KINDS if kind in servers}) + b"\n")
        os.replace(draft, self._path)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """One command at a time starts or ends servers."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _recorded(found: Mapping[str, Any]) -> Recorded:
    return Recorded(
        way=str(found["way"]),
        address=str(found["address"]),
        ports=tuple(int(port) for port in found["ports"]),
        processes=tuple((int(pid), str(began)) for pid, began in found["processes"]),
        container=str(found["container"]),
    )


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
