"""Two resolvers and two projectors share the partitions, two gateways and two intakes serve, on real servers.

One resolver is killed, then one of each is put to sleep past its session and wakes up, under load all the time: games
go on in the other one within 15 seconds, nothing is decided twice, nothing is lost, no view differs from a rebuild.
"""

from pathlib import Path

import pytest

from shared.log import partition_of
from tests.counts import Counts
from tests.faults.pairs import Storm, storm
from tests.servers import KafkaServer, MongoServer

pytestmark = [pytest.mark.servers, pytest.mark.slow, pytest.mark.timeout(600)]
GAMES = [f"war-{number}" for number in range(6)]


def test_games_go_on_in_another_process_and_nothing_is_decided_twice(
    kafka_server: KafkaServer, mongo_server: MongoServer, tmp_path: Path, counts: Counts
) -> None:
    assert len({partition_of(game) for game in GAMES}) > 3

    def rage(raging: Storm) -> None:
        raging.kill("resolver")
        raging.sleep("resolver", "projector")

    storm(tmp_path, (kafka_server, mongo_server), GAMES, counts, rage)
