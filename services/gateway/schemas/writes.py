"""Creations and commands: what is asked, their receipts, and what came of them."""

from collections.abc import Callable
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from services.gateway.schemas.fields import HASH_PATTERN, Request, id_, integer, object_, text
from shared.commands import REMINDERS
from shared.rules.shapes import Shape, fault

LONGEST_TYPE = 64
"""Characters of a command's type."""


def _fitting(shape: Shape) -> Callable[[Any], None]:
    """A check of form by a shape."""

    def check(value: Any) -> None:
        if found := fault(shape, value, "reminders"):
            raise ValidationError(found)

    return check


class NewGame(Request):
    """Body of POST /games."""

    id = id_("Id of the new game; default: one made from the Idempotency-Key")
    game = id_("Which game: gxc, ...", required=True)
    rules = fields.String(validate=validate.Length(1, 16), metadata={"description": "Rules version; default: newest"})
    reminders = fields.List(
        fields.Raw(),
        metadata={"description": "How long before each deadline those whom the game waits for are told; default [120]"},
        validate=_fitting(REMINDERS),
    )
    create = object_("The creation that the game's rules take; a `map` may be whole or {sha256}", required=True)


class NewCommand(Request):
    """Body of POST /games/{game}/commands. The payload's form follows from the type; see the commands of each game."""

    type = fields.String(required=True, validate=validate.Length(1, LONGEST_TYPE), metadata={"example": "join"})
    payload = object_("What the command needs; its form is that of its type", load_default=dict)


class StoredInput(Schema):
    """An input as the log has it; its canonical JSON is what the receipt's hash is of."""

    actor = id_("Account id", required=True)
    game = id_("Game id", required=True)
    id = text("32 hex digits", required=True)
    payload = object_("As stored: texts are replaced by message id and hash", required=True)
    role = fields.String(required=True, validate=validate.OneOf(("player", "operator")))
    salt = text("32 hex digits; keeps the hash from being guessed", required=True)
    type = text("Command type", required=True)


class Receipt(Schema):
    """Proof that an input is stored: keep it, its leaf must be in the certificate of its turn."""

    id = text("Id of the input", required=True)
    game = id_("Game id", required=True)
    hash = fields.String(required=True, metadata={"description": "SHA-256 of the input", "pattern": HASH_PATTERN})
    at = integer("UTC milliseconds at which the log took it: what a deadline is compared with", required=True)
    input = fields.Nested(StoredInput, required=True)


class SeenEvent(Schema):
    """An event that the viewer may see."""

    type = text("warledger.<game>.<name>.v<version>", required=True)
    data = object_("Its data, see the event schemas", required=True)


class Outcome(Receipt):
    """A write that was judged and accepted: its receipt and what came of it."""

    outcome = fields.List(fields.Nested(SeenEvent), required=True)
    complete = fields.Boolean(required=True, metadata={"description": "false: more events than are listed here"})


class Cover(Schema):
    """The certificate that covers a private input, and the way from its leaf to the root that is `private` there."""

    k = integer("Number of the resolution", required=True)
    label = text("Its label", required=True)
    leaf = fields.String(required=True, metadata={"description": "SHA-256 of `<id> <hash>`", "pattern": HASH_PATTERN})
    path = fields.List(
        fields.String(), required=True, metadata={"description": "48 hashes beside it, from the leaf to the root"}
    )


class JudgementView(Schema):
    """What became of an input, to its actor and to operators."""

    id = text("Id of the input", required=True)
    game = id_("Game id", required=True)
    status = fields.String(required=True, validate=validate.OneOf(("accepted", "rejected", "pending")))
    type = text("Command type")
    hash = fields.String(metadata={"description": "SHA-256 of the judged input", "pattern": HASH_PATTERN})
    at = integer("UTC milliseconds at which the log took it")
    code = text("Why it was rejected; see docs/errors", allow_none=True)
    rule = text("The rule that decided", allow_none=True)
    detail = text("What would have been legal", allow_none=True)
    outcome = fields.List(fields.Nested(SeenEvent))
    complete = fields.Boolean()
    traceparent = text("Trace context of the request that brought the input", allow_none=True)
    cover = fields.Nested(
        Cover,
        allow_none=True,
        metadata={"description": "Of an accepted private command (`set_policy`), once a resolution covers it"},
    )


def plain_command(body: dict[str, Any]) -> bool:
    """Whether it is a NewCommand with all its fields, told without the schema: every write pays for this."""
    if body.keys() != {"type", "payload"}:
        return False
    type = body["type"]
    return isinstance(type, str) and 1 <= len(type) <= LONGEST_TYPE and isinstance(body["payload"], dict)
