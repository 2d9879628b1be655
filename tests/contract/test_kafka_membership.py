"""Members of a group share the partitions through Kafka: joined, left, killed, stopped, and cut off."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from multiprocessing.connection import Connection

import pytest
from kafka.coordinator.base import MemberState

from shared.log import PARTITIONS
from shared.log import kafka_membership as module
from shared.log.kafka_membership import KafkaMembership
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import apply
from tests.contract.log_house import PATIENCE
from tests.contract.processes import receive, running
from tests.contract.socks import SocksProxy
from tests.servers import KafkaServer, fresh_kafka_url
from tests.servers.topics import remove_topics, topics_at

pytestmark = [
    pytest.mark.servers,
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
]

EVERYTHING = frozenset(range(PARTITIONS))
AT_ONCE = 5.0
"""Seconds within which a question is answered on a busy machine: no answer waits for a server, which takes longer."""
REPLACED_SECONDS = 30.0
"""Twice what is promised: the machine may be busy."""


@pytest.fixture(scope="module")
def cluster(kafka_server: KafkaServer) -> Iterator[KafkaPlace]:
    """Topics that all tests of this file share; each has a group of its own."""
    with topics_at(fresh_kafka_url(kafka_server)) as place:
        yield place


@pytest.fixture
def group(request: pytest.FixtureRequest) -> str:
    return f"group-{request.node.name}"


@pytest.fixture
def join(cluster: KafkaPlace, group: str) -> Iterator[Callable[..., KafkaMembership]]:
    """Makes members of the test's group, and ends them with the test."""
    with ExitStack() as members:

        def made(member: str, *, fenced: bool = True, place: KafkaPlace = cluster) -> KafkaMembership:
            return members.enter_context(closing(KafkaMembership(place, group, member, fenced=fenced)))

        yield made
    # A connection that is being made when its client is closed is left to the collector; it shall come in this test.
    gc.collect()


@pytest.fixture
def proxy() -> Iterator[SocksProxy]:
    with closing(SocksProxy()) as proxy:
        yield proxy


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> float:
    """Poll until the condition holds; returns after how many seconds."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < seconds, f"not within {seconds} seconds"
        time.sleep(0.005)
    return time.monotonic() - begun


def asked(member: KafkaMembership) -> frozenset[int]:
    """The member's partitions; the answer came at once."""
    begun = time.monotonic()
    claimed = member.partitions()
    assert time.monotonic() - begun < AT_ONCE
    return claimed


def shared_out(*members: KafkaMembership) -> bool:
    """Whether every partition is claimed by exactly one of the members, and each has some."""
    claims = [asked(member) for member in members]
    return all(claims) and sum(map(len, claims)) == PARTITIONS and frozenset().union(*claims) == EVERYTHING


def take_part(connection: Connection, place: KafkaPlace, group: str) -> None:
    """A process that asks for its partitions as a loop does, and tells each change."""
    member = KafkaMembership(place, group, "another process")
    told: frozenset[int] | None = None
    while True:
        claimed = member.partitions()
        if claimed != told:
            told = claimed
            connection.send(claimed)
        time.sleep(0.01)


def test_one_process_alone_gets_every_partition(join: Callable[..., KafkaMembership], group: str) -> None:
    member = join("one")
    assert not [thread for thread in threading.enumerate() if group in thread.name], "nothing begins by itself"
    assert asked(member) == frozenset()
    assert "joining the group" in (member.fault() or "")

    until(lambda: asked(member) == EVERYTHING)

    assert member.fault() is None


def test_members_share_the_partitions_and_what_stays_is_never_given_up(join: Callable[..., KafkaMembership]) -> None:
    first = join("first")
    until(lambda: asked(first) == EVERYTHING)
    second = join("second")
    seen: set[frozenset[int]] = set()

    def settled() -> bool:
        seen.add(asked(first))
        return shared_out(first, second)

    until(settled)
    kept = asked(first)
    assert seen == {EVERYTHING, kept}
    assert second.fault() is None

    second.close()
    until(lambda: asked(first) == EVERYTHING)
    assert asked(second) == frozenset()


def test_two_processes_of_one_name_are_two_members(join: Callable[..., KafkaMembership]) -> None:
    twins = join("twin"), join("twin")
    until(lambda: shared_out(*twins))


def test_more_processes_than_partitions_leave_some_at_rest_and_ready(join: Callable[..., KafkaMembership]) -> None:
    members = [join(f"member {number:02}") for number in range(PARTITIONS + 1)]

    def settled() -> bool:
        claims = [asked(member) for member in members]
        return sorted(map(len, claims)) == [0] + [1] * PARTITIONS and frozenset().union(*claims) == EVERYTHING

    until(lambda: settled() and not any(member.fault() for member in members))


def test_who_is_not_fenced_gives_everything_up_before_another_gets_any(join: Callable[..., KafkaMembership]) -> None:
    first = join("first", fenced=False)
    until(lambda: asked(first) == EVERYTHING)
    second = join("second", fenced=False)
    assert asked(second) == frozenset()
    time_at_work = 3.0
    begun = time.monotonic()
    while time.monotonic() - begun < time_at_work:
        assert asked(second) == frozenset(), "the first one is still at work and has not asked"
        time.sleep(0.01)

    def settled() -> bool:
        assert not asked(first) & asked(second)
        return shared_out(first, second)

    until(settled)


