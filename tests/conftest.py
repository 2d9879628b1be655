"""Plugins of all tests, how hypothesis runs here, and logging.

Hypothesis judges no time, so that a busy machine makes no test fail, and draws the same examples in every run; others
are drawn under `--hypothesis-profile wide`. What a process of an installation says at info is not said by a test, and
a failure is told without pictures of code.
"""

import gc
import logging
from collections.abc import Generator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from shared import collection

pytest_plugins = ["tests.counts", "tests.order", "tests.servers.plugin", "tests.storage"]

settings.register_profile("wide", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("warledger", settings.get_profile("wide"), derandomize=True, database=None)
settings.load_profile("warledger")

structlog.configure(
    wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    processors=[
        structlog.processors.add_log_level,
        structlog.dev.set_exc_info,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ],
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what is collected is garbage."""
    with collection.paused():
        return (yield)


def pytest_collection_finish() -> None:
    """The modules and the list of all tests are there to stay: going through them was a tenth of the time of all tests.

    A resolver on a thread of a test would go through them as well when it has taken games over: not here.
    """
    collection.settle()
    gc.set_threshold(5_000, 10, 50)
    pytest.MonkeyPatch().setattr(collection, "settle", lambda: None)
