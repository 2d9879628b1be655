"""POST to the orders service on Kafka against a Flask route that only sends what it got to Kafka and waits."""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from shared.clock import SystemClock
from shared.config import from_environment
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_topics import apply
from tests.bench.http_workload import PLAYERS, REQUESTS, THREADS, WORKERS, peer, rate, server, signed_call
from tests.bench.rows import Bars, Row, ratios
from warledger.commands.up import prepare
from warledger.demo.installation import free_ports


def post_row(place: KafkaPlace, url: str, runs: int) -> Row:
    """Requests a second under 16 connections kept alive; both send to Kafka from two workers of eight threads."""
    apply(place)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        given = {"WARLEDGER_WORKERS": str(WORKERS), "WARLEDGER_THREADS": str(THREADS), "WARLEDGER_LOG": url}
        environment = {"WARLEDGER_DATA": f"{folder}/data", **free_ports(), **given}
        settings = from_environment({**os.environ, **environment})
        prepare(settings)
        orders, bare = settings.ports["orders"], settings.ports["streams"]
        stack.enter_context(server(orders, "services.orders", environment=environment))
        peers = {"BROKERS": ",".join(place.brokers), "TOPIC": place.name("votes")}
        stack.enter_context(peer(bare, "tests.bench.producing:app", peers))
        file, key, clock = Path(folder) / "requests", settings.key("calls"), SystemClock()

        def requests() -> list[bytes]:
            return [signed_call(key, f"player-{number % PLAYERS}", number, clock.now()) for number in range(REQUESTS)]

        def ours() -> float:
            return rate(orders, requests(), file)

        def theirs() -> float:
            return rate(bare, requests(), file)

        ours(), theirs()
        found = ratios(ours, theirs, runs)
        note = f"{ours():,.0f}/s of {theirs():,.0f}/s"
    job = "Kafka: POST to the orders service, requests/s against a Flask route with send().get()"
    return Row(job, Bars("min", 0.6, None), found, note)
