"""Answers of the server itself: to what never becomes a request, and to what no parser takes."""

from collections.abc import Mapping

import orjson
from gunicorn.http import errors

from shared.errors import Problem

_DETAILS: Mapping[str, str] = {
    "malformed": "what was sent is no HTTP/1.1 request",
    "request_timeout": "the request did not arrive in time; send it again, faster",
    "too_large": "the body is larger than this server takes",
    "uri_too_long": "the address is longer than this server takes",
    "headers_too_large": "there are more or longer headers than this server takes",
    "internal": "the server failed; the log says why",
}


def refusal(code: str) -> bytes:
    """The whole answer that refuses a request with this code and ends the connection."""
    problem = Problem(code, _DETAILS[code])
    body = orjson.dumps(problem.body())
    head = (
        f"HTTP/1.1 {problem.status} {problem.code}\r\n"
        "Content-Type: application/problem+json\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body


def code_of(error: BaseException) -> str | None:
    """The code for what the parser or the app raised; None when the client is gone."""
    if isinstance(error, errors.LimitRequestLine):
        return "uri_too_long"
    if isinstance(error, errors.LimitRequestHeaders):
        return "headers_too_large"
    if type(error).__name__.startswith("InvalidResponseHeader"):  # raised for the app, though a parser's error
        return "internal"
    if isinstance(error, errors.ParseException | errors.NoMoreData | StopIteration):
        return "malformed"
    return None if isinstance(error, OSError) else "internal"
