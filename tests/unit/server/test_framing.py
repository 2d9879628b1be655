"""Where a request ends, in whatever pieces it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.server.framing import Framing, Need

HEAD = b"POST /x HTTP/1.1\r\nHost: a\r\n"
WHOLE = [
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    HEAD + b"Content-Length: 5\r\n\r\nhello",
    HEAD + b"content-length:0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
]


def framing() -> Framing:
    return Framing(most_head=1000, most_body=100)


@pytest.mark.parametrize("request_", WHOLE)
@given(data=st.data())
def test_a_request_is_whole_at_its_last_byte_and_not_before(request_: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(request_) - 1), unique=True).map(sorted))
    found = framing()
    for cut in cuts:
        assert found.look(bytearray(request_[:cut])) in (Need.HEAD, Need.BODY)
    assert found.look(bytearray(request_ + b"GET / HTTP")) is Need.NOTHING
    assert found.end == len(request_)


@pytest.mark.parametrize("request_", WHOLE)
def test_byte_by_byte_it_is_the_same(request_: bytes) -> None:
    found = framing()
    needs = [found.look(bytearray(request_[:length])) for length in range(len(request_) + 1)]
    assert needs[-1] is Need.NOTHING
    assert Need.NOTHING not in needs[:-1]


def test_headers_without_end_are_refused_at_the_limit() -> None:
    found = framing()
    assert found.look(bytearray(HEAD + b"X: " + b"x" * 900)) is Need.HEAD
    assert found.look(bytearray(HEAD + b"X: " + b"x" * 1000)) is Need.SHORTER_HEAD
    assert framing().look(bytearray(HEAD + b"X: " + b"x" * 1000 + b"\r\n\r\n")) is Need.SHORTER_HEAD


def test_a_body_is_refused_when_it_is_announced_not_when_it_has_come() -> None:
    assert framing().look(bytearray(HEAD + b"Content-Length: 101\r\n\r\n")) is Need.SMALLER_BODY
    assert framing().look(bytearray(HEAD + b"Content-Length: 100\r\n\r\n")) is Need.BODY
    chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    assert framing().look(bytearray(chunked + b"65\r\n")) is Need.SMALLER_BODY
    assert framing().look(bytearray(chunked + b"60\r\n" + b"x" * 0x60 + b"\r\n5\r\n")) is Need.SMALLER_BODY
    assert framing().look(bytearray(chunked + b"ffffffffffff\r\n")) is Need.SMALLER_BODY
    assert framing().look(bytearray(chunked + b"f" * 500 + b"\r\n")) is Need.SMALLER_BODY


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"Content-Length: five\r\n\r\n",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 2000,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: y\r\n" * 2000,
    ],
)
def test_what_is_malformed_goes_to_the_parser_at_once(head: bytes) -> None:
    assert framing().look(bytearray(head)) is Need.NOTHING


def test_a_client_that_waits_for_100_is_known() -> None:
    found = framing()
    assert found.look(bytearray(HEAD + b"Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n")) is Need.BODY
    assert found.expects_continue
