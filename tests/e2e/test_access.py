"""A real cluster that checks access holds everybody to deploy/kafka-acls.yaml, and the services need no more."""

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import (
    GroupAuthorizationFailedError,
    KafkaError,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailedError,
)

from shared.log import CHRONICLE, TURNS, LogUnavailable, kafka_client, kafka_diagnosis
from shared.log import kafka_acls as access
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import apply as apply_topics
from shared.rights import PRINCIPALS, TOPICS, entries
from tests.e2e.wars import enlisted, small_war
from tests.servers.guarded import GuardedKafka, guarded_kafka
from tests.storage import PATIENT
from warledger.demo.installation import Installation, installation
from warledger.processes import MODULES

pytestmark = [pytest.mark.slow, pytest.mark.servers]

ROOT = Path(__file__).parents[2]
WAIT_MS = 60_000
"""Who may is served at once, and who may not is told so: only a busy machine takes long."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuardedKafka]:
    """A broker where every principal of the list can log in."""
    with guarded_kafka(tmp_path_factory.mktemp("guarded")) as running:
        running.add_users(f"{prefix}.{name}" for prefix in ("league", "scratch") for name in PRINCIPALS)
        yield running


@pytest.fixture(scope="module")
def place(cluster: GuardedKafka) -> KafkaPlace:
    """An installation's share, made by its administrator and its operator."""
    administrator = parse_place(f"kafka://{cluster.open}/league")
    assert {entry.principal for entry in access.missing(administrator)} == {
        f"User:league.{name}" for name in PRINCIPALS
    }
    access.apply(administrator)
    assert access.missing(administrator) == []
    made = parse_place(f"kafka://{cluster.guarded}/league", cluster.log_in("league.operator"))
    assert len(apply_topics(made).mended) == len(TOPICS)
    return made


@pytest.fixture(scope="module")
def scratch(cluster: GuardedKafka) -> KafkaPlace:
    """Another share, with a record in the first partition of every topic; no service runs on it."""
    made = parse_place(f"kafka://{cluster.open}/scratch")
    access.apply(made)
    apply_topics(made)
    administrator = KafkaProducer(bootstrap_servers=cluster.open)
    for topic in TOPICS:
        administrator.send(made.name(topic), b"{}", partition=0).get(WAIT_MS / 1000)
    administrator.close()
    return made


def _as(cluster: GuardedKafka, name: str, prefix: str = "scratch") -> dict[str, Any]:
    return {"bootstrap_servers": cluster.guarded, **cluster.log_in(f"{prefix}.{name}")}


def _writes(cluster: GuardedKafka, name: str, topic: str) -> bool:
    producer = KafkaProducer(**_as(cluster, name), max_block_ms=WAIT_MS)
    try:
        producer.send(topic, b"{}", partition=0).get(WAIT_MS / 1000)
    except KafkaError as error:
        # Who may write to no topic is refused before that, when the producer asks for an id.
        if "AuthorizationFailed" not in repr(error):
            raise
        return False
    finally:
        producer.close()
    return True


def _read(cluster: GuardedKafka, name: str, topics: Collection[str], most: int, group: str | None = None) -> set[str]:
    """The topics of which somebody gets records, up to `most`; kafka-python tells no refusal of a topic it cannot see.

    So what is refused is known when a while has passed in which everything else was served.
    """
    consumer = KafkaConsumer(**_as(cluster, name), group_id=group, enable_auto_commit=False)
    places = [TopicPartition(topic, 0) for topic in topics]
    consumer.assign(places)
    for place in places:
        consumer.seek(place, 0)
    found: set[str] = set()
    end = time.monotonic() + WAIT_MS / 1000
    try:
        if group is not None:
            consumer.commit()
        while len(found) < most and time.monotonic() < end:
            found |= _served(consumer, 500)
        return found | _served(consumer, 1500)
    finally:
        consumer.close()


def _served(consumer: Any, within_ms: int) -> set[str]:
    try:
        return {place.topic for place in consumer.poll(timeout_ms=within_ms)}
    except TopicAuthorizationFailedError:
        return set()


@pytest.mark.parametrize("name", PRINCIPALS)
def test_everybody_writes_and_reads_what_the_list_says_and_nothing_else(
    cluster: GuardedKafka, scratch: KafkaPlace, name: str
) -> None:
    allowed = {scratch.name(topic) for topic in TOPICS if PRINCIPALS[name].reads(topic)}
    assert _read(cluster, name, [scratch.name(topic) for topic in TOPICS], len(allowed)) == allowed
    for topic in TOPICS:
        assert _writes(cluster, name, scratch.name(topic)) == PRINCIPALS[name].writes(topic), topic


@pytest.mark.parametrize("topic", [CHRONICLE, TURNS])
def test_another_installation_of_the_cluster_gets_nothing(cluster: GuardedKafka, place: KafkaPlace, topic: str) -> None:
    assert not _writes(cluster, "resolver", place.name(topic))
    assert _read(cluster, "operator", [place.name(topic)], 0) == set()


def test_an_analyst_has_groups_of_her_own_and_no_others(cluster: GuardedKafka, scratch: KafkaPlace) -> None:
    chronicle = scratch.name(CHRONICLE)
    assert _read(cluster, "analyst", [chronicle], 1, scratch.name("analyst-maps")) == {chronicle}
    with pytest.raises(GroupAuthorizationFailedError):
        _read(cluster, "analyst", [chronicle], 1, scratch.name("projector"))


