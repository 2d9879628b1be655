"""kill -9 at every named step, under load: nothing acknowledged is lost, nothing is decided twice, nothing differs."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from shared import faults
from shared.adapters import open_documents
from shared.commands import WRITERS
from shared.documents import Documents, DocumentsUnavailable
from shared.views import generations
from tests.counts import Counts
from tests.faults.appends import Appends
from tests.faults.loads import PACKAGES, load_of
from tests.faults.more import More
from tests.faults.proof import check_judged_once, check_proofs, check_views, journals_of
from tests.faults.rest import come_to_rest, readable
from tests.faults.waiting import eventually
from tests.faults.war import Load, by_turns, load, open_wars
from tests.storage import Storage
from warledger.demo.installation import Installation, installation

FEWEST_GAMES = 3
PLAYED_BY = by_turns([f"war-{number}" for number in range(max(FEWEST_GAMES, len(PACKAGES)))])
"""Every game that is listed, each under the same storm."""
GAMES = list(PLAYED_BY)
SERVERS = {"gateway": ("gateway", "streams"), "intake": tuple(WRITERS)}
SHORT = (
    "gateway.after_forward",
    "intake.after_text",
    "intake.before_append",
    "intake.after_append",
    "resolver.while_judging",
    "resolver.after_tick",
    "resolver.after_commit",
    "resolver.mid_snapshot",
    "projector.after_documents",
    "projector.before_heads",
    "projector.before_checkpoint",
    "projector.before_flip",
)
SHORT_ON_SERVERS = (
    "gateway.after_forward",
    "intake.before_append",
    "intake.after_append",
    "log.before_end",
    "log.taking_over",
    "log.ending",
    "resolver.while_judging",
    "log.joining",
    "resolver.after_commit",
    "log.assigned",
    "projector.before_heads",
    "projector.before_flip",
)
IN_KAFKA = "log."
HOLDING = ("log", "resolver", "projector")
"""First parts of the steps of processes that hold partitions: beside them stands one that gets these."""
SELDOM = ("snapshot", "rebuild", "flip", "joining", "assigned")
"""Parts of the names of steps that a process does not reach several times soon."""
SHARING = ("resolver", "projector")
AMIDST = {
    "log.joining": "amid a rebalance",
    "log.assigned": "amid a rebalance",
    "log.taking_over": "amid a takeover",
    "resolver.taken_over": "amid a takeover",
}
"""What a process was about that died at these steps; the others go on from there."""
FEWEST_EVENTS = 20
"""Of its own rules, in each game that the load has played."""
STRUCK_WITHIN = 240.0
"""A rebuild comes before some steps, and takes longer the more was played."""
PROVOKED_EVERY_SECONDS = {False: 3.0, True: 12.0}
"""In folders and on servers: there, who joins a group waits until the session of a killed member has ended."""


class Storm:
    """Kills the processes of an installation, one step after the other, and lets the supervisor restart them."""

    def __init__(
        self, house: Installation, others: dict[str, More], file: Path, load: Load, counts: Counts, group: str
    ) -> None:
        """`others` are processes beside those of the supervisor, by their names."""
        self.appends = Appends(house)
        self._house = house
        self._others = others
        self._group = group
        self._file = file
        self._struck = Path(str(file) + faults.STRUCK)
        self._load = load
        self._counts = counts
        self._chance = random.Random(1)

    def watch(self) -> None:
        """What `warledger up` does all the time; here a process that was killed often is not kept waiting."""
        for child in self._house.services.children.values():
            child.deaths = 0
        self._house.services.watch()
        self.appends.watch()
        for name, other in self._others.items():
            if other.process.poll() is not None:
                other.end()
                self._others[name] = More(self._house, other.service, name)

    def kill_at(self, step: str, *, server_too: bool) -> None:
        """Wait until a process has died at this step; of a web service the whole server, if so asked, else a worker."""
        before = self._generation()
        self._arm(step)
        triggered = 0.0
        end = time.monotonic() + STRUCK_WITHIN
        while not self._struck.exists():
            if time.monotonic() > end:
                pytest.fail(f"nobody died at {step} within {STRUCK_WITHIN:.0f} seconds")
            assert self._load.process.poll() is None, "the load has ended"
            if time.monotonic() - triggered > PROVOKED_EVERY_SECONDS[bool(self._others)]:
                triggered = time.monotonic()
                self._provoke(step)
            self.watch()
            time.sleep(0.01)
        self._struck.unlink()
        service = step.partition(".")[0]
        self._counts.add(self._group, f"kills, {service}")
        if step in AMIDST:
            self._counts.add(self._group, f"kills, {AMIDST[step]}")
        if self._others and service in HOLDING:
            self._counts.add(self._group, "kills that a rebalance and a takeover followed")
        if server_too and service in SERVERS:
            self._kill(self._chance.choice(SERVERS[service]))
            self._counts.add(self._group, f"kills, {service}, the whole server")
        if step == "projector.after_flip":
            eventually(lambda: self._generation() > before, "the flip stays", meanwhile=self.watch)

    def _arm(self, step: str) -> None:
        often = 1 if any(part in step for part in SELDOM) else self._chance.randint(1, 4)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{step}:{often}")
        fresh.rename(self._file)

    def _provoke(self, step: str) -> None:
        """Bring about what the load alone does not, or not soon."""
        if "snapshot" in step:
            self._signal("resolver", signal.SIGTERM)
        elif step in ("resolver.taken_over", "log.taking_over"):
            self._kill("resolver")
        elif step in ("log.joining", "log.assigned"):
            self._kill(self._chance.choice(SHARING))
        elif "rebuild" in step or "flip" in step:
            # One that a busy store does not take is asked for again a little later.
            with self._documents() as documents, suppress(DocumentsUnavailable):
                generations.request_rebuild(documents)

    def _kill(self, service: str) -> None:
        self._signal(service, signal.SIGKILL)

    def _signal(self, service: str, number: signal.Signals) -> None:
        process = self._house.services.children[service].process
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)

    def _generation(self) -> int:
        with self._documents() as documents:
            return generations.active(documents)

    @contextmanager
    def _documents(self) -> Iterator[Documents]:
        documents = open_documents(self._house.settings)
        try:
            yield documents
        finally:
            documents.close()


@contextmanager
def beside(house: Installation, services: Iterable[str]) -> Iterator[dict[str, More]]:
    """One more process of each of these services, as on another machine: all that dies is a takeover for it."""
    others = {f"{service}-2": More(house, service, f"{service}-2") for service in services}
    try:
        for name, other in others.items():
            eventually(other.ready, f"{name} is ready", 120)
        yield others
    finally:
        for other in others.values():
            other.end()


def hardly_played(house: Installation) -> dict[str, int]:
    """Game -> events of its own rules, where those are too few so far."""
    kept = {game: f"warledger.{load_of(package).game}." for game, package in PLAYED_BY.items()}
    journals = journals_of(house, GAMES)
    events = {game: sum(event.type.startswith(kept[game]) for event in journals[game]) for game in GAMES}
    return {game: count for game, count in events.items() if count <= FEWEST_EVENTS}


def storm(folder: Path, steps: list[str], counts: Counts, storage: Storage, pause_ms: int = 120) -> None:
    """Kill at each of the steps under load, then look at everything. Bots pause so long between two commands."""
    fault = folder / "fault"
    group = "crashes, servers" if storage else "crashes"
    with (
        installation(folder / "data", {faults.FILE_VARIABLE: str(fault), **storage}) as house,
        beside(house, SHARING if storage else ()) as others,
    ):
        players = open_wars(house, GAMES, 6, packages=PLAYED_BY)
        pauses = {"pause_ms": pause_ms, "close_ms": 700, "crowd_ms": 6 * pause_ms}
        with load(house, folder, players, GAMES, packages=PLAYED_BY, **pauses) as bots:
            raging = Storm(house, others, fault, bots, counts, group)
            for number, step in enumerate(steps):
                raging.kill_at(step, server_too=number % 2 == 0)
            # The steps may be reached before the game that is played least has come to anything.
            eventually(readable(lambda: not hardly_played(house)), "every game is played", 240, 0.5, raging.watch)
            eventually(lambda: raging.appends.of_several, "inputs are appended together", 120, 0.1, raging.watch)
            took = come_to_rest(house, bots, GAMES, meanwhile=raging.watch)
            together = raging.appends.of_several
            answers = bots.answers()
        acknowledged = bots.acknowledged()
        statuses = Counter(answer["status"] for answer in answers)
        assert set(statuses) <= {201, 202, 422}, statuses
        judged = check_judged_once(house, GAMES, acknowledged)
        events = check_proofs(house, GAMES, folder)
        documents = check_views(house)
    counts.largest(group, "ms until all was judged and shown", took)
    counts.add(group, "inputs acknowledged", len(acknowledged))
    counts.add(group, "appends of several inputs at once", together)
    counts.add(group, "commands sent more than once", sum(answer["tries"] > 1 for answer in answers))
    counts.add(group, "judgements", judged)
    counts.add(group, "journal events replayed and verified", events)
    counts.add(group, "view documents equal to a rebuild", documents)
    exports = "".join((folder / f"{game}.jsonl").read_text() for game in GAMES)
    counts.add(group, "resolutions certified", exports.count("warledger.host.resolution.certified.v1"))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_a_dozen_steps_under_load_nothing_is_lost(tmp_path: Path, counts: Counts, storage: Storage) -> None:
    storm(tmp_path, list(SHORT_ON_SERVERS if storage else SHORT), counts, storage)


@pytest.mark.faults
@pytest.mark.timeout(3_000)
def test_killed_two_hundred_times_under_load_nothing_is_lost(tmp_path: Path, counts: Counts, storage: Storage) -> None:
    chance = random.Random(2)
    reached = sorted(step for step in faults.POINTS if storage or not step.startswith(IN_KAFKA))
    steps: list[str] = []
    while len(steps) < 200:
        steps += chance.sample(reached, len(reached))
    storm(tmp_path, steps[:200], counts, storage, pause_ms=400 if storage else 120)
