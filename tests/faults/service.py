"""A service as the fault tests run it: the production module, with switches that only this file knows.

`python -m tests.faults.service` runs the service that WARLEDGER_ROLE names. Variables:
- FAULTS_READ_ONLY: while the file of this name and `.<role>` exists, SQLite refuses to write in this process.
- FAULTS_TOY: the toy game is installed beside the others; its value is the length of a turn in milliseconds.
- FAULTS_HASTE: "RATE SINCE": from SINCE (UTC milliseconds) on, the clock of this process goes RATE times as fast.
- FAULTS_PACE: JSON of fields of the resolver's Pace, and in `credit` of its CreditPolicy.
"""

import json
import os
import runpy
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any

from shared import sqlite_file
from warledger.processes import MODULES

MODULE = "tests.faults.service"


class HastyClock:
    """A clock that goes so many times as fast as that of the machine, from a moment on (UTC milliseconds)."""

    def __init__(self, rate: int, since: int) -> None:
        self._rate = rate
        self._since = since

    def now(self) -> int:
        passed = time.time_ns() - self._since * 1_000_000
        return self._since + passed * (self._rate if passed > 0 else 1) // 1_000_000


class Switchable(sqlite3.Connection):
    """A connection that may only read while the file is there."""

    marker: Path

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            super().execute(f"PRAGMA query_only={int(self.marker.exists())}")
        return super().execute(sql, *arguments)


def _read_only(marker: str) -> None:
    Switchable.marker = Path(marker)
    genuine = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> Any:
        return genuine(*arguments, **{**options, "factory": Switchable})

    sqlite_file.sqlite3.connect = connect  # type: ignore[attr-defined]


def _toy(turn_ms: int) -> None:
    import shared.commands
    import shared.rules
    from tests.faults.toy import with_toy

    shared.rules.GAMES = with_toy(turn_ms)
    vars(shared.commands)["GAMES"] = shared.rules.GAMES


def _haste(text: str) -> None:
    from shared import clock

    rate, since = map(int, text.split())
    hasty = HastyClock(rate, since)
    vars(clock)["SystemClock"] = lambda: hasty


def _pace(text: str) -> None:
    from services.resolver import bootstrap
    from services.resolver.settings import CreditPolicy, Pace

    fields = json.loads(text)
    credit = CreditPolicy(**fields.pop("credit", {}))
    vars(bootstrap)["build"] = partial(bootstrap.build, pace=Pace(credit=credit, **fields))


def main() -> None:
    """Run the service."""
    role = os.environ["WARLEDGER_ROLE"]
    if marker := os.environ.get("FAULTS_READ_ONLY"):
        _read_only(f"{marker}.{role}")
    if turn_ms := os.environ.get("FAULTS_TOY"):
        _toy(int(turn_ms))
    if haste := os.environ.get("FAULTS_HASTE"):
        _haste(haste)
    if role == "resolver" and (pace := os.environ.get("FAULTS_PACE")):
        _pace(pace)
    runpy.run_module(MODULES[role], run_name="__main__")


if __name__ == "__main__":
    main()
