"""A real installation: six processes on this machine, started once for all end-to-end tests of a worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warledger.demo.installation import Installation, installation


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Everything running, in a folder of its own, on free ports."""
    folder: Path = tmp_path_factory.mktemp("house") / "data"
    with installation(folder) as running:
        yield running
