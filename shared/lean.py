"""Requests answered as plain WSGI, in front of a Flask app: its contexts would take as long as all the rest.

What is answered here is a POST of a JSON object with its length. Whatever is not in order goes on to the app, whose
routes say what is wrong with it.
"""

import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar

from shared.errors import Problem
from shared.web import problem_response

Given = ParamSpec("Given")
Result = TypeVar("Result")
Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

_PHRASES: Mapping[int, str] = {200: "200 OK", 201: "201 CREATED", 202: "202 ACCEPTED"}


class Answer(NamedTuple):
    """What is sent."""

    status: int
    line: str
    media: str
    body: bytes
    headers: Mapping[str, str]


def caught(function: Callable[Given, Result], /, *given: Given.args, **named: Given.kwargs) -> Result | Exception:
    """What a function gives or raises: what befalls one of several requests is not for those beside it."""
    try:
        return function(*given, **named)
    except Exception as error:
        return error


def json_answer(status: int, body: bytes, headers: Mapping[str, str]) -> Answer:
    """An answer of status 200, 201 or 202."""
    return Answer(status, _PHRASES[status], "application/json", body, headers)


def refusal(problem: Problem) -> Answer:
    """The answer that the app would give."""
    made = problem_response(problem)
    return Answer(made.status_code, made.status, made.content_type or "", made.get_data(), problem.headers)


def body_length(environ: Environ, most: int) -> int | None:
    """Bytes of the body; None for what is no POST of JSON of at most so many bytes."""
    length = environ.get("CONTENT_LENGTH", "")
    taken = (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == "application/json"
        and "HTTP_CONTENT_ENCODING" not in environ
        and length.isascii()
        and length.isdigit()
        and int(length) <= most
    )
    return int(length) if taken else None


def put_back(environ: Environ, data: bytes) -> None:
    """Let the app read a body that has been read."""
    environ["wsgi.input"] = io.BytesIO(data)


def send(answer: Answer, traceparent: str, start_response: StartResponse) -> Iterable[bytes]:
    """The answer, with the headers that all answers have."""
    headers = [
        ("Content-Type", answer.media),
        ("Content-Length", str(len(answer.body))),
        *answer.headers.items(),
        ("traceparent", traceparent),
        ("X-Content-Type-Options", "nosniff"),
    ]
    start_response(answer.line, headers)
    return (answer.body,)
