"""Records that nobody of the installation wrote, or that stand in Kafka twice: none is obeyed, and nothing stops."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shared.host_events import REPEATED
from shared.log import partition_of
from tests.counts import Counts
from tests.faults.proof import check_judged_once, check_proofs, check_views, input_records, journal_of, judgements
from tests.faults.rest import come_to_rest
from tests.faults.strangers import FORGERIES, Stranger, is_tick
from tests.faults.waiting import eventually
from tests.faults.war import by_turns, load, open_wars
from tests.servers import KafkaServer, MongoServer
from tests.storage import on_servers
from warledger.demo.installation import Installation, installation

pytestmark = pytest.mark.servers
GAME = "war-a"
OTHER = next(name for name in (f"war-{letter}" for letter in "bcdefgh") if partition_of(name) != partition_of(GAME))
GAMES = [GAME, OTHER]
PLAYED_BY = by_turns(GAMES)
"""What is forged are commands of GXC, in the first."""
GROUP = "strangers in Kafka"


def listed(house: Installation) -> list[dict[str, Any]]:
    """What `warledger deadletters` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "warledger", "--json", "deadletters"],
        env={**os.environ, **house.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def repeats(house: Installation) -> int:
    """How many inputs were judged as repeated."""
    return sum(len(judgements(journal_of(house, game), REPEATED)) for game in GAMES)


def intrude(folder: Path, servers: tuple[KafkaServer, MongoServer], rounds: int, copies: int, counts: Counts) -> None:
    """Each forgery so many times, and so many copies of genuine records, while a war is played."""
    chance = random.Random(5)
    expected: list[tuple[str, int, int, str]] = []
    with installation(folder / "data", on_servers(*servers)) as house:
        players = open_wars(house, GAMES, 4, packages=PLAYED_BY)
        with (
            load(house, folder, players, GAMES, pause_ms=150, close_ms=1500, packages=PLAYED_BY) as bots,
            Stranger.at(house, (GAME, OTHER), players) as stranger,
        ):
            eventually(lambda: len(bots.acknowledged()) > copies // 2 + 20, "there is something to copy", 240)
            eventually(lambda: any(map(is_tick, stranger.standing())), "the clock has spoken", 240)
            ours = stranger.standing()
            genuine = [record for record in ours if record.value]
            ticks = [record for record in ours if is_tick(record)]
            assert len(genuine) >= copies // 2
            for _ in range(rounds):
                forgeries = chance.sample(sorted(FORGERIES, key=lambda item: item.__name__), len(FORGERIES))
                places = stranger.put([forge(stranger) for forge in forgeries])
                expected += [(*place, FORGERIES[forge]) for place, forge in zip(places, forgeries, strict=True)]
                stranger.put(chance.choices(ticks, k=5))
            doubled = chance.sample(genuine, copies // 2)
            stranger.put([record for record in doubled for _ in range(2)])  # at once, as a retry is sent
            before = len(bots.acknowledged())
            eventually(lambda: len(bots.acknowledged()) > before + 20, "the war goes on", 120)
            took = come_to_rest(house, bots, GAMES)
        letters = listed(house)
        found = [tuple(letter[name] for name in ("topic", "partition", "offset", "reason")) for letter in letters]
        assert sorted(found) == sorted(expected)
        assert {letter["game"] for letter in letters} <= {GAME, "unknown"}
        assert repeats(house) >= len(doubled) * 2
        assert len(input_records(house)) >= len(bots.acknowledged()) + len(doubled) * 2
        judged = check_judged_once(house, GAMES, bots.acknowledged())
        events = check_proofs(house, GAMES, folder)
        documents = check_views(house)
        victims = [data["input"]["id"] for game in GAMES for data in judgements(journal_of(house, game))]
        assert "f" * 32 not in victims
        assert {answer["status"] for answer in bots.answers()} <= {201, 202, 422}
    counts.add(GROUP, "forged and unreadable records, all listed", len(expected))
    counts.add(GROUP, "records written again, judged as repeated", len(doubled) * 2)
    counts.add(GROUP, "ticks written again", rounds * 5)
    counts.add(GROUP, "judgements", judged)
    counts.add(GROUP, "journal events replayed and verified", events)
    counts.add(GROUP, "view documents equal to a rebuild", documents)
    counts.largest(GROUP, "ms until all was judged and shown", took)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_strangers_put_into_the_topics_is_listed_and_disturbs_nobody(
    kafka_server: KafkaServer, mongo_server: MongoServer, tmp_path: Path, counts: Counts
) -> None:
    intrude(tmp_path, (kafka_server, mongo_server), 1, 40, counts)


@pytest.mark.faults
@pytest.mark.timeout(1_200)
def test_a_thousand_records_of_strangers_disturb_nobody(
    kafka_server: KafkaServer, mongo_server: MongoServer, tmp_path: Path, counts: Counts
) -> None:
    intrude(tmp_path, (kafka_server, mongo_server), 30, 400, counts)
