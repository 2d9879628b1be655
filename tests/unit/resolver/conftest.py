"""The house of the tests: a resolver on real files with the toy game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.commands import commands_of
from tests.unit.resolver.house import House, close_houses, install_toy


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install_toy(monkeypatch)
    yield
    close_houses()
    commands_of.cache_clear()


@pytest.fixture
def house(tmp_path: Path, toy: None) -> House:
    return House(tmp_path)
