"""A process in place of a service: ready, never ready (TOY_SICK names its role) or ending at once (TOY_DIES)."""

import os
import signal
import sys
import threading

from shared.config import from_environment
from shared.health import HealthServer

if __name__ == "__main__":
    role = os.environ["WARLEDGER_ROLE"]
    if role == os.environ.get("TOY_DIES"):
        sys.exit("the rules of this toy are to end")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stop.set())
    sick = "partition 3 is stopped" if role == os.environ.get("TOY_SICK") else None
    server = HealthServer("127.0.0.1", from_environment().ports[role], lambda: None, lambda: sick)
    stop.wait()
    server.close()
