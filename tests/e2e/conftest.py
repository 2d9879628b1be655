"""Real installations: all processes on this machine, started once for all end-to-end tests of a worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import KafkaServer, MongoServer
from tests.storage import EVERYWHERE, PATIENT, on_servers
from warledger.demo.installation import Installation, installation


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Everything running, in a folder of its own, on free ports."""
    folder: Path = tmp_path_factory.mktemp("house") / "data"
    with installation(folder, PATIENT) as running:
        yield running


@pytest.fixture(scope="session")
def house_on_servers(
    tmp_path_factory: pytest.TempPathFactory, kafka_server: KafkaServer, mongo_server: MongoServer
) -> Iterator[Installation]:
    """The same with its log in Kafka and its documents in MongoDB."""
    folder: Path = tmp_path_factory.mktemp("house-on-servers") / "data"
    with installation(folder, {**PATIENT, **on_servers(kafka_server, mongo_server)}) as running:
        yield running


@pytest.fixture(params=EVERYWHERE)
def any_house(request: pytest.FixtureRequest) -> Installation:
    """First the one, then the other."""
    name = "house" if request.param == "folders" else "house_on_servers"
    found: Installation = request.getfixturevalue(name)
    return found
