"""Requests that are too large, too many, or no requests at all: refused as documented, and others are served."""

import json
import os
import random
from contextlib import suppress
from pathlib import Path

import pytest

from shared.errors import HOST_ERRORS
from shared.server.worker import MOST_HELD
from tests.counts import Counts
from tests.hostile.crowd import Crowd, Visitor, allow_open_files, each, head, whole
from tests.hostile.logs import faults_logged, logs_of
from tests.hostile.witness import Witness
from warledger.api import Client
from warledger.demo.installation import Installation

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
GROUP = "oversized requests"
JSON = "Content-Type: application/json"
MOST_MEMORY = 700 * 1024 * 1024
"""Of one gateway process: the 128 MiB that unfinished requests may hold, and itself."""


def answer(besieged: Installation, *pieces: bytes) -> Visitor:
    """Who sent these pieces, once the server has closed the connection."""
    with Crowd(besieged.settings.urls["gateway"]) as crowd:
        visitor = crowd.add(b"".join(pieces))
        assert crowd.run(100, until=lambda: visitor.closed)
    return visitor


def code_of(visitor: Visitor) -> str:
    """The code of the problem that somebody was answered with."""
    start, _, body = bytes(visitor.received).rpartition(b"\r\n\r\n")
    assert b"application/problem+json" in start
    problem = json.loads(body)
    code = str(problem["code"])
    assert problem["status"] == visitor.status == HOST_ERRORS[code].status
    return code


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(besieged: Installation) -> None:
    large = besieged.settings.max_body_bytes + 1
    begun = head("POST", "/tokens", JSON, f"Content-Length: {large}") + b"\r\n{"
    assert code_of(answer(besieged, begun)) == "too_large"


def test_a_client_that_sends_all_of_it_first_still_reads_the_answer(besieged: Installation) -> None:
    sent = b"x" * (besieged.settings.max_body_bytes + 1_000_000)
    assert code_of(answer(besieged, whole("POST", "/tokens", JSON, body=sent))) == "too_large"


def test_a_body_in_chunks_is_measured_too(besieged: Installation) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    begun = head("POST", "/tokens", JSON, "Transfer-Encoding: chunked") + b"\r\n"
    assert code_of(answer(besieged, begun, chunk * (besieged.settings.max_body_bytes // 0x10000 + 1))) == "too_large"


def test_a_body_in_chunks_is_read(besieged: Installation) -> None:
    body = b'{"name": "nobody", "password": "wrong"}'
    parts = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:]))
    begun = head("POST", "/tokens", JSON, "Connection: close", "Transfer-Encoding: chunked")
    assert code_of(answer(besieged, begun, b"\r\n", parts, b"0\r\n\r\n")) == "bad_credentials"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ([f"X-{number}: x" for number in range(500)], "headers_too_large"),
        (["X: " + "x" * 100_000], "headers_too_large"),
        (["X: " + "x" * 9_000], "headers_too_large"),
        ([f"X-{number}: " + "x" * 8_000 for number in range(40)], "headers_too_large"),
        (["X : y"], "malformed"),
        ([" folded"], "malformed"),
        (["no colon"], "malformed"),
        (["X\0: y"], "malformed"),
        (["X: \0"], "malformed"),
        (["Content-Length: -1"], "malformed"),
        (["Content-Length: 1", "Content-Length: 2"], "malformed"),
        (["Content-Length: 3", "Transfer-Encoding: chunked"], "malformed"),
        (["Transfer-Encoding: gzip"], "malformed"),
        (["Transfer-Encoding: chunked, chunked"], "malformed"),
        (["Expect: miracles"], "malformed"),
        (["SCRIPT_NAME: /elsewhere", "Connection: close"], None),
        (["X-Forwarded-Proto: https", "X-Forwarded-Ssl: off", "Connection: close"], None),
    ],
)
def test_headers_that_nobody_should_send_are_refused_or_ignored(
    besieged: Installation, fields: list[str], code: str | None
) -> None:
    visitor = answer(besieged, head("GET", "/games", *fields), b"\r\n")
    if code is None:
        assert visitor.status == 200
    else:
        assert code_of(visitor) == code


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (b"GET /" + b"x" * 5_000 + b" HTTP/1.1\r\n\r\n", "uri_too_long"),
        (b"GET /games HTTP/9.9\r\n\r\n", "malformed"),
        (b"GET  HTTP/1.1\r\n\r\n", "malformed"),
        (b"G\xc3\x84T / HTTP/1.1\r\n\r\n", "malformed"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "malformed"),
        (b"\r\n\r\n\r\n\r\n", "malformed"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "malformed"),
    ],
)
def test_what_is_no_request_is_malformed(besieged: Installation, start: bytes, code: str) -> None:
    assert code_of(answer(besieged, start)) == code


