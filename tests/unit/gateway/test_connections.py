"""Kept-alive connections of the gateway to an intake."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from services.gateway.connections import Connections, Unreached


class Service(ThreadingHTTPServer):
    """Answers every POST with its body, and can hang up on everybody."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.together = threading.Barrier(1)
        self.clients: list[socket.socket] = []

    def hang_up(self) -> None:
        """Close every connection, as a server does with those that were idle too long."""
        for client in self.clients:
            client.shutdown(socket.SHUT_RDWR)
        self.clients.clear()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def setup(self) -> None:
        super().setup()
        self.server.clients.append(self.connection)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.together.wait(60)
        self.send_response(202)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def connections_to(service: Service) -> Connections:
    return Connections(f"http://127.0.0.1:{service.server_address[1]}")


def test_a_connection_is_used_again(service: Service) -> None:
    connections = connections_to(service)
    for body in (b"one", b"two"):
        assert connections.post("/commands", body, {}).body == body

    assert len(service.clients) == 1
    connections.close()


def test_idle_connections_that_the_service_closed_cost_no_answer(service: Service) -> None:
    connections = connections_to(service)
    service.together = threading.Barrier(3)
    threads = [threading.Thread(target=connections.post, args=("/commands", b"x", {})) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    service.together = threading.Barrier(1)
    assert len(service.clients) == 3

    service.hang_up()

    assert connections.post("/commands", b"after", {}).body == b"after"
    connections.close()


def test_a_service_that_is_not_there_is_unreached() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        connections = Connections(f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(Unreached):
            connections.post("/commands", b"{}", {})
