"""What an intake accepts: the envelope of a command, checked by marshmallow; the payload by its command's shape."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from shared.errors import Problem
from shared.rules.shapes import ID

KEY_FORM = r"^[A-Za-z0-9_-]{1,64}\Z"


class SubmissionSchema(Schema):
    """Body of POST /commands between gateway and intake. `kind` is the game's rules, or `host`."""

    class Meta:
        unknown = RAISE

    game = fields.String(required=True, validate=validate.Regexp(ID))
    kind = fields.String(required=True, validate=validate.Regexp(ID))
    type = fields.String(required=True, validate=validate.Length(1, 64))
    payload = fields.Dict(keys=fields.String(), required=True)
    key = fields.String(validate=validate.Regexp(KEY_FORM))


_SUBMISSION = SubmissionSchema()


def read_submission(body: dict[str, Any]) -> dict[str, Any]:
    """The validated envelope. Raises Problem `malformed` with every faulty field."""
    try:
        loaded: dict[str, Any] = _SUBMISSION.load(body)
    except ValidationError as error:
        raise Problem("malformed", "; ".join(_sentences(error.messages_dict))) from None
    return loaded


def _sentences(messages: dict[str, Any]) -> list[str]:
    return [
        f"{field}: {' '.join(map(str, found)) if isinstance(found, list) else found}"
        for field, found in messages.items()
    ]
