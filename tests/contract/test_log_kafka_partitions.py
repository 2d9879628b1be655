"""One of three brokers is gone, and with it single partitions: those beside them take what is appended meanwhile."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median

import pytest
from kafka import KafkaAdminClient
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import AppendedInPart, AppendUnknown, Coordinates, LogUnavailable
from shared.log.kafka import PATIENCE, KafkaLog
from shared.log.kafka_append import PARTITION_SHARE
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import apply
from shared.signing import Keyring, Signer
from tests.contract.log_house import KEYS, draft, eventually, everything, key_in, read_exactly, values
from tests.servers.own import SOON_GONE, own_kafka
from warledger.servers.kafka import LocalKafka

pytestmark = [pytest.mark.servers, pytest.mark.slow, pytest.mark.timeout(600)]
WHOLE, LEADERLESS, SHORT = (key_in(partition) for partition in (1, 2, 3))
"""Games whose partitions are on all brokers, on the first alone, and on the first two, both of which must have it."""
SLACK = 10.0
"""Seconds that a busy machine may take beyond what is promised."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalKafka]:
    with own_kafka(tmp_path, 3, SOON_GONE) as cluster:
        yield cluster


@pytest.fixture
def place(cluster: LocalKafka) -> KafkaPlace:
    place = parse_place(f"kafka://{cluster.address}/parts")
    assert not apply(place, replication=3).left
    put_on_brokers(place, {2: [1], 3: [1, 2]})
    return place


def put_on_brokers(place: KafkaPlace, brokers: Mapping[int, list[int]]) -> None:
    """Keep these partitions of the orders on these brokers alone."""
    wanted = {KafkaPartition(place.name("orders"), partition): ids for partition, ids in brokers.items()}
    with closing(KafkaAdminClient(**place.options())) as admin:
        admin.alter_partition_reassignments(wanted)

        def done() -> bool:
            [topic] = admin.describe_topics([place.name("orders")])
            found = {each["partition_index"]: sorted(each["replica_nodes"]) for each in topic["partitions"]}
            return all(found[partition] == ids for partition, ids in brokers.items())

        eventually(done)


def test_games_of_other_partitions_go_on_while_one_has_no_leader_and_one_too_few_copies(
    cluster: LocalKafka, place: KafkaPlace
) -> None:
    log = KafkaLog(place, Signer("orders", KEYS["orders"]), Keyring(KEYS))
    log.append("orders", [draft(game, "before") for game in (WHOLE, LEADERLESS, SHORT)])
    # In good order: of a partition that it had alone a killed broker would not be trusted to have everything.
    cluster.nodes[0].stop()
    eventually(lambda: appends(log, WHOLE, "first"))

    started = time.monotonic()
    with pytest.raises(AppendedInPart) as raised:
        log.append("orders", [draft(game, "together") for game in (LEADERLESS, WHOLE, SHORT)])
    assert time.monotonic() - started < PATIENCE * PARTITION_SHARE + SLACK
    without, stored, short = raised.value.outcomes
    assert isinstance(stored, Coordinates)
    assert isinstance(without, AppendUnknown)
    assert isinstance(short, AppendUnknown)

    # Both are known now: they are refused at once, or tried for a moment, and nobody beside them is.
    took = []
    for number in range(12):
        began = time.monotonic()
        with pytest.raises(AppendedInPart) as raised:
            log.append("orders", [draft(game, f"{number}") for game in (LEADERLESS, WHOLE, SHORT)])
        took.append(time.monotonic() - began)
        assert [isinstance(item, Coordinates) for item in raised.value.outcomes] == [False, True, False]
        log.append("orders", [draft(WHOLE, f"alone {number}")])
    assert max(took) < PATIENCE * PARTITION_SHARE + SLACK
    assert median(took) < PATIENCE * PARTITION_SHARE
    with pytest.raises(AppendedInPart, match="partition 2 of orders takes nothing"):
        log.append("orders", [draft(LEADERLESS)])

    cluster.nodes[0].start()
    eventually(lambda: appends(log, LEADERLESS, "after"))
    eventually(lambda: appends(log, SHORT, "after"))
    acknowledged = ["before", "first", "together", *(item for n in range(12) for item in (f"{n}", f"alone {n}"))]
    marks = {at: mark for at, mark in everything("orders").items() if at.partition == 1}
    assert values(read_exactly(log, marks, len(acknowledged))) == acknowledged
    log.close()


def appends(log: KafkaLog, game: str, value: str) -> bool:
    try:
        log.append("orders", [draft(game, value)])
    except LogUnavailable:
        return False
    return True
