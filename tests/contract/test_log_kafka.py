"""The Kafka adapter passes the contract of the log, on a real broker."""

import pytest

from tests.contract.kafka_house import KafkaFixtures
from tests.contract.log_append_contract import LogAppendContract
from tests.contract.log_outcome_contract import LogOutcomeContract
from tests.contract.log_reading_contract import LogReadingContract

pytestmark = pytest.mark.servers


class TestKafkaAppend(KafkaFixtures, LogAppendContract):
    """Appending."""


class TestKafkaReading(KafkaFixtures, LogReadingContract):
    """Reading."""


class TestKafkaOutcome(KafkaFixtures, LogOutcomeContract):
    """Outcomes and ownership."""
