"""How a process begins: what is wrong with settings or keys ends it at once, with one sentence and status 2."""

import sys
from collections.abc import Callable

from shared import logs
from shared.config import ConfigError, Settings, from_environment

MALFORMED = 2


def start(service: str, run: Callable[[Settings], int | None]) -> int:
    """Run a process with its settings; its exit status. `run` may raise ConfigError until it begins to serve."""
    logs.configure(service)
    try:
        settings = from_environment()
        logs.configure(service, settings.log_level)
        return run(settings) or 0
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return MALFORMED
