"""Plugins of all tests, how hypothesis runs here (no time is judged, a busy machine makes no test fail), and logging:
what a process of an installation says at info is not said by a test."""

import logging

import structlog
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.counts", "tests.order", "tests.servers.plugin", "tests.storage"]

settings.register_profile("warledger", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("warledger")

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
