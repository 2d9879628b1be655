"""The health paths of a process that is no web service."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from shared.health import HealthServer


class Told:
    """What the process says of itself."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self.remarks: list[str] = []


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def server(told: Told) -> Iterator[HealthServer]:
    made = HealthServer("127.0.0.1", 0, lambda: None, lambda: told.fault, lambda: told.remarks)
    yield made
    made.close()


def answer(server: HealthServer, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=60) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_process_that_is_ready_says_ok_and_what_an_operator_should_know(server: HealthServer, told: Told) -> None:
    told.remarks = ["game g1 is quarantined"]

    assert answer(server, "/readyz") == (200, "ok\ngame g1 is quarantined\n")
    assert answer(server, "/livez") == (200, "ok\n")


def test_a_process_that_is_not_ready_says_why(server: HealthServer, told: Told) -> None:
    told.fault = "the log is away"

    assert answer(server, "/readyz") == (503, "the log is away\n")
    assert answer(server, "/livez") == (200, "ok\n")


def test_an_unknown_path_is_told_which_there_are(server: HealthServer) -> None:
    status, body = answer(server, "/health")

    assert status == 404
    assert "/readyz" in body
