"""More processes of an installation than its supervisor runs: as on other machines, with ports of their own."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from tests.faults.waiting import eventually
from warledger.demo.installation import Installation
from warledger.processes import MODULES
from warledger.servers.ports import free_ports


class More:
    """One more process of a service, in a session of its own."""

    def __init__(
        self, house: Installation, service: str, name: str, variables: Mapping[str, str] | None = None
    ) -> None:
        self.service = service
        (self.port,) = free_ports(1)
        self._log = (house.settings.keys.parent / "logs" / f"{name}.log").open("ab")
        environment = {
            **os.environ,
            **house.environment,
            **(variables or {}),
            "WARLEDGER_ROLE": service,
            f"WARLEDGER_{service.upper()}_PORT": str(self.port),
        }
        command = [sys.executable, "-m", MODULES[service]]
        self.process = subprocess.Popen(
            command, env=environment, stdout=self._log, stderr=self._log, start_new_session=True
        )

    @property
    def url(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"

    def ready(self) -> bool:
        """Whether it says so."""
        return asked(self.port, "/readyz") is not None

    def end(self) -> None:
        """Kill it, asleep or not, with its workers."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._log.close()


@contextmanager
def more(house: Installation, service: str, name: str, variables: Mapping[str, str] | None = None) -> Iterator[More]:
    """One more process, ready; killed at the end."""
    started = More(house, service, name, variables)
    try:
        eventually(started.ready, f"{name} is ready", 120)
        yield started
    finally:
        started.end()


def asked(port: int, path: str) -> str | None:
    """What a process of this machine answers with 200; None for any other answer, or none."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
            return str(answer.read().decode())
    except (OSError, HTTPException):
        return None


def owned(port: int) -> int:
    """How many partitions a resolver or projector works on; 0 if it does not answer."""
    found = re.search(r"^warledger_partitions_owned\{[^}]*\} (\d+)", asked(port, "/metrics") or "", re.MULTILINE)
    return 0 if found is None else int(found[1])


def signal_to(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process and its workers."""
    os.killpg(pid, number)


def log_of(house: Installation, name: str) -> str:
    """What a process has logged."""
    path: Path = house.settings.keys.parent / "logs" / f"{name}.log"
    return path.read_text()
