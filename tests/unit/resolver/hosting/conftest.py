"""A table with the toy game, installed beside the real ones."""

from pathlib import Path

import pytest

from tests.unit.resolver.hosting.table import Table, install_toy


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    install_toy(monkeypatch)
    return Table(tmp_path)


@pytest.fixture
def running(table: Table) -> Table:
    """The table with a game in its first turn, opened at 2000."""
    table.create({"names": ["ana"]})
    table.say("op", "start", 2000)
    return table
