"""Fields that many schemas have, and what every request body is."""

from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from shared.rules.shapes import ID

ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$"
HASH_PATTERN = "^[0-9a-f]{64}$"


def id_(description: str, **options: Any) -> fields.String:
    """An id of ours."""
    validator = validate.Regexp(ID, error="must be an id: 1 to 64 of A-Z a-z 0-9 _ -")
    return fields.String(
        validate=validator, metadata={"description": description, "pattern": ID_PATTERN, "example": "g1"}, **options
    )


def text(description: str, **options: Any) -> fields.String:
    """A text without a form."""
    return fields.String(metadata={"description": description}, **options)


def integer(description: str, **options: Any) -> fields.Integer:
    """An integer, not a float or a text of digits."""
    return fields.Integer(strict=True, metadata={"description": description}, **options)


def object_(description: str, **options: Any) -> fields.Dict:
    """A JSON object whose form others know."""
    return fields.Dict(keys=fields.String(), metadata={"description": description}, **options)


class Request(Schema):
    """A body with fields that are not known is refused."""

    class Meta:
        unknown = RAISE