def test_nobody_else_writes_under_the_name_of_a_partitions_owner(cluster: GuardedKafka, place: KafkaPlace) -> None:
    owner = place.name(f"{TURNS}-3")
    for name, prefix in (("orders", "league"), ("projector", "league"), ("analyst", "league"), ("resolver", "scratch")):
        producer = KafkaProducer(**_as(cluster, name, prefix), transactional_id=owner, max_block_ms=WAIT_MS)
        with pytest.raises(TransactionalIdAuthorizationFailedError):
            producer.init_transactions()
        producer.close()


def test_who_cannot_log_in_gets_nothing(cluster: GuardedKafka, place: KafkaPlace) -> None:
    wrong = {**_as(cluster, "resolver"), "sasl_plain_password": "guessed"}
    with pytest.raises(KafkaError):
        KafkaConsumer(**wrong, bootstrap_timeout_ms=2000)


@pytest.fixture(scope="module")
def house(cluster: GuardedKafka, place: KafkaPlace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Every service with a log-in of its own; the command line logs in as the operator."""
    for name in MODULES:
        cluster.environment(f"league.{name}")
    extra = {
        "WARLEDGER_LOG": f"kafka://{cluster.guarded}/league",
        "LOGGED_IN_FOLDER": str(cluster.folder),
        "LOGGED_IN_PREFIX": "league",
        "PYTHONPATH": str(ROOT),
        **cluster.environment("league.operator"),
        **PATIENT,
    }
    folder = tmp_path_factory.mktemp("guarded-house") / "data"
    with installation(folder, extra, dict.fromkeys(MODULES, "tests.e2e.logged_in")) as running:
        yield running


def _warledger(house: Installation, *arguments: str) -> str:
    """The command line, logged in as the operator."""
    done = subprocess.run(
        [sys.executable, "-m", "warledger", *arguments],
        env={**os.environ, **house.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_services_play_a_turn_with_the_rights_of_the_list(house: Installation, tmp_path: Path) -> None:
    game = small_war(house)
    red = enlisted(house, game, "red", "dunmere")
    blue = enlisted(house, game, "blue", "elmgate")
    red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 10}})
    blue.command(game, "chat", {"channel": "all", "text": "Here we are."})
    assert house.operator.command(game, "close_turn", {"turn": 1}).status == 201
    assert blue.get(f"/games/{game}/turns/1") == red.get(f"/games/{game}/turns/1")
    _warledger(house, "replay", game)
    assert "turn_closed" in _warledger(house, "tail", "turns", "--game", game, "--no-follow")


def test_the_operator_sets_a_game_down_and_lets_it_go_on_with_her_rights(house: Installation, tmp_path: Path) -> None:
    game = small_war(house)
    _warledger(house, "export", game, "--freeze", "--out", str(tmp_path / "game.jsonl"))
    _warledger(house, "game", "release", game)
    assert house.operator.command(game, "close_turn", {"turn": 1}).status == 201


def _acls(cluster: GuardedKafka, url: str, **user: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "warledger", "topics", "acls", "--json"],
        env={**os.environ, "WARLEDGER_LOG": url, **user},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_tells_an_administrator_what_is_missing(cluster: GuardedKafka, place: KafkaPlace) -> None:
    done = _acls(cluster, f"kafka://{cluster.open}/league")
    assert (done.returncode, done.stdout) == (0, '{"missing":[]}\n'), done.stderr
    elsewhere = _acls(cluster, f"kafka://{cluster.open}/elsewhere")
    assert elsewhere.returncode == 1, elsewhere.stderr
    own = [entry for entry in entries(place) if entry.name.startswith("league.")]
    assert len([line for line in elsewhere.stdout.splitlines() if "elsewhere." in orjson.loads(line)["name"]]) == len(
        own
    )


def test_a_cluster_that_checks_nothing_says_so(fresh_kafka_url: str) -> None:
    with pytest.raises(access.NobodyRefused, match="they have no authorizer"):
        access.apply(parse_place(fresh_kafka_url))


def test_the_command_is_refused_to_everybody_else(cluster: GuardedKafka, place: KafkaPlace) -> None:
    done = _acls(cluster, f"kafka://{cluster.guarded}/league", **cluster.environment("league.operator"))
    assert (done.returncode, "ClusterAuthorizationFailed" in done.stderr) == (3, True), done.stderr


def test_who_speaks_otherwise_than_the_brokers_is_told_which_setting_to_change(
    cluster: GuardedKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_client, "_let_in", set())
    monkeypatch.setattr(kafka_diagnosis, "SECONDS", 30.0)
    monkeypatch.setattr(kafka_diagnosis, "_STEP_SECONDS", 10.0)
    own = cluster.log_in("league.operator")
    for broker, security, said in (
        (cluster.guarded, {}, "speaks SASL_PLAINTEXT, and WARLEDGER_KAFKA_SECURITY is PLAINTEXT"),
        (cluster.open, own, "speaks PLAINTEXT, and WARLEDGER_KAFKA_SECURITY is SASL_PLAINTEXT"),
        (cluster.guarded, {**own, "sasl_plain_password": "guess"}, "probably refuses WARLEDGER_KAFKA_USER"),
    ):
        with pytest.raises(LogUnavailable, match=said):
            kafka_client.cluster_id(KafkaPlace((broker,), "", security), patience=1.0)
