"""A client that sends each request once: `python -m tests.bench.posts PORT CONNECTIONS FILE`; FILE as load.py has it.

Each connection is kept alive and has one request on its way. Prints how many were answered by a 2xx, and the seconds.
"""

import select
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.load import answered, unpacked

PATIENCE = 30.0
"""Seconds in which some answer must come."""


def send_each(port: int, connections: int, requests: Sequence[bytes]) -> int:
    """How many of the requests were answered. Raises ValueError for an answer that is no 2xx."""
    upcoming = iter(requests)
    open_ones = {made.fileno(): made for made in (_connected(port) for _ in range(min(connections, len(requests))))}
    waiting = select.epoll()
    received = dict.fromkeys(open_ones, b"")
    for number, connection in open_ones.items():
        waiting.register(number, select.EPOLLIN)
        connection.sendall(next(upcoming))
    count = 0
    while open_ones:
        heard = waiting.poll(PATIENCE)
        if not heard:
            raise TimeoutError(f"no answer for {PATIENCE:.0f} seconds")
        for number, _ in heard:
            part = open_ones[number].recv(65_536)
            if not part:
                raise ConnectionError("the server closed a connection")
            received[number] += part
            if not answered(received[number]):
                continue
            count += 1
            received[number] = b""
            following = next(upcoming, None)
            if following is None:
                waiting.unregister(number)
                open_ones.pop(number).close()
            else:
                open_ones[number].sendall(following)
    return count


def _connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), 5)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def main() -> None:
    port, connections, file = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    requests = unpacked(file.read_bytes())
    begun = time.perf_counter()
    print(send_each(port, connections, requests), time.perf_counter() - begun)


if __name__ == "__main__":
    main()
