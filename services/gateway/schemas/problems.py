"""Errors."""

from marshmallow import INCLUDE, Schema, fields

from services.gateway.schemas.fields import integer, text
from services.gateway.schemas.writes import Receipt


class ProblemView(Schema):
    """An error (RFC 9457)."""

    class Meta:
        unknown = INCLUDE

    type = text("Where the code is explained", required=True)
    title = text("What the code means", required=True)
    status = integer("HTTP status", required=True)
    code = text("Stable code", required=True)
    detail = text("What was wrong and what would be right", required=True)
    rule = text("The rule of the game that decided, for a judged input")
    receipt = fields.Nested(Receipt, metadata={"description": "For an input that was stored"})
