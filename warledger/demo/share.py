"""A share of Kafka and MongoDB for one demo: a prefix and a database that nobody has used, gone when it ends.

Its servers are those that WARLEDGER_LOG and WARLEDGER_DOCS name; else those that `warledger.servers` finds or starts.
"""

import os
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from kafka.admin import KafkaAdminClient
from pymongo import MongoClient

from shared.adapters import kafka_place
from shared.config import Settings, from_environment
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_topics import TOPICS, apply
from shared.servers import DOCS, LOG, mongo_url, with_database
from warledger.output import UNREACHABLE, fail
from warledger.servers import NoServer
from warledger.servers.opening import Server, open_kafka, open_mongo

GROUPS = ("resolver", "projector")
_ENDED = 128 + signal.SIGTERM
"""Exit status of a process that a signal ended; ended so, it cleans up first."""


@contextmanager
def share_of_servers(folder: Path, say: Callable[[str], None]) -> Iterator[dict[str, str]]:
    """The variables of an installation on a share of both servers; what is started stores in `folder`."""
    given = from_environment()
    name = f"demo-{secrets.token_hex(4)}"
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(_ENDED))
    with ExitStack() as ends:
        ends.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            brokers = _brokers(given, folder, ends, say)
            documents = _documents(given, folder, ends, say)
        except NoServer as error:
            fail(UNREACHABLE, str(error))
        variables = {LOG: f"kafka://{brokers}/{name}", DOCS: with_database(documents, name)}
        found = from_environment({**_access(), **variables})
        place = kafka_place(found)
        ends.callback(_remove_topics, place)
        ends.callback(_remove_database, mongo_url(found.docs, found.docs_password_file), name)
        apply(place)
        say(f"topics and database of this demo: {name}")
        yield variables


def _access() -> dict[str, str]:
    """What the environment says of passwords and certificates; the demo's processes inherit it."""
    return {key: value for key, value in os.environ.items() if key.startswith("WARLEDGER_")}


def _brokers(given: Settings, folder: Path, ends: ExitStack, say: Callable[[str], None]) -> str:
    if not given.log_is_local:
        return ",".join(kafka_place(given).brokers)
    return _opened("Kafka", open_kafka(folder / "kafka", report=say), ends, say)


def _documents(given: Settings, folder: Path, ends: ExitStack, say: Callable[[str], None]) -> str:
    if not given.docs_is_local:
        return given.docs
    return _opened("documents", open_mongo(folder / "mongo", report=say), ends, say)


def _opened(name: str, server: Server, ends: ExitStack, say: Callable[[str], None]) -> str:
    ends.callback(server.stop)
    say(f"{name} ({server.way}) at {server.address}")
    return server.address


def _remove_topics(place: KafkaPlace) -> None:
    admin = make_client(KafkaAdminClient, place)
    try:
        admin.delete_topics([place.name(topic) for topic in TOPICS], raise_errors=False)
        admin.delete_groups([place.name(group) for group in GROUPS])
    finally:
        admin.close()


def _remove_database(url: str, name: str) -> None:
    client: MongoClient[Any] = MongoClient(url)
    try:
        client.drop_database(name)
    finally:
        client.close()
