"""An installation of which everything runs twice, on real servers, under load; its processes die or are stopped."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from shared.log import PARTITIONS
from tests.counts import Counts
from tests.faults.more import More, more, owned
from tests.faults.proof import check_judged_once, check_proofs, check_views
from tests.faults.rest import come_to_rest
from tests.faults.waiting import eventually
from tests.faults.war import Load, by_turns, load, open_wars
from tests.servers import KafkaServer, MongoServer
from tests.storage import on_servers
from warledger.api import Client, Unreachable
from warledger.demo.installation import Installation, installation

PROMISED_SECONDS = 15.0
TRIES = 3
ASLEEP_SECONDS = 9.0
"""Longer than the session of six seconds, after which the group gives a member's partitions to others."""
GROUP = "scale-out"
SHARING = ("resolver", "projector")


@dataclass(frozen=True, slots=True)
class Pair:
    """An installation with a second process of each kind; the supervisor's own are the first."""

    house: Installation
    seconds: Mapping[str, More]

    def port(self, service: str) -> int:
        """Port of the first process."""
        return self.house.settings.ports[service]

    def owned(self, service: str) -> tuple[int, int]:
        """How many partitions first and second work on."""
        return owned(self.port(service)), owned(self.seconds[service].port)

    def shared(self, service: str) -> bool:
        """Whether both work, on all partitions together."""
        first, second = self.owned(service)
        return first > 0 and second > 0 and first + second == PARTITIONS

    def await_sharing(self, service: str) -> None:
        """Wait until both take part; a process that died is started again, as `warledger up` does."""
        watch = self.house.services.watch
        eventually(partial(self.shared, service), f"two of {service} share the partitions", 120, 0.1, watch)

    def pid(self, service: str) -> int:
        """The first process."""
        return self.house.services.children[service].process.pid


@contextmanager
def pair(folder: Path, kafka: KafkaServer, mongo: MongoServer) -> Iterator[Pair]:
    """Two of everything; the second gateway sends orders to the second intake."""
    extra = {**on_servers(kafka, mongo), "WARLEDGER_WORKERS": "2"}
    with installation(folder / "data", extra) as house, ExitStack() as stack:
        seconds = {
            service: stack.enter_context(more(house, service, f"{service}-2")) for service in (*SHARING, "orders")
        }
        towards = {"WARLEDGER_ORDERS_URL": seconds["orders"].url}
        seconds["gateway"] = stack.enter_context(more(house, "gateway", "gateway-2", towards))
        made = Pair(house, seconds)
        for service in SHARING:
            made.await_sharing(service)
        yield made


def second_door(pair: Pair) -> Installation:
    """The installation as whoever calls the second gateway sees it."""
    house = pair.house
    urls = {**house.settings.urls, "gateway": pair.seconds["gateway"].url}
    operator = Client(urls["gateway"], house.operator.token)
    return replace(house, settings=replace(house.settings, urls=urls), operator=operator)


def until_answered(operator: Client, games: Sequence[str], since: float) -> float:
    """Give each game a command at once; seconds from `since` until the last of them was judged and shown."""

    def answered(game: str) -> float:
        said = {"by_ms": 0, "reason": "operator"}  # every game has this command (ENG-12)
        receipt = operator.command(game, "shift_time", said, wait=False)
        while time.monotonic() - since < 4 * PROMISED_SECONDS:
            with suppress(Unreachable):
                if operator.request("GET", receipt.headers["Location"]).status == 200:
                    break
            time.sleep(0.05)
        return time.monotonic() - since

    with ThreadPoolExecutor(len(games)) as pool:
        return max(pool.map(answered, games))


@dataclass
class Storm:
    """Faults of the first processes of a pair, while both doors are under load."""

    pair: Pair
    games: Sequence[str]
    counts: Counts
    loads: list[Load] = field(default_factory=list)

    def kill(self, service: str) -> None:
        """Kill it; all games must go on in the other one, in time. Then it is started again."""
        self._in_time(f"{service} killed", lambda: self._killed(service))

    def sleep(self, *services: str) -> None:
        """Put them to sleep past their session and wake them up; meanwhile all their partitions are the others'."""
        self._in_time("stopped", lambda: self._asleep(*services))

    def _in_time(self, what: str, befall: Callable[[], float]) -> None:
        """All games go on in time after this has befallen them; a busy machine gets more tries."""
        took: list[float] = []
        while not took or (min(took) >= PROMISED_SECONDS and len(took) < TRIES):
            took.append(befall())
        self.counts.largest(GROUP, f"ms until all games go on, {what}", int(min(took) * 1000))
        assert min(took) < PROMISED_SECONDS, f"{what}: seconds until all games go on: {took}"

    def _killed(self, service: str) -> float:
        """Kill it and start it again; the seconds until all games went on, without what that takes at any time."""
        calm = until_answered(self.pair.house.operator, self.games, time.monotonic())
        since = time.monotonic()
        os.kill(self.pair.pid(service), signal.SIGKILL)
        seconds = until_answered(self.pair.house.operator, self.games, since)
        self.counts.add(GROUP, f"kills, {service}")
        self.pair.await_sharing(service)
        return seconds - calm

    def _asleep(self, *services: str) -> float:
        """The same of a sleep."""
        calm = until_answered(self.pair.house.operator, self.games, time.monotonic())
        pids = [self.pair.pid(service) for service in services]
        others = [self.pair.seconds[service].port for service in services]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            slept = time.monotonic()
            eventually(lambda: {*map(owned, others)} == {PARTITIONS}, "the others have all partitions", 120)
            seconds = until_answered(self.pair.house.operator, self.games, slept)
            time.sleep(max(0.0, ASLEEP_SECONDS - (time.monotonic() - slept)))  # so long does the sleep last
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        for service in services:
            self.pair.await_sharing(service)
            self.counts.add(GROUP, f"woken up past the session, {service}")
        return seconds - calm


def storm(
    folder: Path,
    servers: tuple[KafkaServer, MongoServer],
    games: list[str],
    counts: Counts,
    rage: Callable[[Storm], None],
) -> None:
    """Let `rage` do its faults under load, then look at everything."""
    with pair(folder, *servers) as both, ExitStack() as stack:
        house = both.house
        packages = by_turns(games)
        players = open_wars(house, games, 4, packages=packages)
        raging = Storm(both, games, counts)
        for number, door in enumerate((house, second_door(both))):
            place = folder / str(number)
            place.mkdir()
            mine = {name: players[name] for name in sorted(players)[number::2]}
            bots = load(door, place, mine, games, pause_ms=150, close_ms=1500 * number, packages=packages)
            raging.loads.append(stack.enter_context(bots))
        rage(raging)
        first, second = raging.loads
        second.ask_to_end()
        took = come_to_rest(house, first, games)
        eventually(lambda: second.process.poll() is not None, "the second load has ended")
        acknowledged = [*first.acknowledged(), *second.acknowledged()]
        statuses = {answer["status"] for one in raging.loads for answer in one.answers()}
        assert statuses <= {201, 202, 422}, statuses
        counts.largest(GROUP, "ms until all was judged and shown", took)
        counts.add(GROUP, "inputs acknowledged", len(acknowledged))
        counts.add(GROUP, "judgements", check_judged_once(house, games, acknowledged))
        counts.add(GROUP, "journal events replayed and verified", check_proofs(house, games, folder))
        counts.add(GROUP, "view documents equal to a rebuild", check_views(house))
