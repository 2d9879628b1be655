"""The topics of one share of a cluster, for as long as a test needs them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from kafka import KafkaAdminClient

from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import TOPICS, apply


@contextmanager
def topics_at(url: str) -> Iterator[KafkaPlace]:
    """Topics as they must be; removed at the end."""
    place = parse_place(url)
    apply(place)
    try:
        yield place
    finally:
        remove_topics(place)


def remove_topics(place: KafkaPlace) -> None:
    """Remove what there is of the six topics: 72 partitions are a burden to a broker with little memory."""
    with closing(KafkaAdminClient(**place.options())) as admin:
        admin.delete_topics([place.name(topic) for topic in TOPICS], raise_errors=False)
