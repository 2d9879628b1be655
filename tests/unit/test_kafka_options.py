"""How errors of Kafka's client are told."""

from kafka.errors import InvalidSessionTimeoutError, InvalidTransactionTimeoutError, NotCoordinatorError

from shared.log.kafka_options import said


def test_a_limit_of_brokers_that_is_too_tight_is_named_with_its_setting() -> None:
    assert "transaction.max.timeout.ms of the brokers must be at least 60000" in said(InvalidTransactionTimeoutError())
    assert "group.min.session.timeout.ms of the brokers must be at most 6000" in said(InvalidSessionTimeoutError())
    assert "must be" not in said(NotCoordinatorError())
