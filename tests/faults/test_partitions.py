"""A partition of the orders has no leader: its games are told so at once, all others go on meanwhile."""

import time
from pathlib import Path

import pytest

from shared.log import partition_of
from shared.log.kafka import PATIENCE
from shared.log.kafka_append import PARTITION_SHARE
from shared.log.kafka_place import parse_place
from tests.contract.test_log_kafka_partitions import put_on_brokers
from tests.counts import Counts
from tests.faults.waiting import eventually
from tests.faults.war import open_wars
from tests.servers.faults import servers_of_its_own
from warledger.demo.installation import installation

pytestmark = [pytest.mark.servers, pytest.mark.faults, pytest.mark.timeout(600)]
GROUP = "a partition without leader"
STRANDED, OTHER = "war-a", "war-b"
SECONDS = 60.0
STORED = {201, 202, 422}
LONGEST = PATIENCE * PARTITION_SHARE + 5.0
"""The append that finds it out, and what a busy machine takes beside it."""


def test_for_a_minute_one_partition_has_no_leader_and_the_games_of_others_are_played(
    tmp_path: Path, counts: Counts
) -> None:
    assert partition_of(STRANDED) != partition_of(OTHER)
    with servers_of_its_own(tmp_path, 3) as servers:
        storage = servers.storage()
        with installation(tmp_path / "data", storage) as house:
            tokens = open_wars(house, [STRANDED, OTHER], 2)
            player = house.operator.as_token(next(iter(tokens.values())))

            def order(game: str) -> int:
                """Give an order; returns the status."""
                began = time.monotonic()
                path = f"/games/{game}/commands"
                answer = player.request("POST", path, {"type": "set_order", "payload": {"defend": 1}})
                took = int((time.monotonic() - began) * 1000)
                counts.add(GROUP, f"{game}, answers {answer.status}")
                counts.largest(GROUP, f"{game}, ms until an answer", took)
                assert took < LONGEST * 1000
                return answer.status

            put_on_brokers(parse_place(storage["WARLEDGER_LOG"]), {partition_of(STRANDED): [1]})
            assert {order(STRANDED), order(OTHER)} <= STORED
            node = servers.kafka.cluster.nodes[0]
            node.stop()
            eventually(lambda: order(STRANDED) == 503 and order(OTHER) in STORED, "the partition is known to be away")
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                assert order(STRANDED) == 503
                assert order(OTHER) in STORED
            node.start()
            eventually(lambda: order(STRANDED) in STORED, "it takes orders again", 60)
