"""The servers of one installation for trying out: started to outlive the command, looked at, ended."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from shared.log.kafka_place import parse_place
from shared.log.kafka_topics import apply
from warledger.servers import NoServer
from warledger.servers.kafka import brokers_in
from warledger.servers.opening import open_kafka, open_mongo
from warledger.servers.recorded import KINDS, Recorded, State, answering, local_kafka, local_mongo, record

DATABASE = "warledger"
NAMES = {"kafka": "Kafka", "mongo": "documents"}

Say = Callable[[str], None]


class Found(NamedTuple):
    """A server as `status` finds it; `state` is `answers`, or why it does not."""

    server: str
    state: str
    started: bool
    """False if there is nothing that could answer."""
    way: str = ""
    address: str = ""
    processes: tuple[int, ...] = ()

    def document(self) -> dict[str, Any]:
        """What --json prints."""
        return {**self._asdict(), "processes": list(self.processes)}


def start(folder: Path, say: Say) -> dict[str, str]:
    """Start both, or find those that run, and make the topics; the variables that make an installation use them.

    Raises NoServer, and leaves running what runs by then.
    """
    state = State(folder)
    with state.locked():
        recorded = state.read()
        for kind in KINDS:
            recorded[kind] = _started(state, kind, recorded.get(kind), say)
            state.write(recorded)
    _make_topics(recorded["kafka"].address, say)
    return {
        "WARLEDGER_LOG": f"kafka://{recorded['kafka'].address}",
        "WARLEDGER_DOCS": f"{recorded['mongo'].address.rstrip('/')}/{DATABASE}",
    }


def end(folder: Path) -> Iterator[tuple[str, str]]:
    """End both; each server's kind with what became of it. Raises NoServer if an engine cannot be asked."""
    state = State(folder)
    with state.locked():
        recorded = state.read()
        for kind, server in recorded.items():
            ended = server.end()
            recorded[kind] = server.ended()
            state.write(recorded)
            yield kind, "ended" if ended else "not ours to end" if server.way == "given" else "did not run"


def look(folder: Path) -> list[Found]:
    """Both as they are now."""
    recorded = State(folder).read()
    return [_look(kind, recorded.get(kind)) for kind in KINDS]


def _started(state: State, kind: str, before: Recorded | None, say: Say) -> Recorded:
    """The server that runs already, else a new one."""
    name, folder = NAMES[kind], state.folder / kind
    try:
        if before and before.way != "given" and before.there():
            if answering(kind, before.address):
                say(f"{name} runs already at {before.address}")
                return before
            before.end()
        if kind == "kafka":
            server = open_kafka(folder, outlive=True, report=say, local=local_kafka(folder, before, say))
        else:
            server = open_mongo(folder, outlive=True, report=say, local=local_mongo(folder, before))
    except NoServer as error:
        raise type(error)(f"{name}: {error}") from error
    say(f"{name} ({server.way}) answers at {server.address}")
    return record(server)


def _make_topics(address: str, say: Say) -> None:
    """Make the topics, of three copies where there are as many brokers."""
    replication = 3 if brokers_in(address) >= 3 else 1
    for drift in apply(parse_place(f"kafka://{address}"), replication=replication).left:
        say(f"{drift.topic}: {drift.setting} is {drift.found}, wanted {drift.wanted}: {drift.remedy}")


def _look(kind: str, server: Recorded | None) -> Found:
    if server is None:
        return Found(kind, "not started", started=False)
    try:
        there = server.there()
    except NoServer as error:
        return Found(kind, str(error), True, server.way, server.address)
    if not there:
        return Found(kind, "not started", False, server.way, server.address)
    state = "answers" if answering(kind, server.address) else "does not answer"
    return Found(kind, state, True, server.way, server.address, tuple(pid for pid, _ in server.processes))
