"""Whether the process on this machine is ready, as an exit code: `python -m shared.probe`, for health checks.

WARLEDGER_ROLE names the process, WARLEDGER_HOST, WARLEDGER_INNER_HOST and the ports say where it listens. 0: ready;
1: it is not, with the reason on standard output; 2: a setting cannot be used.
"""

import os
import sys
import urllib.error
import urllib.request

from shared.config import SERVICES, ConfigError, Settings, from_environment

ROLE = "WARLEDGER_ROLE"
SECONDS = 4.0
READY, NOT_READY, MALFORMED = 0, 1, 2


def fault_of(settings: Settings, service: str) -> str | None:
    """Why a process of this machine is not ready, None if it is."""
    url = f"{settings.local_url(service)}/readyz"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return None if answer.status == 200 else f"{url} answers {answer.status}"
    except urllib.error.HTTPError as error:
        return error.read().decode(errors="replace").strip() or f"{url} answers {error.code}"
    except OSError as error:
        return f"{url}: {error}"


def main() -> int:
    """Ask the process that WARLEDGER_ROLE names; the exit status."""
    service = os.environ.get(ROLE, "")
    if service not in SERVICES:
        sys.stderr.write(f"{ROLE}={service!r}: expected one of {', '.join(SERVICES)}\n")
        return MALFORMED
    try:
        fault = fault_of(from_environment(), service)
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return MALFORMED
    sys.stdout.write(f"{fault or 'ok'}\n")
    return NOT_READY if fault else READY


if __name__ == "__main__":
    sys.exit(main())
