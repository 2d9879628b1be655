"""Counts against recorded ones.

What rises by one is a difference: the counts are exact, and what is meant can be recorded anew. What falls is one when
it falls by more than ALLOWED_FALL: then the record no longer guards what was gained. Less may fall without being
recorded, as recording at every change would become a habit that takes rises along.

Bytes of what isal packs are not exact: it takes what a processor offers, and may leave some bytes more on another one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED_FALL = 0.05
PACKED = frozenset({"bytes of snapshots"})
ALLOWED_RISE_OF_PACKED = 0.01
HOW_TO = "If this is meant, record it and say why in the commit: python -m tests.operations --record"

Numbers = Mapping[str, Mapping[str, int]]
"""Workload -> counter -> number."""


class Difference(NamedTuple):
    """One counter of one workload; `recorded` or `found` is 0 where it is not there."""

    workload: str
    counter: str
    recorded: int
    found: int

    def told(self) -> str:
        """In a line."""
        if not self.recorded:
            how = "not recorded before"
        elif not self.found:
            how = "not done any more"
        else:
            share = 100 * abs(self.found - self.recorded) / self.recorded
            how = f"{share:.1f} % {'more' if self.found > self.recorded else 'less'}"
        return f"{self.workload}: {self.counter}: recorded {self.recorded:,}, found {self.found:,} ({how})"


def differences(recorded: Numbers, found: Numbers) -> Iterator[Difference]:
    """What rose, and what fell so far that the record is of no use any more."""
    for workload in {**recorded, **found}:
        old, new = recorded.get(workload, {}), found.get(workload, {})
        for counter in sorted({**old, **new}):
            before, now = old.get(counter, 0), new.get(counter, 0)
            most = before * (1 + ALLOWED_RISE_OF_PACKED) if counter in PACKED else before
            if now > most or now < before * (1 - ALLOWED_FALL):
                yield Difference(workload, counter, before, now)


def read() -> Numbers:
    """The recorded numbers."""
    numbers: Numbers = orjson.loads(RECORDED.read_bytes())
    return numbers


def record(found: Numbers) -> None:
    """Keep these numbers."""
    RECORDED.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
