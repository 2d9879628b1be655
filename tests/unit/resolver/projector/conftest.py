"""The toy game stands in the registry."""

import pytest

from services.resolver.projector import folding
from tests.unit.views import toy


@pytest.fixture(autouse=True)
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "rules_of", toy.rules_of)
