"""The access list says what the code does, and nothing more."""

from itertools import product

import pytest
import yaml

from services.resolver.loop import GROUP as RESOLVER_GROUP
from services.resolver.projector.loop import GROUP as PROJECTOR_GROUP
from shared.commands import WRITERS, commands_of
from shared.config import SERVICES
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, TURNS
from shared.log.kafka_ownership import transactional_id
from shared.log.kafka_place import KafkaPlace
from shared.rights import ACCESS_FILE, PRINCIPALS, TOPICS, TRANSACTIONAL_ID, access_file, entries

ALONE = KafkaPlace(("127.0.0.1:9092",))
SHARED = KafkaPlace(("127.0.0.1:9092",), "league")
HANDLES_JOURNAL = {"resolver", "operator"}


def test_the_file_is_that_of_the_code_and_lists_every_entry() -> None:
    assert ACCESS_FILE.read_text() == access_file(), "run: python -m shared.rights"
    listed = [
        (principal, entry["resource"], entry["name"], entry["pattern"], tuple(entry["operations"]))
        for principal, rights in yaml.safe_load(ACCESS_FILE.read_text()).items()
        for entry in rights
    ]
    assert listed == [tuple(entry) for entry in entries(ALONE)]


def test_an_intake_writes_the_topic_of_its_commands_and_reads_nothing() -> None:
    assert set(WRITERS) <= set(SERVICES)
    for service in WRITERS:
        assert [topic for topic in TOPICS if PRINCIPALS[service].writes(topic)] == [WRITERS[service]]
        assert not any(PRINCIPALS[service].reads(topic) for topic in TOPICS)
        assert commands_of(WRITERS[service])


def test_every_process_that_opens_the_log_has_a_log_in_and_the_gateway_has_none() -> None:
    assert set(SERVICES) - PRINCIPALS.keys() == {"gateway", "streams"}
    assert PRINCIPALS.keys() - set(SERVICES) == {"operator", "analyst"}


@pytest.mark.parametrize("topic", [TURNS, CHRONICLE, DEAD_LETTERS])
def test_only_who_takes_partitions_over_writes_what_an_outcome_holds(topic: str) -> None:
    assert {name for name, item in PRINCIPALS.items() if item.writes(topic)} == HANDLES_JOURNAL


def test_an_input_topic_is_written_by_its_intake_and_with_ticks_by_the_resolver() -> None:
    owners = {topic: service for service, topic in WRITERS.items()}
    for topic in INPUT_TOPICS:
        writers = {name for name, item in PRINCIPALS.items() if item.writes(topic)}
        assert writers == {"resolver", owners[topic]} & PRINCIPALS.keys()


def test_an_analyst_reads_the_chronicle_and_nothing_else() -> None:
    analyst = PRINCIPALS["analyst"]
    assert [topic for topic in TOPICS if analyst.reads(topic)] == [CHRONICLE]
    assert not any(analyst.writes(topic) for topic in TOPICS)
    assert all(right.resource in ("topic", "group") for right in analyst.rights)


def test_secrets_are_read_by_services_and_operators_alone() -> None:
    for topic in set(TOPICS) - {CHRONICLE}:
        readers = {name for name, item in PRINCIPALS.items() if item.reads(topic)}
        assert readers <= {"resolver", "projector", "operator"}


def test_groups_and_transactions_are_named_as_the_code_names_them() -> None:
    for name, group in (("resolver", RESOLVER_GROUP), ("projector", PROJECTOR_GROUP)):
        rights = [right for right in PRINCIPALS[name].rights if right.resource == "group"]
        assert [(right.name, right.operations) for right in rights] == [(group, ("DESCRIBE", "READ"))]
    for place, number in product((ALONE, SHARED), range(PARTITIONS)):
        assert transactional_id(place, number).startswith(place.name(TRANSACTIONAL_ID))
    transactional = {
        name for name, item in PRINCIPALS.items() if any(right.resource == "transactional_id" for right in item.rights)
    }
    assert transactional == HANDLES_JOURNAL


def test_a_prefix_stands_before_every_name_but_those_of_the_cluster() -> None:
    for alone, shared in zip(entries(ALONE), entries(SHARED), strict=True):
        expected = alone.name if alone.name.startswith("__") else f"league.{alone.name}"
        principal = alone.principal.replace("User:", "User:league.")
        assert shared == alone._replace(principal=principal, name=expected)
