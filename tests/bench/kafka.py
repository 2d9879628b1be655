"""The Kafka log against bare kafka-python: judgements, the intake, and the way of a command to its answer."""

import tempfile
from contextlib import ExitStack
from operator import itemgetter
from pathlib import Path
from statistics import median

from shared.log.kafka_place import parse_place
from tests.bench.kafka_http import post_row
from tests.bench.kafka_path import path_points
from tests.bench.kafka_workload import race
from tests.bench.rows import Bars, Row
from tests.servers import KafkaServer, MongoServer, fresh_kafka_url, fresh_mongo_url
from warledger.servers.opening import open_kafka, open_mongo

RUNS = 5
JUDGEMENT_RUNS = 11
"""Each takes a moment, and what else the machine does a moment more."""


def rows() -> list[Row]:
    """All of them, on one broker and one document server."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kafka, mongo = open_kafka(Path(folder) / "kafka"), open_mongo(Path(folder) / "mongo")
        for server in (kafka, mongo):
            stack.callback(server.stop)
        broker = KafkaServer(kafka.address)
        return [*judgement_rows(broker), post(broker), *path_rows(broker, MongoServer(mongo.address))]


def judgements() -> list[Row]:
    """The first of them alone, on a broker of their own."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kafka = open_kafka(Path(folder) / "kafka")
        stack.callback(kafka.stop)
        return judgement_rows(KafkaServer(kafka.address))


def judgement_rows(server: KafkaServer) -> list[Row]:
    """Judgements packed in transactions."""
    ours, bare = (parse_place(fresh_kafka_url(server)) for _ in range(2))
    found = race(ours, bare, JUDGEMENT_RUNS)
    made = "Kafka: judgements written/s against bare batched send() of each, the JSON made by both meanwhile"
    return [
        Row("Kafka: judgements written/s against bare send().get() of each", Bars("min", 20, None), found.each),
        Row("Kafka: judgements written/s against bare batched send()", Bars("min", 5, 10), found.together, found.note),
        Row(made, Bars("min", None, None), found.made),
    ]


def post(server: KafkaServer) -> Row:
    """The intake."""
    url = fresh_kafka_url(server)
    return post_row(parse_place(url), url, RUNS)


def path_rows(server: KafkaServer, documents: MongoServer) -> list[Row]:
    """From a command to its answer."""
    logs = [fresh_kafka_url(server) for _ in range(2)]
    stores = [fresh_mongo_url(documents) for _ in range(2)]
    found = path_points(logs[0], stores[0], logs[1], stores[1], RUNS)
    job = "Kafka and MongoDB: command to judged answer, one client, {} against a bare script"
    bars = Bars("max", 5, None)
    ours, bare = ([points[side] for points in found] for side in (0, 1))
    rows = []
    for name, of in (("half of them", itemgetter(0)), ("99 %", itemgetter(1))):
        times = [(of(mine), of(theirs)) for mine, theirs in zip(ours, bare, strict=True)]
        note = f"{1000 * median(mine for mine, _ in times):.1f} ms, {1000 * median(other for _, other in times):.1f} ms"
        rows.append(Row(job.format(name), bars, [mine / theirs for mine, theirs in times], note))
    return rows
