"""Named counts of what the fault tests did, printed as one table at the end of the session.

A test takes the fixture `counts` and calls `counts.add("crashes", "kills", 3)` for what is summed, or
`counts.largest("crashes", "slowest recovery, ms", 812)` for what only the largest value of matters; the first argument
groups the rows. Code that is no test calls the same on `tests.counts.COUNTS`. Counts are whole numbers. Under
`pytest -n` each worker sends its counts to the controller, which prints them together; a session without counts
prints nothing.
"""

import threading
from typing import Any

import pytest

Row = tuple[str, str]


class Counts:
    """Sums and maxima by group and name; any thread may add."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[Row, int] = {}
        self._maxima: dict[Row, int] = {}

    def add(self, group: str, name: str, amount: int = 1) -> None:
        """Add to a sum."""
        with self._lock:
            self._sums[group, name] = self._sums.get((group, name), 0) + amount

    def largest(self, group: str, name: str, value: int) -> None:
        """Keep the largest value given."""
        with self._lock:
            self._maxima[group, name] = max(value, self._maxima.get((group, name), value))

    def plain(self) -> dict[str, list[list[Any]]]:
        """Everything as plain lists, for the way from a worker to the controller."""
        with self._lock:
            return {
                "sums": [[*row, value] for row, value in self._sums.items()],
                "maxima": [[*row, value] for row, value in self._maxima.items()],
            }

    def take(self, plain: dict[str, list[list[Any]]]) -> None:
        """Add what another process counted."""
        for group, name, amount in plain["sums"]:
            self.add(group, name, amount)
        for group, name, value in plain["maxima"]:
            self.largest(group, name, value)

    def table(self) -> list[str]:
        """One line a row, groups in the order of their names; empty without counts."""
        with self._lock:
            rows = sorted({**self._sums, **self._maxima}.items())
        if not rows:
            return []
        left = max(len(group) for (group, _), _ in rows)
        middle = max(len(name) for (_, name), _ in rows)
        return [f"{group:<{left}}  {name:<{middle}}  {value:>12,}" for (group, name), value in rows]


COUNTS = Counts()


@pytest.fixture(scope="session")
def counts() -> Counts:
    """The counts of this session."""
    return COUNTS


class _FromWorkers:
    """Takes the counts of workers; registered only where pytest-xdist is, whose hook it is."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if plain := getattr(node, "workeroutput", {}).get("counts"):
            COUNTS.take(plain)


def pytest_configure(config: pytest.Config) -> None:
    """Listen to workers."""
    config.pluginmanager.register(_FromWorkers(), "counts-from-workers")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker: hand the counts to the controller."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["counts"] = COUNTS.plain()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    lines = COUNTS.table()
    if lines:
        terminalreporter.section("counts")
        for line in lines:
            terminalreporter.write_line(line)
