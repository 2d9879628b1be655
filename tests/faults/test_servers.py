"""Kafka and MongoDB are killed, paused, cut off, slow: nothing acknowledged is lost, and all goes on by itself."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from shared.log import partition_of
from shared.views import ids
from tests.counts import Counts
from tests.faults.proof import Acknowledged, check_judged_once, check_proofs, check_views, journal_of
from tests.faults.rest import come_to_rest
from tests.faults.waiting import eventually
from tests.faults.war import Load, by_turns, load, open_wars
from tests.faults.witness import Witness
from tests.servers.faults import CLUSTER_FAULTS, DOCUMENT_FAULTS, FAULTS, LOG_FAULTS, Servers, servers_of_its_own
from warledger.demo.installation import Installation, installation
from warledger.local import local_documents

pytestmark = [pytest.mark.servers]
GROUP = "servers"
GAMES = ["war-a", "war-b"]
PLAYED_BY = by_turns(GAMES, "map_war")
WATCHED = "watched"
"""A war in which only the witnesses give orders, so that a deadline of it stays where a test has set it."""
RECOVERED_WITHIN = 120.0
AGE_BEHIND_SECONDS = 20
"""Views that were complete when an outage began say so after so long at the latest: it is stored every five seconds."""
OUTAGE_SECONDS = 60.0
SHORT = (
    "log in a black hole",
    "log slow",
    "log cut half-way",
    "documents killed",
    "documents paused",
    "documents slow",
    "documents cut half-way",
)
DEADLINE_SET = "warledger.gxc.deadline_set.v1"
TURN_CLOSED = "warledger.gxc.turn_closed.v1"


@dataclass
class Season:
    """An installation under load, and what befalls its servers."""

    house: Installation
    servers: Servers
    bots: Load
    players: Mapping[str, str]
    counts: Counts
    acknowledged: list[Acknowledged] = field(default_factory=list)
    """What the witnesses were told is stored."""

    def befall(self, name: str, seconds: float) -> None:
        """A fault for so many seconds; afterwards orders are judged, and all is ready again, without a hand."""
        house, bots = self.house, self.bots
        pids = [child.process.pid for child in house.services.children.values()]
        with Witness(house, WATCHED, self.players.values()) as witness:
            with FAULTS[name](self.servers):
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    assert bots.process.poll() is None, "the load has ended"
                    time.sleep(0.05)
            before = len(bots.acknowledged())
            took = eventually(
                lambda: len(bots.acknowledged()) > before + 5,
                f"orders are stored again after: {name}",
                RECOVERED_WITHIN,
            )
            eventually(
                lambda: not house.services.faults(lambda: False), f"all are ready again after: {name}", RECOVERED_WITHIN
            )
        self.acknowledged += witness.acknowledged()
        self._count(name, took, witness)
        assert pids == [child.process.pid for child in house.services.children.values()]
        assert all(child.process.poll() is None for child in house.services.children.values()), "a process has ended"
        witness.check()
        if name not in DOCUMENT_FAULTS:
            assert set(witness.seen("read").statuses) == {200}, f"{name}: {witness.seen('read')}"
        if name == "brokers killed" and seconds > 2 * AGE_BEHIND_SECONDS:
            assert witness.seen("read").oldest >= seconds - AGE_BEHIND_SECONDS, witness.seen("read")

    def long_outage(self, name: str, seconds: float) -> None:
        """A fault of the log, so long that a deadline falls into it: the deadline moves by its length (ENG-12)."""
        # Of a house this young nobody may have said yet how fresh its views are; then no age can be told.
        eventually(self._said_how_fresh, "the projector says how fresh the views are")
        deadline = time.time_ns() // 1_000_000 + int(seconds * 1000 / 3)
        self.house.operator.command(WATCHED, "set_deadline", {"deadline": deadline, "reason": "operator"})
        self.befall(name, seconds)
        eventually(self._credits, "the deadline is credited", RECOVERED_WITHIN, 0.2)
        moved = self._credits()[0]
        assert moved >= deadline + seconds * 1000
        self.counts.add(GROUP, "deadlines credited")
        self.counts.largest(GROUP, "ms credited for an outage", moved - deadline)

    def _said_how_fresh(self) -> bool:
        fresh = ids.fresh(partition_of(WATCHED))
        with local_documents(self.house.settings) as documents:
            return bool(documents.get("checkpoints", [fresh]))

    def _credits(self) -> list[int]:
        """The deadlines that the clock has set for outages; no turn was closed before the first of them."""
        events = journal_of(self.house, WATCHED)
        found = [event for event in events if event.type == DEADLINE_SET and event.data["reason"] == "credit"]
        closed = [event.n for event in events if event.type == TURN_CLOSED]
        assert not found or all(n > found[0].n for n in closed)
        return [event.data["deadline"] for event in found]

    def _count(self, name: str, took: float, witness: Witness) -> None:
        counts = self.counts
        counts.add(GROUP, f"faults, {name}")
        counts.largest(GROUP, f"ms from the end until orders are stored, {name}", int(took * 1000))
        for kind in ("write", "read", "log in"):
            seen = witness.seen(kind)
            counts.add(GROUP, f"answers 503, {kind}", seen.statuses[503])
            counts.add(GROUP, f"answers, {kind}", seen.statuses.total())
            counts.largest(GROUP, f"ms until an answer, {kind}, {name}", int(seen.longest * 1000))
        counts.largest(GROUP, "s, oldest age told", witness.seen("read").oldest)
        for service in ("gateway", "orders"):
            grown = witness.grown(service)
            counts.largest(GROUP, f"kB grown by, {service}", grown.bytes // 1000)
            counts.largest(GROUP, f"threads grown by, {service}", grown.threads)
            counts.largest(GROUP, f"open files grown by, {service}", grown.files)


def season(folder: Path, nodes: int, faults: Sequence[tuple[str, float]], counts: Counts) -> None:
    """An installation on servers of its own, a load on it, one fault after the other; then look at everything.

    A fault of the log that lasts as long as an outage has a deadline in it.
    """
    games = [*GAMES, WATCHED]
    with servers_of_its_own(folder, nodes) as servers, installation(folder / "data", servers.storage()) as house:
        players = open_wars(house, games, 4, packages=PLAYED_BY)
        with load(house, folder, players, GAMES, pause_ms=150, close_ms=1500, packages=PLAYED_BY) as bots:
            season = Season(house, servers, bots, players, counts)
            for name, seconds in faults:
                (season.long_outage if seconds >= OUTAGE_SECONDS else season.befall)(name, seconds)
            took = come_to_rest(house, bots, games)
        acknowledged, answers = [*bots.acknowledged(), *season.acknowledged], bots.answers()
        statuses = Counter(answer["status"] for answer in answers)
        assert set(statuses) <= {201, 202, 422}, statuses
        judged = check_judged_once(house, games, acknowledged)
        events = check_proofs(house, games, folder)
        documents = check_views(house)
    totals: Mapping[str, int] = {
        "inputs acknowledged": len(acknowledged),
        "commands sent more than once": sum(answer["tries"] > 1 for answer in answers),
        "judgements": judged,
        "journal events replayed and verified": events,
        "view documents equal to a rebuild": documents,
    }
    for name, count in totals.items():
        counts.add(GROUP, name, count)
    counts.largest(GROUP, "ms until all was judged and shown", took)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_minute_without_brokers_and_servers_that_fail_under_load_lose_nothing(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 1, [("brokers killed", OUTAGE_SECONDS), *((name, 3.0) for name in SHORT)], counts)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_one_broker_of_three_is_gone_while_producing(tmp_path: Path, counts: Counts) -> None:
    season(tmp_path, 3, [(name, 6.0) for name in CLUSTER_FAULTS], counts)


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