@pytest.mark.parametrize(
    "chunks",
    [
        b"zz\r\n",
        b"5\r\nhelloXX0\r\n\r\n",
        b"5;\x00=1\r\nhello\r\n0\r\n\r\n",
        b"0\r\nbad trailer\r\n\r\n",
        b"0\r\n" + b"X: y\r\n" * 20_000,
        b"1" * 5_000,
        b"-1\r\n",
    ],
)
def test_malformed_chunks_are_malformed_whatever_the_route_does_with_them(
    besieged: Installation, chunks: bytes
) -> None:
    for method, path in (("POST", "/tokens"), ("GET", "/games")):
        begun = head(method, path, JSON, "Transfer-Encoding: chunked", "Connection: close") + b"\r\n"
        assert code_of(answer(besieged, begun, chunks)) == "malformed"


def test_noise_gets_a_documented_answer_or_none(besieged: Installation, counts: Counts) -> None:
    dice = random.Random(1)
    with Crowd(besieged.settings.urls["gateway"]) as crowd:
        for _ in range(200):
            noise = bytearray(
                whole("POST", "/tokens", JSON, "Connection: close", body=b'{"name": "a", "password": "b"}')
            )
            for _ in range(dice.randint(1, 8)):
                noise[dice.randrange(len(noise))] = dice.randrange(256)
            crowd.add(bytes(noise) + b"\r\n\r\n" + b" " * 300)
        assert crowd.run(100, until=lambda: crowd.open() == 0)
        found = crowd.statuses()
    assert None not in found
    assert all(status is not None and status < 500 for status in found), found
    counts.add(GROUP, "requests with noise", 200)


def test_a_flood_of_headers_holds_nobody_up(besieged: Installation, witness: Witness, counts: Counts) -> None:
    flood = head("GET", "/games", *(f"X-{number}: {'x' * 50}" for number in range(400)))
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering() as took:
        each(crowd, 500, flood + b"\r\n")
        assert crowd.run(100, until=lambda: crowd.open() == 0)
    assert crowd.statuses() == {431}
    counts.add(GROUP, "header floods", 500)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("count", [pytest.param(40), pytest.param(120, marks=pytest.mark.faults)])
def test_unfinished_bodies_hold_a_bounded_amount_of_memory(
    besieged: Installation, witness: Witness, counts: Counts, count: int
) -> None:
    allow_open_files(count + 2_000)
    body = b" " * (besieged.settings.max_body_bytes - 1_000)
    held_at_most = besieged.settings.workers * (MOST_HELD // len(body))
    assert held_at_most < count
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering():
        each(crowd, count, whole("POST", "/tokens", JSON, body=body)[:-1])
        # What has left the clients may still be on its way: the servers make room as they read it.
        assert crowd.run(100, until=lambda: all(not visitor.to_send or visitor.closed for visitor in crowd.visitors))
        assert crowd.run(60, until=lambda: crowd.open() <= held_at_most)
        assert memory_of("gateway", besieged) < MOST_MEMORY
    counts.add(GROUP, "unfinished bodies of 8 MB", count)


def memory_of(name: str, besieged: Installation) -> int:
    """Resident bytes of the largest process of a service."""
    leader = str(besieged.services.children[name].process.pid)
    largest = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            lines = (line.partition(":") for line in status.read_text().splitlines())
            fields = {field: value.split() for field, _, value in lines}
            if leader in (fields["Pid"][0], fields["PPid"][0]):
                largest = max(largest, int(fields["VmRSS"][0]) * 1024)
    return largest


def test_nothing_of_it_is_in_the_logs_and_no_fault_either(besieged: Installation) -> None:
    secret = os.urandom(12).hex()
    answer(besieged, head("GET", "/games", f"Authorization : Bearer wl.{secret}"), b"\r\n")
    answer(besieged, f"GET /{secret} HTTP/9.9\r\n\r\n".encode())
    answer(besieged, head("POST", "/tokens", JSON, "Transfer-Encoding: chunked"), b"\r\n", secret.encode(), b"\r\n")
    Client(besieged.settings.urls["gateway"]).request("GET", f"/games/{secret}?token={secret}")
    assert secret not in "".join(logs_of(besieged).values())
    assert not faults_logged(besieged)
