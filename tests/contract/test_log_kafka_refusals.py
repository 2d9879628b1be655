"""What brokers refuse for good is told as not written, draft by draft, and takes nothing else with it."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaTimeoutError, TopicAuthorizationFailedError

from shared.log import AppendedInPart, AppendUnknown, Coordinates, Draft, LogUnavailable
from shared.log.kafka_append import _failure
from shared.log.kafka_place import parse_place
from shared.log.kafka_topics import apply, survey
from tests.contract.kafka_house import KafkaHouse
from tests.contract.log_house import draft, eventually, key_in
from tests.servers import KafkaServer, fresh_kafka_url
from tests.servers.topics import remove_topics

pytestmark = pytest.mark.servers
FEW = 6
THERE, BEYOND = key_in(2), key_in(8)


@pytest.fixture
def house(kafka_server: KafkaServer) -> Iterator[KafkaHouse]:
    """Topics of which `orders` was made by somebody else, with too few partitions."""
    place = parse_place(fresh_kafka_url(kafka_server))
    with closing(KafkaAdminClient(**place.options())) as admin:
        admin.create_topics({place.name("orders"): {"num_partitions": FEW, "replication_factor": 1}})
    eventually(lambda: (place.name("orders"), "partitions") in {(item.topic, item.setting) for item in survey(place)})
    apply(place)
    yield KafkaHouse(place)
    remove_topics(place)


def outcomes(house: KafkaHouse, topic: str, drafts: Sequence[Draft]) -> Sequence[Coordinates | LogUnavailable]:
    """What became of each draft, by a producer that lives on."""
    with closing(house.log(topic)) as log:
        try:
            return log.append(topic, drafts)
        except AppendedInPart as error:
            return error.outcomes


def is_refused(outcome: Coordinates | LogUnavailable, reason: str) -> bool:
    """Whether this was not written, for this reason; what nobody knows is no refusal."""
    return isinstance(outcome, LogUnavailable) and not isinstance(outcome, AppendUnknown) and reason in str(outcome)


def test_a_topic_with_too_few_partitions_refuses_those_it_lacks_alone_and_is_no_place_to_append_to(
    house: KafkaHouse,
) -> None:
    said = f"{house.place.name('orders')} has {FEW} partitions, not 12: see `warledger topics status`"

    there, beyond = outcomes(house, "orders", [draft(THERE), draft(BEYOND)])

    assert isinstance(there, Coordinates)
    assert is_refused(beyond, said)
    with closing(house.log("orders")) as log:
        with pytest.raises(LogUnavailable, match="6 partitions, not 12"):
            log.check("orders")
        log.check("votes")


def test_a_record_over_the_limit_of_a_lowered_topic_is_not_written_and_smaller_ones_go_on(house: KafkaHouse) -> None:
    large = draft(THERE, random.Random(1).randbytes(3_000))
    with closing(KafkaAdminClient(**house.place.options())) as admin:
        lowered = ConfigResource(ConfigResourceType.TOPIC, house.place.name("votes"), {"max.message.bytes": 2_000})
        admin.alter_configs([lowered])

    with closing(house.log("votes")) as log:

        def refused() -> bool:
            try:
                log.append("votes", [large])
            except AppendedInPart as error:
                return is_refused(error.outcomes[0], "MessageSizeTooLarge")
            return False

        eventually(refused)  # the broker hears of the limit a moment later
        assert len(log.append("votes", [draft(THERE)])) == 1


def test_what_an_account_may_not_write_is_refused_and_what_is_not_answered_is_unknown() -> None:
    assert is_refused(_failure(TopicAuthorizationFailedError({"orders"}), sent=True), "TopicAuthorizationFailed")
    assert isinstance(_failure(KafkaTimeoutError(), sent=True), AppendUnknown)
