"""A server of the MongoDB protocol as a process of this machine: secantusdb, run as a program of its own."""

import shutil
import sys
from pathlib import Path

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from warledger.servers import NoServer
from warledger.servers.child import Child
from warledger.servers.ports import free_ports

READY_WITHIN = 60.0
_PROGRAM = "secantusd-py"
_READY = "secantus listening on"
"""What it says when the port is its own: whoever asks the port alone may meet another server there."""
_STARTS = 5


class LocalMongo:
    """A standalone server in `folder`. `port` is that of an earlier start. Storage that is there is used again.

    With `sync` every commit is on the disk before it is answered, which outlasts a loss of power; without, a kill -9.
    """

    way = "process"

    def __init__(self, folder: Path, *, port: int = 0, sync: bool = False, outlive: bool = False) -> None:
        self.folder = folder
        self.port = port
        self._sync = sync
        self._outlive = outlive
        self._child: Child | None = None

    @property
    def address(self) -> str:
        """mongodb://HOST:PORT."""
        return f"mongodb://127.0.0.1:{self.port}"

    @property
    def child(self) -> Child:
        """The process. Raises RuntimeError before the start."""
        if self._child is None:
            raise RuntimeError("the server was not started")
        return self._child

    @property
    def children(self) -> list[Child]:
        """The process, as other servers name theirs."""
        return [self.child]

    def start(self) -> None:
        """Start it; returns when it answers. Raises NoServer."""
        for attempt in range(1, _STARTS + 1):
            if not self.port or attempt > 1:
                self.port = free_ports(1)[0]
            self._child = Child(self._command(), self.folder / "mongo.log", outlive=self._outlive)
            try:
                self.restart()
                return
            except NoServer:
                taken = self._child.said("Address already in use", "address already in use")
                self.stop()
                if not taken or attempt == _STARTS:
                    raise
                self._child.log.unlink()

    def restart(self) -> None:
        """Start it again on its port, with what it stored; returns when it answers."""
        self.child.start()
        self.child.await_ready(lambda: self.child.said(_READY) and answers(self.address), READY_WITHIN)

    def kill(self) -> None:
        """End it as kill -9 does."""
        self.child.kill()

    def pause(self) -> None:
        """SIGSTOP."""
        self.child.pause()

    def resume(self) -> None:
        """SIGCONT."""
        self.child.resume()

    def stop(self) -> None:
        """End it; data and log stay in the folder."""
        if self._child is not None:
            self._child.stop()

    def _command(self) -> list[str]:
        program = Path(sys.executable).parent / _PROGRAM
        found = str(program) if program.exists() else shutil.which(_PROGRAM)
        if found is None:
            raise NoServer(f"no {_PROGRAM}: install warledger[servers], which brings secantusdb")
        config = self.folder / "secantusd.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        # An empty file: the program would take one that lies in the current or in the home folder.
        config.touch()
        options = ["--config", str(config), "--port", str(self.port), "--storage-path", str(self.folder / "data")]
        return [found, *options, "--standalone", "--cache-size", "256M", *(["--sync-on-commit"] if self._sync else [])]


def answers(url: str) -> bool:
    """Whether a server of the protocol answers at the URL."""
    try:
        with MongoClient[dict[str, object]](url, serverSelectionTimeoutMS=2000, connectTimeoutMS=2000) as client:
            client.admin.command("ping")
    except PyMongoError:
        return False
    return True
