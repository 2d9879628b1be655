"""The base of every web service: problem+json, health, metrics, limits, request logs and trace context."""

import os
import re
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson
import structlog
from flask import Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Histogram, generate_latest
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter

from shared.canonical import NotCanonical, parse_strictly
from shared.errors import Problem
from shared.metrics import REQUEST_SECONDS, REQUESTS

log = structlog.get_logger()

_TRACEPARENT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}\Z")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics tell apart: whatever else a client makes up counts as one."""
_CODES = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    431: "headers_too_large",
    503: "unavailable",
}


def base_app(
    name: str,
    *,
    max_body_bytes: int,
    ready: Callable[[], str | None] = lambda: None,
    admit_to_metrics: Callable[[], object] = lambda: None,
) -> Flask:
    """A Flask app with everything that all services share.

    `ready` says why the service is not ready, or None. `admit_to_metrics` raises a Problem for whoever may not read
    the metrics, which count what everybody sends.
    """
    app = Flask(name, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = max_body_bytes
    app.url_map.converters["int"] = _Digits
    app.json.sort_keys = False  # type: ignore[attr-defined]
    service = name.rpartition(".")[2]
    seconds = REQUEST_SECONDS.labels(service)

    @app.before_request
    def _begin() -> None:
        g.started = time.perf_counter()
        g.traceparent = traceparent_of(request.headers.get("traceparent", ""))

    @app.after_request
    def _end(response: Response) -> Response:
        headers, status, method = response.headers, response.status_code, request.method
        started = g.get("started")
        headers["traceparent"] = g.get("traceparent", "")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        _answers(service, method if method in _METHODS else "OTHER", status).inc()
        if started is not None:
            seconds.observe(time.perf_counter() - started)
        if status >= 500 and request.endpoint != "readyz":
            log.warning("request_not_served", status=status, **_said_of_request())
        return response

    @app.errorhandler(Problem)
    def _problem(problem: Problem) -> Response:
        return problem_response(problem)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        if error.response is not None or (error.code or 500) < 400:
            return error.get_response()  # type: ignore[return-value]
        code = _CODES.get(error.code or 500, "internal" if (error.code or 500) >= 500 else "malformed")
        kept = {key: item for key, item in error.get_headers() if key in ("Allow", "Retry-After")}
        return problem_response(Problem(code, error.description or error.name, status=error.code, headers=kept))

    @app.errorhandler(Exception)
    def _fault(error: Exception) -> Response:
        log.error("request_failed", **_said_of_request(), exc_info=error)
        return problem_response(Problem("internal", "the server failed; the trace id names the log line"))

    @app.get("/livez")
    def livez() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @app.get("/readyz")
    def readyz() -> Response:
        fault = ready()
        return Response(f"{fault or 'ok'}\n", status=503 if fault else 200, mimetype="text/plain")

    @app.get("/metrics")
    def metrics() -> Response:
        admit_to_metrics()
        return Response(generate_latest(), content_type=CONTENT_TYPE_LATEST)

    return app


class _Digits(IntegerConverter):
    """A number in an address: of ASCII digits, so that it has no second address in another script."""

    regex = "[0-9]+"


@lru_cache(maxsize=16)
def _times(service: str) -> Histogram:
    return REQUEST_SECONDS.labels(service)


@lru_cache(maxsize=1024)
def _answers(service: str, method: str, status: int) -> Counter:
    return REQUESTS.labels(service, method, str(status))


def _said_of_request() -> dict[str, str | None]:
    """What a log line says of the request: its route, never its path, in which people put the strangest things."""
    route = request.url_rule.rule if request.url_rule else None
    method = request.method if request.method in _METHODS else "OTHER"
    return {"method": method, "route": route, "trace": g.get("traceparent")}


def count_answer(service: str, method: str, status: int, seconds: float) -> None:
    """Count an answer that was made without the app."""
    _answers(service, method, status).inc()
    _times(service).observe(seconds)


def traceparent_of(given: str) -> str:
    """The trace context that a request came with, or a new one."""
    return given if _TRACEPARENT.match(given) else new_traceparent()


def new_traceparent() -> str:
    """A new W3C trace context: version 00, random trace and span, sampled."""
    drawn = os.urandom(24).hex()
    return f"00-{drawn[:32]}-{drawn[32:]}-01"


def problem_response(problem: Problem) -> Response:
    """The problem as application/problem+json."""
    response = json_response(problem.body(), status=problem.status, headers=problem.headers)
    response.content_type = "application/problem+json"
    return response


def json_response(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(orjson.dumps(body), status=status, headers=dict(headers or {}), content_type="application/json")


def json_body() -> dict[str, Any]:
    """The request's body as a JSON object of integers. Raises Problem `malformed`, `too_large` or
    `unsupported_media_type`."""
    environ = request.environ
    if environ.get("CONTENT_TYPE") != "application/json" or "HTTP_CONTENT_ENCODING" in environ:
        _check_media()  # what is said in so many words needs no looking at
    try:
        data = parse_strictly(_whole_body())
    except NotCanonical as error:
        raise Problem("malformed", f"the body is {error}") from None
    if not isinstance(data, dict):
        raise Problem("malformed", "the body must be a JSON object")
    return data


def _check_media() -> None:
    if request.mimetype != "application/json":
        raise Problem("unsupported_media_type", "send the body as application/json")
    if request.mimetype_params.get("charset", "utf-8").lower() != "utf-8":
        raise Problem("unsupported_media_type", "send the body in UTF-8")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem("unsupported_media_type", "send the body as it is, without a Content-Encoding")


def _whole_body() -> bytes:
    """The body; of one without a length, werkzeug would give the beginning that is within the limit."""
    data = request.get_data()
    limit = request.max_content_length
    if request.content_length is None and len(data) == limit and request.environ["wsgi.input"].read(1):
        raise Problem("too_large", f"the body is longer than {limit} bytes")
    return data
