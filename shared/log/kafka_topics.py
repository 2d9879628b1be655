"""The topics of an installation as they must be in Kafka: made where they are missing, raised, never lowered."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType, OffsetSpec
from kafka.errors import KafkaError, for_code
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, TURNS, LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace

TOPICS = (*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS)
INTERNAL = ("__transaction_state", "__consumer_offsets")
"""Topics of the cluster itself, without which no outcome is committed and no partition is shared."""
CONNECT_SECONDS = 4
READY_SECONDS = 30
"""Time for the partitions of new topics to get their leaders, and again for these to serve them."""
ASKED_MS = 1_000
SETTLED_SECONDS = 10
APPLY = "`warledger topics apply` sets it"

_MISSING, _EXISTS, _TOO_FEW_BROKERS = 3, 36, 38
"""Error codes of Kafka's protocol: unknown topic, topic already exists, invalid replication factor."""


class Setting(NamedTuple):
    """One setting of every topic: what it must be, and whether more than that is as good."""

    name: str
    value: str
    grows: bool
    """A number, of which a larger one keeps more; -1 is the largest."""

    def holds(self, found: str) -> bool:
        """Whether a topic with this value is as it must be."""
        return found == self.value or (self.grows and _size(found) >= _size(self.value))


SETTINGS = (
    # The time of a record is the log's: a deadline is kept whatever the clocks of the intakes say.
    Setting("message.timestamp.type", "LogAppendTime", grows=False),
    # The log is the truth of every game ever played: nothing of it ends, and no key replaces another.
    Setting("retention.ms", "-1", grows=True),
    Setting("retention.bytes", "-1", grows=True),
    Setting("cleanup.policy", "delete", grows=False),
    # A broker that packs again what we packed may take a way that no reader of ours unpacks (`kafka_records`).
    Setting("compression.type", "producer", grows=False),
    # A leader that has not everything would take back what was acknowledged.
    Setting("unclean.leader.election.enable", "false", grows=False),
    # A record of 900,000 bytes with its key, headers and the frame of its batch; Kafka's own default, said by name.
    Setting("max.message.bytes", "1048588", grows=True),
)
_MIN_INSYNC = "min.insync.replicas"


class Found(NamedTuple):
    """A topic as the cluster has it: partitions, the fewest replicas of any of them, and its settings."""

    partitions: int
    replicas: int
    settings: Mapping[str, str]


class Drift(NamedTuple):
    """Where a topic is not as it must be. `mendable`: `apply` mends it, without a loss to what is stored."""

    topic: str
    setting: str
    wanted: str
    found: str
    remedy: str
    mendable: bool


class Applied(NamedTuple):
    """What `apply` has mended, and what it must leave to somebody."""

    mended: Sequence[Drift]
    left: Sequence[Drift]


def min_insync(replicas: int) -> int:
    """How many replicas must hold a record before it is acknowledged.

    A majority of three or more, so that one broker may be gone. Of two it is one: with both the cluster would stop
    more often than a single broker does; they are held in step, but only three keep all when one is lost for good.
    """
    return replicas // 2 + 1 if replicas >= 3 else 1


def compare(
    place: KafkaPlace, found: Mapping[str, Found], replication: int, internal: Mapping[str, int] | None = None
) -> list[Drift]:
    """Where topics are not as they must be; `found` and `internal` (replicas) are by the cluster's names."""
    drifts = [drift for topic in map(place.name, TOPICS) for drift in _of_topic(topic, found.get(topic), replication)]
    for topic, replicas in sorted((internal or {}).items()):
        if replicas < replication:
            drifts.append(_replicas(topic, replicas, replication))
    return drifts


def survey(place: KafkaPlace, *, replication: int = 1) -> list[Drift]:
    """Where topics are not as they must be; changes nothing. Raises LogUnavailable."""
    with _Cluster(place) as cluster:
        return cluster.compare(replication)


def apply(place: KafkaPlace, *, replication: int = 1) -> Applied:
    """Make the topics that are missing and raise what may be raised; nothing is lowered or deleted.

    New topics can be used when it returns. Raises LogUnavailable; what was done by then is done, apply again.
    """
    with _Cluster(place) as cluster:
        return cluster.apply(replication)


def desired(replicas: int) -> dict[str, str]:
    """The settings of a topic of so many replicas, by name."""
    return {setting.name: setting.value for setting in _settings(replicas)}


def _settings(replicas: int) -> tuple[Setting, ...]:
    return (*SETTINGS, Setting(_MIN_INSYNC, str(min_insync(replicas)), grows=True))


def _of_topic(topic: str, found: Found | None, replication: int) -> Iterator[Drift]:
    if found is None:
        yield Drift(topic, "topic", f"{PARTITIONS} partitions", "missing", "`warledger topics apply` makes it", True)
        return
    if found.partitions != PARTITIONS:
        why = (
            "a game's partition is its id's hash modulo 12: with another number it would move, away from what is stored"
            " of it. Neither can be mended in place: move the games by export and import into topics made by"
            " `warledger topics apply` under another prefix"
        )
        yield Drift(topic, "partitions", str(PARTITIONS), str(found.partitions), why, False)
    if found.replicas < replication:
        yield _replicas(topic, found.replicas, replication)
    for setting in _settings(found.replicas):
        value = found.settings.get(setting.name, "")
        if not setting.holds(value):
            yield Drift(topic, setting.name, setting.value, value, APPLY, True)
    insync = _size(found.settings.get(_MIN_INSYNC, ""))
    if insync > found.replicas:
        why = f"no record is taken before {insync:.0f} replicas have it: add replicas with kafka-reassign-partitions.sh"
        yield Drift(topic, _MIN_INSYNC, f"at most {found.replicas}", f"{insync:.0f}", why, False)


