"""Other processes of a contract test: started fresh, never forked, killed by their own handle."""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

_SPAWN = multiprocessing.get_context("spawn")
_SECONDS = 60.0


@contextlib.contextmanager
def running(work: Callable[..., None], *arguments: Any) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process that does `work(connection, *arguments)`; gone when the block ends."""
    here, there = _SPAWN.Pipe()
    process = _SPAWN.Process(target=work, args=(there, *arguments))
    process.start()
    there.close()
    try:
        yield process, here
    finally:
        here.close()
        process.join(0 if process.exitcode is not None else 5)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()


def receive(connection: Connection) -> Any:
    """What the process sends next; fails if it is silent for too long or died."""
    assert connection.poll(_SECONDS), "the other process is silent"
    return connection.recv()
