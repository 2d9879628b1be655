"""Keeps one server for a whole test session: `python -m tests.servers.keeper KIND FOLDER`.

The workers of a session share a server, and none of them may end it: whoever needs it first starts this process, which
writes the address to FOLDER/KIND.json and waits until the session's controller lets go of FOLDER/session.lock. Whatever
ends a process lets go of its locks, kill -9 included, so no server outlives its session.
"""

import fcntl
import json
import os
import shutil
import sys
from pathlib import Path

from warledger.servers import NoServer
from warledger.servers.opening import open_kafka, open_mongo

SESSION_LOCK = "session.lock"
ORDERLY = "orderly"
"""A file that the controller makes before it lets go: it removes the folder itself, when it has looked at the logs."""


def main(kind: str, folder: Path) -> None:
    """Start the server, wait for the end of the session, end the server."""
    with (folder / f"{kind}.alive").open("w") as alive, (folder / SESSION_LOCK).open("r+") as session:
        fcntl.flock(alive, fcntl.LOCK_EX)
        try:
            server = open_kafka(folder / kind) if kind == "kafka" else open_mongo(folder / kind)
        except NoServer as error:
            tell(folder / f"{kind}.json", {"reason": str(error)})
            return
        try:
            tell(folder / f"{kind}.json", {"address": server.address})
            fcntl.flock(session, fcntl.LOCK_EX)
        finally:
            server.stop()
    if not (folder / ORDERLY).exists():
        shutil.rmtree(folder, ignore_errors=True)


def tell(path: Path, said: dict[str, str]) -> None:
    """Write a file that readers see whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(said))
    os.replace(draft, path)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
