"""Who uses the processors of this machine while something is measured: read from /proc, so on Linux alone."""

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_IDLE = (3, 4)
"""Places of idle and of waiting for a disk among the times of all processors."""


class Shares:
    """Processors used since it was made, by named groups of processes and by everything else."""

    def __init__(self, groups: Mapping[str, Iterable[int]]) -> None:
        """`groups` are process ids by name; those of a group must live until `told`."""
        self._groups = {name: tuple(pids) for name, pids in groups.items()}
        self._begun = time.monotonic()
        self._before = self._spent()

    def told(self) -> str:
        """A phrase such as `resolvers 1.4, Kafka 0.3, others 0.2 of 2 processors`; empty where there is no /proc."""
        took = time.monotonic() - self._begun
        used = {name: (now - self._before[name]) / took for name, now in self._spent().items()}
        if not used:
            return ""
        others = max(0.0, used.pop("") - sum(used.values()))
        shares = [f"{name} {share:.1f}" for name, share in (*used.items(), ("others", others))]
        return f"{', '.join(shares)} of {os.cpu_count()} processors"

    def _spent(self) -> dict[str, float]:
        """Seconds by group; those of all processes under the empty name."""
        everything = Path("/proc/stat")
        if not everything.exists():
            return {}
        # The last two are parts of the first two.
        times = [int(field) for field in everything.read_text().splitlines()[0].split()[1:9]]
        spent = {name: sum(map(_of_process, pids)) for name, pids in self._groups.items()}
        return {**spent, "": sum(ticks for place, ticks in enumerate(times) if place not in _IDLE) / _TICKS}


def seconds_of_group(leader: int) -> float:
    """Processor seconds of all processes of a process group, those included that a living one has waited for."""
    spent = 0.0
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            fields = place.read_text().rpartition(")")[2].split()
            if int(fields[2]) == leader:
                spent += sum(map(int, fields[11:15])) / _TICKS
    return spent


def _of_process(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
