"""Plugins of all tests, and how hypothesis runs here: no time is judged, a busy machine makes no test fail."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.counts", "tests.servers.plugin", "tests.storage"]

settings.register_profile("warledger", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("warledger")
