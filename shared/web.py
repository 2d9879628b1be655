"""The base of every web service: problem+json, health, metrics, limits, request logs and trace context."""

import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson
import structlog
from flask import Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Histogram
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter

from shared.canonical import NotCanonical, parse_strictly
from shared.errors import Problem
from shared.metrics import REQUEST_SECONDS, REQUESTS, exposition
from shared.tracing import trace_id, traceparent_of

log = structlog.get_logger()

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics tell apart: whatever else a client makes up counts as one."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_PROBES = frozenset({"livez", "readyz", "metrics"})
NO_ROUTE = "none"
"""What metrics say of a request that no route fits."""
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

    @app.before_request
    def _begin() -> None:
        g.started = time.perf_counter()
        g.traceparent = traceparent_of(request.headers.get("traceparent"))

    @app.after_request
    def _end(response: Response) -> Response:
        headers, status = response.headers, response.status_code
        seconds = time.perf_counter() - g.get("started", time.perf_counter())
        headers["traceparent"] = g.get("traceparent", "")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        route = request.url_rule.rule if request.url_rule else NO_ROUTE
        count_answer(service, _method(), route, status, seconds)
        _say_answered(status, seconds)
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
        return problem_response(fault_of(error, said_of_request()))

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
        return Response(exposition(), content_type=CONTENT_TYPE_LATEST)

    return app


class _Digits(IntegerConverter):
    """A number in an address: of ASCII digits, so that it has no second address in another script."""

    regex = "[0-9]+"


@lru_cache(maxsize=1024)
def _times(service: str, route: str) -> Histogram:
    return REQUEST_SECONDS.labels(service, route)


@lru_cache(maxsize=4096)
def _answers(service: str, method: str, route: str, status: int) -> Counter:
    return REQUESTS.labels(service, method, route, str(status))


def _method() -> str:
    return request.method if request.method in _METHODS else "OTHER"


def about(game: str, input: str | None = None) -> None:
    """Name what the present request is about, for its log line: a game that is there, never what merely looks so."""
    g.about = {"game": game} if input is None else {"game": game, "input": input}


def said_of_request() -> dict[str, str | None]:
    """What a log line says of the request: its route, never its path, in which people put the strangest things."""
    route = request.url_rule.rule if request.url_rule else None
    return said(_method(), route, g.get("traceparent"), g.get("about", {}))


def said(method: str, route: str | None, traceparent: str | None, about: Mapping[str, str]) -> dict[str, str | None]:
    """What a log line says of a request; `about` names game and input."""
    return {"method": method, "route": route, "trace": trace_id(traceparent), **about}


def _say_answered(status: int, seconds: float) -> None:
    """The line of a request: writes at info, reads at debug, what was not served as a warning."""
    if request.endpoint in _PROBES:
        return
    if status < 500 and request.method in _READS:
        log.debug("request", status=status, ms=round(seconds * 1000, 1), **said_of_request())
    else:
        say_written(status, seconds, said_of_request())


def say_written(status: int, seconds: float, said: Mapping[str, str | None]) -> None:
    """The line of a write."""
    if status >= 500:
        log.warning("request_not_served", status=status, ms=round(seconds * 1000, 1), **said)
    else:
        log.info("request", status=status, ms=round(seconds * 1000, 1), **said)


def fault_of(error: Exception, said: Mapping[str, str | None]) -> Problem:
    """What a fault of the program is to the client; it is logged here."""
    log.error("request_failed", **said, exc_info=error)
    return Problem("internal", "the server failed; the trace id names the log line")


def count_answer(service: str, method: str, route: str, status: int, seconds: float) -> None:
    """Count an answer; one that was made without the app is counted by whoever made it."""
    _answers(service, method, route, status).inc()
    _times(service, route).observe(seconds)


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
