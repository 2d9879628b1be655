"""What a route says about itself: the OpenAPI document is made of these, and a test demands one for every route."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from marshmallow import Schema

from services.gateway.tokens import Scope

View = TypeVar("View", bound=Callable[..., Any])

READ_PROBLEMS = ("unauthenticated", "token_expired")
GAME_PROBLEMS = ("unknown_game", "not_found")
BODY_PROBLEMS = ("malformed", "too_large", "unsupported_media_type")
COMMON_PROBLEMS = ("malformed", "request_timeout", "uri_too_long", "headers_too_large", "unavailable")
"""Any operation: what the server answers to a request that is not one, and a store that is away."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One documented status: what it means and what its body is, by media type (None: no body)."""

    summary: str
    body: type[Schema] | None = None
    media: tuple[str, ...] = ("application/json",)
    other: tuple[str, ...] = ()
    """Media types whose body is text."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter or request header."""

    name: str
    place: str
    summary: str
    form: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API. `scope` None: no token is needed, one may be given."""

    tag: str
    summary: str
    answers: Mapping[int, Answer]
    body: type[Schema] | None = None
    scope: Scope | None = None
    problems: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = field(default=())


def documented(operation: Operation) -> Callable[[View], View]:
    """Attach an operation to a view function."""

    def attach(view: View) -> View:
        view.operation = operation  # type: ignore[attr-defined]
        return view

    return attach


PAGING = (
    Parameter("after", "query", "Where to go on: `next` of the page before", {"type": "string", "maxLength": 64}),
    Parameter("limit", "query", "Entries a page", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
)
IF_NONE_MATCH = Parameter("If-None-Match", "header", "ETag of what is known already", {"type": "string"})
IDEMPOTENCY_KEY = Parameter(
    "Idempotency-Key",
    "header",
    "The same key again gives the first answer and changes nothing",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
)
PREFER = Parameter("Prefer", "header", "`respond-async`: 202 at once instead of the judgement", {"type": "string"})
UNCHANGED = Answer("Nothing that this viewer may see has changed", None)