def test_killed_and_stopped_processes_are_replaced_and_who_wakes_up_claims_nothing(
    join: Callable[..., KafkaMembership], cluster: KafkaPlace, group: str
) -> None:
    survivor = join("survivor")
    until(lambda: asked(survivor) == EVERYTHING)
    with (
        running(take_part, cluster, group) as (killed, of_killed),
        running(take_part, cluster, group) as (stopped, of_stopped),
    ):
        claims: list[frozenset[int]] = [frozenset(), frozenset()]

        def shared_by_three() -> bool:
            for place, connection in enumerate((of_killed, of_stopped)):
                while connection.poll():
                    claims[place] = receive(connection)
            everyone = [asked(survivor), *claims]
            return all(everyone) and sum(map(len, everyone)) == PARTITIONS

        until(shared_by_three)
        killed.kill()
        assert stopped.pid is not None
        os.kill(stopped.pid, signal.SIGSTOP)

        until(lambda: asked(survivor) == EVERYTHING, REPLACED_SECONDS)

        assert not of_stopped.poll()
        os.kill(stopped.pid, signal.SIGCONT)
        assert receive(of_stopped) == frozenset(), "what it had is somebody else's now"
        claims[0] = frozenset()

        def shared_by_two() -> bool:
            while of_stopped.poll():
                claims[1] = receive(of_stopped)
            return bool(claims[1]) and asked(survivor) == EVERYTHING - claims[1]

        until(shared_by_two)


def test_a_member_that_is_cut_off_claims_nothing_until_it_is_heard_again(
    join: Callable[..., KafkaMembership], cluster: KafkaPlace, proxy: SocksProxy
) -> None:
    member = join("one", place=replace(cluster, security={"proxy_url": proxy.url}))
    until(lambda: asked(member) == EVERYTHING)
    with proxy.silent():
        until(lambda: asked(member) == frozenset(), module.SESSION_SECONDS + AT_ONCE)
        assert member.fault() is not None

    until(lambda: asked(member) == EVERYTHING)

    assert member.fault() is None


def test_a_member_that_cannot_reach_the_group_can_still_end(
    join: Callable[..., KafkaMembership], cluster: KafkaPlace, proxy: SocksProxy, group: str
) -> None:
    member = join("one", place=replace(cluster, security={"proxy_url": proxy.url}))
    until(lambda: asked(member) == EVERYTHING)
    with proxy.silent():
        begun = time.monotonic()
        member.close()
        assert time.monotonic() - begun < PATIENCE
    until(lambda: not [thread for thread in threading.enumerate() if group in thread.name])


def test_brokers_that_are_away_at_the_start_are_asked_again(
    join: Callable[..., KafkaMembership], cluster: KafkaPlace, proxy: SocksProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    before = threading.active_count()
    with proxy.refusing():
        member = join("one", place=replace(cluster, security={"proxy_url": proxy.url}))
        until(lambda: asked(member) == frozenset() and "no Kafka broker answers" in (member.fault() or ""))
        until(lambda: threading.active_count() <= before + 1)

    until(lambda: asked(member) == EVERYTHING)


def test_a_topic_that_is_missing_is_named_and_waited_for(kafka_server: KafkaServer) -> None:
    place = parse_place(fresh_kafka_url(kafka_server))
    with closing(KafkaMembership(place, "resolver", "one")) as member:
        said = f"topic {place.name('turns')} is missing: see `warledger topics status`"
        until(lambda: asked(member) == frozenset() and member.fault() == said)

        apply(place)

        until(lambda: asked(member) == EVERYTHING)
    remove_topics(place)


def test_a_process_that_hangs_leaves_the_group_and_comes_back_when_it_asks(
    join: Callable[..., KafkaMembership], monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, works = join("hangs"), join("works")
    until(lambda: shared_out(hangs, works))
    monkeypatch.setattr(module, "ASKED_SECONDS", 1.0)

    until(lambda: asked(works) == EVERYTHING)

    monkeypatch.undo()
    until(lambda: shared_out(hangs, works))


def test_a_membership_is_of_one_process(join: Callable[..., KafkaMembership]) -> None:
    member = join("one")
    until(lambda: asked(member) == EVERYTHING)
    child = os.fork()
    if child == 0:
        try:
            member.partitions()
        except RuntimeError:
            member.close()
            os._exit(0)
        os._exit(1)

    assert os.waitpid(child, 0)[1] == 0

    begun = time.monotonic()
    while time.monotonic() - begun < 2 * module.HEARTBEAT_SECONDS:
        assert asked(member) == EVERYTHING
        time.sleep(0.05)


def test_a_client_that_takes_a_failed_join_for_success_joins_again(join: Callable[..., KafkaMembership]) -> None:
    """So it is left when a broker comes back without the topic, which is made again while it cannot be joined yet."""
    member = join("one")
    until(lambda: asked(member) == EVERYTHING)
    coordinator = member._client._coordinator
    coordinator._disable_heartbeat()
    coordinator.rejoining, coordinator.rejoin_needed = True, False
    coordinator.state = MemberState.REBALANCING

    until(lambda: coordinator.stable() and asked(member) == EVERYTHING)
