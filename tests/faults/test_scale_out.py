"""The long form of tests/e2e/test_scale_out.py: processes of a pair killed and put to sleep, again and again."""

import random
from pathlib import Path

import pytest

from tests.counts import Counts
from tests.faults.pairs import SHARING, Storm, storm
from tests.servers import KafkaServer, MongoServer

GAMES = [f"war-{number}" for number in range(12)]


@pytest.mark.servers
@pytest.mark.faults
@pytest.mark.timeout(3_000)
def test_twenty_deaths_and_sleeps_of_processes_that_share_the_partitions(
    kafka_server: KafkaServer, mongo_server: MongoServer, tmp_path: Path, counts: Counts
) -> None:
    chance = random.Random(4)

    def rage(raging: Storm) -> None:
        for number in range(20):
            if number % 2:
                raging.kill(chance.choice(SHARING))
            else:
                raging.sleep(*chance.sample(SHARING, chance.randint(1, 2)))

    storm(tmp_path, (kafka_server, mongo_server), GAMES, counts, rage)
