"""Where an installation under test keeps log and documents: in folders, or on the servers of `tests.servers`.

A test that takes `storage` runs once with each, and hands it to `warledger.demo.installation` as more variables.
"""

from collections.abc import Mapping

import pytest

from shared.log.kafka_place import parse_place
from tests.servers import KafkaServer, MongoServer, fresh_kafka_url, fresh_mongo_url

Storage = Mapping[str, str]
"""The variables of an installation that say where it stands; none for folders."""

FOLDERS: Storage = {}
PATIENT = {"WARLEDGER_WAIT_MS": "20000"}
"""More variables: a write is answered with its judgement however busy the machine is."""
EVERYWHERE = ("folders", pytest.param("servers", marks=pytest.mark.servers))


def on_servers(kafka: KafkaServer, mongo: MongoServer) -> Storage:
    """A share of both servers that nobody has used; its topics are made."""
    from shared.log.kafka_topics import apply

    log = fresh_kafka_url(kafka)
    left = apply(parse_place(log)).left
    assert not left, left
    return {"WARLEDGER_LOG": log, "WARLEDGER_DOCS": fresh_mongo_url(mongo)}


def chosen(request: pytest.FixtureRequest) -> Storage:
    """What a fixture with `params=EVERYWHERE` is asked for; servers are started by the first that needs them."""
    if request.param == "folders":
        return FOLDERS
    return on_servers(request.getfixturevalue("kafka_server"), request.getfixturevalue("mongo_server"))


@pytest.fixture(params=EVERYWHERE)
def storage(request: pytest.FixtureRequest) -> Storage:
    """Folders, then servers."""
    return chosen(request)
