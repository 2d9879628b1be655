"""Checks the body of a request with its schema."""

from functools import cache
from typing import Any

from marshmallow import Schema, ValidationError

from services.gateway.schemas.writes import NewCommand, plain_command
from shared.errors import Problem

_schema_of = cache(lambda schema: schema())


def read(schema: type[Schema], body: dict[str, Any]) -> dict[str, Any]:
    """The body, checked. Raises Problem `malformed` that names every faulty field."""
    if schema is NewCommand and plain_command(body):
        return body
    try:
        loaded: dict[str, Any] = _schema_of(schema).load(body)
    except ValidationError as error:
        raise Problem("malformed", "; ".join(_sentences(error.messages))) from None
    return loaded


def _sentences(messages: Any, place: str = "") -> list[str]:
    if isinstance(messages, dict):
        return [line for key, inner in messages.items() for line in _sentences(inner, f"{place}.{key}".lstrip("."))]
    return [f"{place}: {message}" for message in messages]
