"""Every process says within seconds which of its servers is away, and is ready again by itself."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from shared.commands import WRITERS
from shared.config import SERVICES
from tests.e2e.wars import enlisted, small_war
from tests.faults.houses import probe
from tests.faults.waiting import eventually
from tests.servers.faults import FAULTS, Servers, servers_of_its_own
from warledger.demo.installation import Installation, installation

pytestmark = [pytest.mark.slow, pytest.mark.servers, pytest.mark.timeout(600)]
TOLD_WITHIN = 60.0
BACK_WITHIN = 60.0
LOG = {*WRITERS, "resolver", "projector"}
"""Processes that work with the log."""
DOCUMENTS = {"gateway", "streams", "polls", "projector"}
"""Processes that can do nothing without documents: a resolver takes snapshots later."""


@dataclass(frozen=True, slots=True)
class Place:
    """An installation, and the servers that it stands on."""

    house: Installation
    servers: Servers

    def unready(self) -> dict[str, str]:
        """What the processes say that are not ready; silence counts as nothing said."""
        asked = {name: probe(self.house, name) for name in SERVICES}
        return {name: said for name, (code, said) in asked.items() if code == 503}

    def failures(self, name: str, store: str) -> float:
        """How often a process found a store away."""
        text = probe(self.house, name, "/metrics")[1]
        line = f'warledger_storage_failures_total{{store="{store}"}} '
        return next(float(item.removeprefix(line)) for item in text.splitlines() if item.startswith(line))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Everything running on a Kafka and a document server of its own."""
    folder: Path = tmp_path_factory.mktemp("readiness")
    with ExitStack() as ends:
        servers = ends.enter_context(servers_of_its_own(folder))
        yield Place(ends.enter_context(installation(folder / "data", servers.storage())), servers)


@pytest.mark.parametrize(
    ("fault", "touched"),
    [("brokers paused", LOG), ("documents paused", DOCUMENTS)],
)
def test_who_needs_what_is_away_says_so_and_is_ready_when_it_is_back(
    place: Place, fault: str, touched: set[str]
) -> None:
    store = "log" if touched is LOG else "documents"
    before = {name: place.failures(name, store) for name in touched - {"gateway", "streams"}}
    eventually(lambda: not place.unready(), "all are ready", BACK_WITHIN)
    with FAULTS[fault](place.servers):
        said: dict[str, str] = {}

        def told() -> bool:
            said.clear()
            said.update(place.unready())
            return touched <= said.keys()

        eventually(told, f"{sorted(touched)} say that the {store} is away", TOLD_WITHIN)
        assert not set(said) - touched - {"resolver"}, said
        for name in ("gateway", "orders", "economy") if touched is LOG else ("orders", "economy"):
            assert (name in touched) == (name in said)
    eventually(lambda: not place.unready(), "all are ready again", BACK_WITHIN)
    for name, count in before.items():
        assert place.failures(name, store) > count, name
    game = small_war(place.house)
    assert enlisted(place.house, game, "red", "dunmere").command(game, "set_order", {"defend": 1}).status in (201, 202)
