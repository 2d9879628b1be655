"""Free TCP ports of this machine."""

import contextlib
import random
import socket
from collections.abc import Iterator

_LOWEST, _HIGHEST = 20_000, 32_000
"""Below the ports that Linux gives to outgoing connections: a server that is away for a while gets its port back."""
_TRIES = 1000


@contextlib.contextmanager
def held_ports(count: int) -> Iterator[list[int]]:
    """Free ports of 127.0.0.1, all different, bound until the block ends. Raises OSError where none is free."""
    with contextlib.ExitStack() as held:
        yield [_hold(held) for _ in range(count)]


def free_ports(count: int) -> list[int]:
    """Free ports, all different; somebody else may take one before it is used, so be ready to try others."""
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
        candidate = socket.socket()
        try:
            candidate.bind(("127.0.0.1", port))
        except OSError:
            candidate.close()
            continue
        held.enter_context(candidate)
        return port
    raise OSError(f"no free port of 127.0.0.1 between {_LOWEST} and {_HIGHEST}")
