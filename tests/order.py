"""Which files come first where several workers share the tests: the longest, so that none of them ends alone.

A file is one worker's (`--dist loadfile`): what its tests share is made once. The order is that of how long they take,
except that a storm of log-ins, which takes all processors, waits until the longest outage is over; a file that is not
named here takes seconds. Half of the time tests wait for servers, outages and limits: there are more workers than
processors.
"""

import pytest

LONGEST_FIRST = (
    "tests/faults/test_servers.py",
    "tests/e2e/test_docs.py",
    "tests/faults/test_crashes.py",
    "tests/e2e/test_demo.py",
    "tests/leaks/test_leaks.py",
    "tests/e2e/test_scale_out.py",
    "tests/e2e/test_access.py",
    "tests/e2e/test_exgenhoca.py",
    "tests/faults/test_stores.py",
    "tests/contract/test_log_kafka.py",
    "tests/rules/conformance/test_laws.py",
    "tests/hostile/test_secrets_at_rest.py",
    "tests/e2e/test_moving.py",
    "tests/faults/test_deadlines.py",
    "tests/contract/test_documents_mongo.py",
    "tests/hostile/test_slow_clients.py",
    "tests/hostile/test_log_in.py",
    "tests/faults/test_strangers.py",
    "tests/faults/test_sick_games.py",
    "tests/e2e/test_analysts.py",
    "tests/contract/test_kafka_membership.py",
    "tests/servers/test_command.py",
    "tests/unit/warledger/test_moving.py",
    "tests/servers/test_installed.py",
    "tests/rules/conformance/test_periods.py",
    "tests/faults/test_clocks_of_games.py",
    "tests/e2e/test_play.py",
    "tests/e2e/test_resolver.py",
    "tests/unit/resolver/projector/test_exactly_once.py",
    "tests/servers/test_plugin.py",
    "tests/e2e/test_notices.py",
    "tests/hostile/test_idempotency.py",
    "tests/servers/test_readiness.py",
    "tests/hostile/test_openapi.py",
    "tests/e2e/test_bots.py",
    "tests/rules/conformance/test_secrecy.py",
    "tests/unit/asyncapi/test_document.py",
    "tests/e2e/test_observability.py",
    "tests/contract/test_log_kafka_faults.py",
    "tests/unit/warledger/test_deadletters.py",
    "tests/e2e/test_topics.py",
    "tests/e2e/test_tracing.py",
    "tests/e2e/test_space_battle.py",
    "tests/contract/test_log_kafka_partitions.py",
    "tests/e2e/test_load.py",
    "tests/e2e/test_forces.py",
    "tests/e2e/test_up_on_servers.py",
    "tests/servers/test_local.py",
    "tests/servers/test_own.py",
)
_PLACES = {file: place for place, file in enumerate(LONGEST_FIRST)}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the tests of a worker into this order; alone, a session runs them as they stand."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _PLACES.get(item.nodeid.partition("::")[0], len(_PLACES)))
