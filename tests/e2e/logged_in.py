"""A service that logs in to Kafka under its own name: `python -m tests.e2e.logged_in`, started by a supervisor.

LOGGED_IN_FOLDER holds the passwords, LOGGED_IN_PREFIX begins the names. Gateway and streams get a log-in that the
cluster does not know: they need none.
"""

import os
import runpy

from warledger.processes import MODULES

if __name__ == "__main__":
    role = os.environ["WARLEDGER_ROLE"]
    user = f"{os.environ['LOGGED_IN_PREFIX']}.{role}"
    os.environ["WARLEDGER_KAFKA_USER"] = user
    os.environ["WARLEDGER_KAFKA_PASSWORD_FILE"] = os.path.join(os.environ["LOGGED_IN_FOLDER"], f"{user}.password")
    runpy.run_module(MODULES[role], run_name="__main__")
