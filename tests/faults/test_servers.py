"""Kafka and MongoDB are killed, paused, cut off, slow: nothing acknowledged is lost, and all goes on by itself."""

import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.counts import Counts
from tests.faults.proof import check_judged_once, check_proofs, check_views
from tests.faults.rest import come_to_rest
from tests.faults.waiting import eventually
from tests.faults.war import Load, load, open_wars
from tests.servers.faults import CLUSTER_FAULTS, DOCUMENT_FAULTS, FAULTS, LOG_FAULTS, Servers, servers_of_its_own
from warledger.demo.installation import Installation, installation

pytestmark = [pytest.mark.servers]
GAMES = ["war-a", "war-b"]
RECOVERED_WITHIN = 60.0
ANSWERED_WITHIN = 20.0
"""Twice as long as an answer takes during any of the faults: two cores run everything here."""
SHORT = ("brokers killed", "log in a black hole", "log cut half-way", "documents killed", "documents paused")


def ask(house: Installation, counts: Counts) -> None:
    """A write and a read are answered in time, whatever has befallen the servers."""
    pause = {"type": "set_deadline", "payload": {"deadline": None, "reason": "pause"}}
    for method, path, body in (("POST", f"/games/{GAMES[0]}/commands", pause), ("GET", f"/games/{GAMES[0]}", None)):
        started = time.monotonic()
        answer = house.operator.request(method, path, body, headers={"Idempotency-Key": secrets.token_hex(8)})
        took = time.monotonic() - started
        assert answer.status in (200, 201, 202, 422, 503), answer
        assert answer.status != 503 or int(answer.headers["Retry-After"]) >= 1, answer
        assert took < ANSWERED_WITHIN, f"{method} {path}: {took:.1f} seconds"
        counts.largest("servers", f"ms until an answer during a fault, {method}", int(took * 1000))


def befall(house: Installation, servers: Servers, bots: Load, name: str, seconds: float, counts: Counts) -> None:
    """A fault for so many seconds; afterwards orders are judged again, and every process is ready, without a hand."""
    with FAULTS[name](servers):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            house.services.watch()
            assert bots.process.poll() is None, "the load has ended"
            ask(house, counts)
            time.sleep(0.2)
    before = len(bots.acknowledged())
    took = eventually(
        lambda: len(bots.acknowledged()) > before + 5,
        f"orders are stored again after: {name}",
        RECOVERED_WITHIN,
        meanwhile=house.services.watch,
    )
    eventually(
        lambda: not house.services.faults(lambda: False),
        f"all are ready again after: {name}",
        RECOVERED_WITHIN,
        meanwhile=house.services.watch,
    )
    counts.add("servers", f"faults, {name}")
    counts.largest("servers", f"ms from the end until orders are stored, {name}", int(took * 1000))


def season(folder: Path, nodes: int, faults: Sequence[tuple[str, float]], counts: Counts) -> None:
    """An installation on servers of its own, a load on it, one fault after the other; then look at everything."""
    with servers_of_its_own(folder, nodes) as servers, installation(folder / "data", servers.storage()) as house:
        players = open_wars(house, GAMES, 4)
        with load(house, folder, players, GAMES, pause_ms=150, close_ms=1500) as bots:
            for name, seconds in faults:
                befall(house, servers, bots, name, seconds, counts)
            took = come_to_rest(house, bots, GAMES, meanwhile=house.services.watch)
        acknowledged, answers = bots.acknowledged(), bots.answers()
        statuses = Counter(answer["status"] for answer in answers)
        assert set(statuses) <= {201, 202, 422}, statuses
        judged = check_judged_once(house, GAMES, acknowledged)
        events = check_proofs(house, GAMES, folder)
        documents = check_views(house)
    totals: Mapping[str, int] = {
        "inputs acknowledged": len(acknowledged),
        "commands sent more than once": sum(answer["tries"] > 1 for answer in answers),
        "judgements": judged,
        "journal events replayed and verified": events,
        "view documents equal to a rebuild": documents,
    }
    for name, count in totals.items():
        counts.add("servers", name, count)
    counts.largest("servers", "ms until all was judged and shown", took)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_servers_that_fail_under_load_lose_nothing_and_are_found_again(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 1, [(name, 4.0) for name in SHORT], counts)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_one_broker_of_three_is_gone_while_producing(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 3, [(name, 10.0) for name in CLUSTER_FAULTS], counts)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_brokers_are_away_for_a_minute(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 1, [("brokers killed", 60.0)], counts)


@pytest.mark.faults
@pytest.mark.timeout(1_200)
def test_brokers_are_away_for_five_minutes(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 1, [("brokers killed", 300.0)], counts)


@pytest.mark.faults
@pytest.mark.timeout(3_000)
def test_every_fault_of_every_server_at_length(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 1, [(name, 25.0) for name in (*LOG_FAULTS, *DOCUMENT_FAULTS)], counts)


@pytest.mark.faults
@pytest.mark.timeout(3_000)
def test_a_cluster_loses_a_broker_ten_times(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 3, [(name, 15.0) for name in CLUSTER_FAULTS] * 10, counts)
