"""Free TCP ports of this machine.

A port is free until somebody listens there, which takes a server seconds. So whoever chooses one here keeps it to
itself until its process ends: by a lock on the byte of that number in a file that all processes of a user share.
"""

import contextlib
import fcntl
import functools
import os
import random
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

_LOWEST, _HIGHEST = 20_000, 32_000
"""Below the ports that Linux gives to outgoing connections: a server that is away for a while gets its port back."""
_TRIES = 1000
_chosen: set[int] = set()
"""Ports that this process has chosen before: its own locks do not stop it."""


@contextlib.contextmanager
def held_ports(count: int) -> Iterator[list[int]]:
    """Free ports of 127.0.0.1, all different, bound until the block ends. Raises OSError where none is free."""
    with contextlib.ExitStack() as held:
        yield [_hold(held) for _ in range(count)]


def free_ports(count: int) -> list[int]:
    """Free ports, all different, that nobody else gets here; one who does not ask may take one before it is used, so be
    ready to try others."""
    with held_ports(count) as ports:
        return ports


def listening(port: int, host: str = "127.0.0.1") -> bool:
    """Whether something accepts connections there."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def _hold(held: contextlib.ExitStack) -> int:
    # The choice is no die of a game: any generator does.
    for _ in range(_TRIES):
        port = random.randint(_LOWEST, _HIGHEST)
        if not _choose(port):
            continue  # not even bound for a moment: its owner may be about to
        candidate = socket.socket()
        try:
            candidate.bind(("127.0.0.1", port))
        except OSError:
            candidate.close()
            continue
        held.enter_context(candidate)
        return port
    raise OSError(f"no free port of 127.0.0.1 between {_LOWEST} and {_HIGHEST}")


def _choose(port: int) -> bool:
    """Keep a port for this process; False if it or another has chosen it."""
    if port in _chosen:
        return False
    if (file := _choices()) is not None:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
        except OSError:
            return False
    _chosen.add(port)
    return True


@functools.cache
def _choices() -> int | None:
    """The file of locks, open until the process ends; None where there can be none."""
    path = Path(tempfile.gettempdir()) / f"warledger-ports-{os.getuid()}"
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
