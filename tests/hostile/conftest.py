"""An installation with small limits, and somebody honest who plays in it while others misbehave."""

from collections.abc import Iterator

import pytest

from tests.e2e.wars import enlisted, small_war
from tests.hostile.witness import Witness
from warledger.demo.installation import Installation, installation

MOST_STREAMS = 100


@pytest.fixture(scope="session")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Everything running with two gateway workers, and places for MOST_STREAMS streams."""
    small = {"WARLEDGER_MAX_STREAMS": str(MOST_STREAMS), "WARLEDGER_WORKERS": "2"}
    with installation(tmp_path_factory.mktemp("besieged") / "data", small) as running:
        yield running


@pytest.fixture(scope="session")
def besieged_war(besieged: Installation) -> str:
    """The id of a running war."""
    return small_war(besieged)


@pytest.fixture(scope="session")
def witness(besieged: Installation, besieged_war: str) -> Witness:
    """A player who sends an honest command again and again."""
    return Witness(enlisted(besieged, besieged_war, "red", "dunmere"), besieged_war)
