"""A load client, as a process of its own: `python -m tests.bench.load PORT SECONDS CONNECTIONS FILE`.

FILE holds HTTP/1.1 requests, each behind its length (4 bytes, big-endian); they are sent in order, from the beginning
again if they run out. Each connection is kept alive and has one request on its way. What is answered in the first tenth
of the time is not counted. Prints answers a second, median and 99th percentile of their times in milliseconds.
"""

import select
import socket
import struct
import sys
import time
from itertools import cycle
from pathlib import Path

LENGTH = struct.Struct(">I")
_WARM_UP = 0.1
_SHOWN = 400


def packed(requests: list[bytes]) -> bytes:
    """The content of FILE."""
    return b"".join(LENGTH.pack(len(request)) + request for request in requests)


def unpacked(data: bytes) -> list[bytes]:
    """The requests of FILE."""
    found, at = [], 0
    while at < len(data):
        (length,) = LENGTH.unpack_from(data, at)
        at += LENGTH.size
        found.append(data[at : at + length])
        at += length
    return found


def answered(data: bytes) -> bool:
    """Whether an answer with a Content-Length is complete. Raises ValueError unless its status is 2xx."""
    head = data.find(b"\r\n\r\n")
    if head < 0:
        return False
    if data[9:10] != b"2":
        raise ValueError(data[:_SHOWN].decode(errors="replace"))
    at = data.find(b"Content-Length: ", 0, head)
    if at < 0:
        raise ValueError("an answer without Content-Length")
    return len(data) >= head + 4 + int(data[at + 16 : data.find(b"\r", at)])


def drive(port: int, seconds: float, connections: int, requests: list[bytes]) -> list[float]:
    """Keep every connection busy for so long; returns the seconds that each counted answer took."""
    upcoming = cycle(requests)
    sockets: dict[int, socket.socket] = {}
    received: dict[int, bytes] = {}
    sent: dict[int, float] = {}
    waiting = select.epoll()
    for _ in range(connections):
        made = socket.create_connection(("127.0.0.1", port), 5)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sockets[made.fileno()] = made
        received[made.fileno()] = b""
        waiting.register(made.fileno(), select.EPOLLIN)
    now = time.perf_counter()
    begin, end = now + seconds * _WARM_UP, now + seconds
    for number, connection in sockets.items():
        sent[number] = now
        connection.sendall(next(upcoming))
    times: list[float] = []
    while now < end:
        for number, _ in waiting.poll(5):
            part = sockets[number].recv(65_536)
            if not part:
                raise ConnectionError("the server closed a connection")
            data = received[number] + part
            if not answered(data):
                received[number] = data
                continue
            now = time.perf_counter()
            if now >= begin:
                times.append(now - sent[number])
            received[number] = b""
            sent[number] = now
            sockets[number].sendall(next(upcoming))
    for connection in sockets.values():
        connection.close()
    return times


def main() -> None:
    port, seconds, connections, file = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    times = sorted(drive(port, seconds, connections, unpacked(file.read_bytes())))
    rate = len(times) / (seconds * (1 - _WARM_UP))
    print(rate, 1000 * times[len(times) // 2], 1000 * times[len(times) * 99 // 100])


if __name__ == "__main__":
    main()
