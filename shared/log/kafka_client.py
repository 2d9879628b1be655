"""Making a client of kafka-python so that a broker that is away leaves nothing behind."""

from collections.abc import Callable, Iterable
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from shared.log import LogUnavailable
from shared.log.kafka_diagnosis import diagnose
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_sockets import DIRECT, TerseSelector

_let_in: set[tuple[str, ...]] = set()
"""Brokers that have let this process in: if they do not answer later, it is not for the settings."""


def make_client(kind: Callable[..., Any], place: KafkaPlace, *, topics: Iterable[str] = (), **options: Any) -> Any:
    """A consumer, producer or admin client of kafka-python that has spoken with a broker.

    A client starts a thread before it looks for a broker, and gives up without ending it: one more with every attempt
    while the brokers are away. `topics`, by the cluster's names, are asked for with the first question: a client that
    learns later what it needs waits a tenth of a second before it asks again. Raises LogUnavailable.
    """
    network: list[Any] = []
    make_network = getattr(kind, "DEFAULT_CONFIG")["kafka_client"]  # noqa: B009 (kind is any callable to the types)

    def keep(**config: Any) -> Any:
        network.append(make_network(**config))
        cluster = network[-1].cluster
        # The clients have an option of this name, and do not hand it down (kafka-python 3.0).
        cluster.config["allow_auto_create_topics"] = False
        cluster._topics.update(topics)
        return network[-1]

    try:
        fixed = {"kafka_client": keep, "selector": TerseSelector}
        made = kind(**{"proxy_url": DIRECT, **place.options(), **options, **fixed})
    except KafkaError as error:
        for left in network:
            left.close()
        reason = None if place.brokers in _let_in else diagnose(place)
        said = f"no Kafka broker answers at {', '.join(place.brokers)}: {error}"
        raise LogUnavailable(reason or said) from error
    _let_in.add(place.brokers)
    return made


def cluster_id(place: KafkaPlace, patience: float) -> str:
    """The id that the cluster was given when it was made; whoever may log in is told it. Raises LogUnavailable."""
    limit = max(1_000, round(patience * 1000))
    admin = make_client(KafkaAdminClient, place, bootstrap_timeout_ms=limit, request_timeout_ms=limit)
    try:
        found = admin.describe_cluster()["cluster_id"]
    except KafkaError as error:
        raise LogUnavailable(f"Kafka does not say which cluster it is: {error}") from error
    finally:
        admin.close()
    if not found:
        raise LogUnavailable("Kafka does not say which cluster it is: it has no id yet")
    return str(found)
