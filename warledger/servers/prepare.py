"""Fetch what the servers of tests need: `python -m warledger.servers.prepare`.

Says what this machine lacks; that is an error, status 1, with WARLEDGER_REQUIRE_SERVERS=1 alone.
"""

import os
import sys

from warledger.servers import NoServer
from warledger.servers.opening import prepare_kafka


def main() -> int:
    """Fetch Kafka unless it is here, given, or comes in a container; the exit status."""
    try:
        prepare_kafka(lambda line: print(line, flush=True))
    except NoServer as error:
        print(f"no Kafka for tests: {error}", file=sys.stderr)
        return 1 if os.environ.get("WARLEDGER_REQUIRE_SERVERS") == "1" else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