def _replicas(topic: str, found: int, wanted: int) -> Drift:
    why = "add replicas with Kafka's kafka-reassign-partitions.sh; they are copied while play goes on"
    return Drift(topic, "replicas", str(wanted), str(found), why, False)


def _size(value: str) -> float:
    """A number as a setting holds it; -1 stands for no limit, what is no number is below all."""
    try:
        number = int(value)
    except ValueError:
        return float("-inf")
    return float("inf") if number == -1 else number


class _Cluster:
    """A client of the cluster for the time of one survey. Every failure of Kafka's is LogUnavailable."""

    def __init__(self, place: KafkaPlace) -> None:
        self._place = place
        self._admin: Any = None

    def __enter__(self) -> "_Cluster":
        self._admin = make_client(KafkaAdminClient, self._place, bootstrap_timeout_ms=CONNECT_SECONDS * 1000)
        return self

    def __exit__(self, *_: object) -> None:
        self._admin.close()

    def compare(self, replication: int) -> list[Drift]:
        """What differs now."""
        try:
            found, internal = self._found()
        except KafkaError as error:
            raise LogUnavailable(f"Kafka cannot say what topics there are: {error}") from error
        return compare(self._place, found, replication, internal)

    def apply(self, replication: int) -> Applied:
        """Mend what can be mended, then look again."""
        before = self.compare(replication)
        try:
            self._create([drift.topic for drift in before if drift.setting == "topic"], replication)
            self._raise([drift for drift in before if drift.mendable and drift.setting != "topic"])
        except KafkaError as error:
            raise LogUnavailable(f"Kafka did not change its topics: {error}") from error
        after = self._settled(replication) if before else []
        return Applied([drift for drift in before if drift.mendable and drift not in after], after)

    def _settled(self, replication: int) -> list[Drift]:
        """What differs once the brokers know of what was changed; they hear of it a moment after it was accepted."""
        until = time.monotonic() + SETTLED_SECONDS
        while True:
            left = self.compare(replication)
            if time.monotonic() > until or not any(drift.mendable for drift in left):
                return left
            time.sleep(0.02)

    def _found(self) -> tuple[dict[str, Found], dict[str, int]]:
        names = [self._place.name(topic) for topic in TOPICS]
        described = {}
        for item in self._admin.describe_topics([*names, *INTERNAL]):
            if item["error_code"] not in (0, _MISSING):
                raise for_code(item["error_code"])(item["name"])
            if item["partitions"]:
                described[item["name"]] = item["partitions"]
        replicas = {name: min(len(item["replica_nodes"]) for item in parts) for name, parts in described.items()}
        settings = self._values([name for name in names if name in described])
        found = {name: Found(len(described[name]), replicas[name], settings[name]) for name in settings}
        return found, {name: replicas[name] for name in INTERNAL if name in replicas}

    def _values(self, topics: Sequence[str]) -> dict[str, dict[str, str]]:
        if not topics:
            return {}
        wanted = [ConfigResource(ConfigResourceType.TOPIC, topic, list(desired(1))) for topic in topics]
        values = self._admin.describe_configs(wanted, config_filter="all")["topic"]
        return {topic: {name: item["value"] or "" for name, item in values[topic].items()} for topic in topics}

    def _create(self, topics: Sequence[str], replication: int) -> None:
        if not topics:
            return
        shape = {"num_partitions": PARTITIONS, "replication_factor": replication, "configs": desired(replication)}
        answer = self._admin.create_topics(dict.fromkeys(topics, shape), raise_errors=False)
        for item in answer["topics"]:
            if item["error_code"] == _TOO_FEW_BROKERS:
                raise TooFewBrokers(f"{replication} replicas need as many brokers: {item['error_message']}")
            if item["error_code"] not in (0, _EXISTS):  # somebody else may have made it meanwhile
                raise LogUnavailable(f"Kafka did not make the topic {item['name']}: {item['error_message']}")
        self._admin.wait_for_topics(topics, timeout_ms=READY_SECONDS * 1000)
        self._await_leaders(topics)

    def _await_leaders(self, topics: Sequence[str]) -> None:
        """Wait until the leader of each partition serves it: it is named before it has made its files, and until then
        whoever asks for an end or writes waits. Raises LogUnavailable."""
        wanted = dict.fromkeys(
            (KafkaPartition(topic, number) for topic in topics for number in range(PARTITIONS)), OffsetSpec.LATEST
        )
        until = time.monotonic() + READY_SECONDS
        while True:
            try:
                self._admin.list_partition_offsets(wanted, timeout_ms=ASKED_MS)
                return
            except KafkaError as error:
                if time.monotonic() > until:
                    waited = f"waited {READY_SECONDS} seconds for the leaders of all partitions of {', '.join(topics)}"
                    told = "they are made, apply again to wait on"
                    raise LogUnavailable(f"Kafka does not serve its new topics: {waited}: {error}; {told}") from error
            time.sleep(0.02)

    def _raise(self, drifts: Sequence[Drift]) -> None:
        values: dict[str, dict[str, str]] = {}
        for drift in drifts:
            values.setdefault(drift.topic, {})[drift.setting] = drift.wanted
        if not values:
            return
        wanted = [ConfigResource(ConfigResourceType.TOPIC, topic, found) for topic, found in values.items()]
        answer = self._admin.alter_configs(wanted, raise_on_unknown=False, incremental=True)
        for topic, said in answer["topic"].items():
            if said != "OK":
                raise LogUnavailable(f"Kafka did not change the settings of {topic}: {said}")


class TooFewBrokers(ValueError):
    """More replicas were asked for than the cluster has brokers; nothing was made."""
