"""Requests that are there at the same time are answered as one piece of work, each with its own answer."""

import json
import math
import select
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from typing import Any

import pytest
from flask import Flask

from shared.server.exchange import together
from shared.serving import serve
from tests.contract.processes import receive, running
from warledger.servers.ports import free_ports

SECONDS = 60
COUNT = 10
THREADS = 4


class Counting:
    """Answers how many requests came together; those that wait hold two groups until somebody says `go on`."""

    most_groups = 2
    patience = math.inf

    def __init__(self, connection: Connection, app: Callable[..., Any]) -> None:
        self._connection = connection
        self._app = app
        self.go_on = threading.Event()
        self.meeting = threading.Barrier(THREADS)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/go-on":
            waited_for, self.go_on = self.go_on, threading.Event()
            waited_for.set()
        if environ["PATH_INFO"] == "/meet":
            self.meeting.wait(SECONDS)
        if environ["PATH_INFO"] == "/exit":
            raise SystemExit
        return self._app(environ, start_response)  # type: ignore[no-any-return]

    def may_join(self, data: bytes) -> bool:
        return data.startswith(b"POST /joint ")

    def joins(self, environ: dict[str, Any]) -> bool:
        return "HTTP_PREFER" not in environ

    def answer_together(
        self, requests: Sequence[tuple[dict[str, Any], Callable[..., Any]]]
    ) -> list[Iterable[bytes] | Exception]:
        said = [environ["wsgi.input"].read() for environ, _ in requests]
        if b"fault" in said:
            raise ZeroDivisionError
        if b"exit" in said:
            raise SystemExit
        if b"too few" in said:
            return []
        if b"wait" in said:
            go_on = self.go_on
            self._connection.send("a group waits")
            assert go_on.wait(SECONDS)
        answers: list[Iterable[bytes] | Exception] = []
        for (_, start_response), body in zip(requests, said, strict=True):
            if body == b"own fault":
                answers.append(ZeroDivisionError())
                continue
            answer = json.dumps([body.decode(), len(requests)]).encode()
            start_response("200 OK", [("Content-Length", str(len(answer)))])
            answers.append([answer])
        return answers


def work(connection: Connection, port: int) -> None:
    def build() -> Flask:
        app = Flask("toy")
        app.add_url_rule("/go-on", "go on", lambda: "gone on")
        app.add_url_rule("/meet", "meet", lambda: "met")
        app.add_url_rule("/livez", "livez", lambda: "ok")
        app.add_url_rule("/joint", "joint", lambda: "alone", methods=["POST"])
        app.wsgi_app = Counting(connection, app.wsgi_app)  # type: ignore[method-assign]
        return app

    serve("toy", build, host="127.0.0.1", port=port, workers=1, threads=THREADS, max_body_bytes=1000)


@pytest.fixture(scope="module")
def toy() -> Iterator[tuple[int, Connection]]:
    (port,) = free_ports(1)
    with running(work, port) as (process, connection):
        while process.is_alive():
            try:
                ask(port, "GET", "/livez")
                break
            except OSError:
                process.join(0.02)
        yield port, connection
        process.terminate()
        process.join(SECONDS)


def ask(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_who_comes_while_threads_are_at_it_goes_together_and_others_are_not_kept(toy: tuple[int, Connection]) -> None:
    port, _ = toy
    with ThreadPoolExecutor(Counting.most_groups) as pool, ExitStack() as stack:
        first = all_groups_wait(pool, toy)
        rest = [stack.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS))) for _ in range(COUNT)]
        for number, each in enumerate(rest):
            each.request("POST", "/joint", str(number).encode())
        # Another request is answered meanwhile, by one of the threads that are left.
        assert ask(port, "GET", "/livez") == (200, b"ok")
        assert not select.select([each.sock for each in rest], [], [], 0)[0]
        assert ask(port, "GET", "/go-on") == (200, b"gone on")  # read by the event loop after all of them
        assert [each.result(SECONDS) for each in first] == [(200, b'["wait", 1]')] * 2
        answers = [json.loads(each.getresponse().read()) for each in rest]
    assert [said for said, _ in answers] == [str(number) for number in range(COUNT)]
    assert max(size for _, size in answers) > 1


def all_groups_wait(pool: ThreadPoolExecutor, toy: tuple[int, Connection]) -> list[Future[tuple[int, bytes]]]:
    """So many as may be under way, until somebody says `go on`."""
    port, connection = toy
    found = []
    for _ in range(Counting.most_groups):
        found.append(pool.submit(ask, port, "POST", "/joint", b"wait"))
        assert receive(connection) == "a group waits"
    return found


def go_together(toy: tuple[int, Connection], *bodies: bytes) -> list[int]:
    """The statuses of requests that are answered as one group."""
    port, _ = toy
    with ThreadPoolExecutor(Counting.most_groups) as pool, ExitStack() as stack:
        first = all_groups_wait(pool, toy)
        sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", port), SECONDS)) for _ in bodies]
        for each, body in zip(sockets, bodies, strict=True):
            each.sendall(b"POST /joint HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        assert ask(port, "GET", "/go-on") == (200, b"gone on")  # read by the event loop after all of them
        answers = [each.recv(10_000) for each in sockets]
        assert [each.result(SECONDS)[0] for each in first] == [200] * len(first)
    return [int(answer.split()[1]) for answer in answers]


@pytest.mark.parametrize("fault", [b"fault", b"exit", b"too few"])
def test_a_fault_of_a_group_is_the_answer_to_each_of_it(toy: tuple[int, Connection], fault: bytes) -> None:
    assert go_together(toy, b"good", fault, b"good") == [500, 500, 500]
    assert go_together(toy, b"good", b"good") == [200, 200]


def test_a_fault_of_one_in_a_group_is_for_her_alone(toy: tuple[int, Connection]) -> None:
    assert go_together(toy, b"good", b"own fault", b"good") == [200, 500, 200]


def test_faults_take_no_thread_away(toy: tuple[int, Connection]) -> None:
    port, _ = toy
    for _ in range(THREADS + 1):
        assert ask(port, "GET", "/exit")[0] == 500
        assert ask(port, "POST", "/joint", b"exit")[0] == 500
    with ThreadPoolExecutor(THREADS) as pool:
        met = [pool.submit(ask, port, "GET", "/meet") for _ in range(THREADS)]
        assert [each.result(SECONDS) for each in met] == [(200, b"met")] * THREADS


def test_one_that_is_no_request_hinders_nobody(toy: tuple[int, Connection]) -> None:
    port, _ = toy
    with socket.create_connection(("127.0.0.1", port), SECONDS) as bad:
        bad.sendall(b"POST /joint HTTP/1.1\r\nBad Name: x\r\nContent-Length: 0\r\n\r\n")
        assert ask(port, "POST", "/joint", b"good")[0] == 200
        assert bad.recv(1000).startswith(b"HTTP/1.1 400")


def test_one_that_does_not_go_with_others_is_answered_by_a_thread_of_its_own(toy: tuple[int, Connection]) -> None:
    port, _ = toy
    assert ask(port, "POST", "/joint", b"x", Prefer="to be alone") == (200, b"alone")
    assert ask(port, "POST", "/joint", b"good") == (200, b'["good", 1]')


def test_a_plain_application_answers_one_at_a_time() -> None:
    assert list(together(Flask("plain"))) == []
