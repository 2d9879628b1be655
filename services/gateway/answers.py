"""Answers that the routes share: conditional ones, negotiated ones, and parameters read with care."""

import re
from collections.abc import Mapping
from typing import Any

import structlog
from flask import Response, request

from services.gateway.reads import Known, Seen
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from shared.metrics import DOCUMENTS_FAILED
from shared.rules.shapes import ID
from shared.web import json_response

log = structlog.get_logger()

_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Accept, Authorization"}
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Pages and drawings load nothing and run nothing."""
_NUMBER = re.compile(r"[0-9]{1,15}\Z")


def away(error: DocumentsUnavailable, said: Mapping[str, str | None]) -> Problem:
    """What a store that cannot be asked now is to the client; counted and logged here."""
    DOCUMENTS_FAILED.inc()
    log.warning("documents_unavailable", reason=str(error), **said)
    return Problem("unavailable", f"the store is away: {error}", headers={"Retry-After": "1"})


def known() -> Known:
    """Whether the client's If-None-Match names a tag, also as a weak one (RFC 9110, 13.1.2)."""
    return request.if_none_match.contains_weak


def conditional(seen: Seen, media: str = "application/json") -> Response:
    """The answer with its ETag, or 304 if the client has it."""
    if seen.body is None:
        response = Response(status=304, headers=_HEADERS)
    elif media == "application/json":
        response = json_response(seen.body, headers=_HEADERS)
    else:
        response = Response(seen.body, headers=_HEADERS, content_type=f"{media}; charset=utf-8")
    if media != "application/json":
        response.headers["Content-Security-Policy"] = _POLICY
    response.set_etag(seen.etag)
    return response


def wanted(*offered: str) -> str:
    """Which of the media types the client wants, the first if any will do. Raises Problem `not_acceptable`."""
    if not request.accept_mimetypes:
        return offered[0]
    best = request.accept_mimetypes.best_match(offered)
    if best is None:
        raise Problem("not_acceptable", f"available here: {', '.join(offered)}")
    return best


def idempotency_key(environ: Mapping[str, Any]) -> str | None:
    """The Idempotency-Key of a request. Raises Problem `bad_idempotency_key`."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not ID.match(key):
        raise Problem("bad_idempotency_key", "Idempotency-Key must have 1 to 64 of A-Z a-z 0-9 _ -")
    return key


def respond_async(environ: Mapping[str, Any]) -> bool:
    """Whether the client prefers 202 at once (RFC 7240)."""
    preferences = environ.get("HTTP_PREFER", "").lower().split(",")  # WSGI joins several by commas
    return any(item.split(";")[0].strip() == "respond-async" for item in preferences)


def number(name: str, default: int, least: int, most: int) -> int:
    """An integer query parameter. Raises Problem `malformed`."""
    text = request.args.get(name)
    if text is None:
        return default
    if not _NUMBER.match(text) or not least <= int(text) <= most:
        raise Problem("malformed", f"{name} must be an integer from {least} to {most}")
    return int(text)


def after_id() -> str:
    """The query parameter `after` of a list of ids. Raises Problem `malformed`."""
    text = request.args.get("after", "")
    if text and not ID.match(text):
        raise Problem("malformed", "after must be the `next` of the page before")
    return text
