"""One running installation in this process, for commands that look at one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.gateway.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Everything running, in a folder of its own."""
    made = House(tmp_path / "data")
    made.run()
    yield made
    made.close()
