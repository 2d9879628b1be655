"""What an intake accepts: the envelope of a command, checked by marshmallow; the payload by its command's shape."""

import re
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from shared.errors import Problem
from shared.rules.shapes import ID

KEY_FORM = r"^[A-Za-z0-9_-]{1,64}\Z"
LONGEST_TYPE = 64
LONGEST_RULES = 16


class SubmissionSchema(Schema):
    """Body of POST /commands between gateway and intake. `kind` and `rules` are the game's rules and their version, or
    `host` and "" for the commands that are the same in every game."""

    class Meta:
        unknown = RAISE

    game = fields.String(required=True, validate=validate.Regexp(ID))
    kind = fields.String(required=True, validate=validate.Regexp(ID))
    rules = fields.String(required=True, validate=validate.Length(0, LONGEST_RULES))
    type = fields.String(required=True, validate=validate.Length(1, LONGEST_TYPE))
    payload = fields.Dict(keys=fields.String(), required=True)
    key = fields.String(validate=validate.Regexp(KEY_FORM))


_SUBMISSION = SubmissionSchema()
_REQUIRED = {name for name, field in _SUBMISSION.fields.items() if field.required}
_KNOWN = set(_SUBMISSION.fields)
_KEY = re.compile(KEY_FORM)


def read_submission(body: dict[str, Any]) -> dict[str, Any]:
    """The validated envelope. Raises Problem `malformed` with every faulty field."""
    if well_formed(body):
        return body
    try:
        loaded: dict[str, Any] = _SUBMISSION.load(body)
    except ValidationError as error:
        raise Problem("malformed", "; ".join(_sentences(error.messages_dict))) from None
    return loaded


def well_formed(body: dict[str, Any]) -> bool:
    """What the schema takes, told without it: the schema takes longer than everything else up to the append."""
    if not _REQUIRED <= body.keys() <= _KNOWN:
        return False
    rules, type, key = body["rules"], body["type"], body.get("key", "-")
    return (
        all(isinstance(body[name], str) and ID.match(body[name]) for name in ("game", "kind"))
        and isinstance(rules, str)
        and len(rules) <= LONGEST_RULES
        and isinstance(type, str)
        and 1 <= len(type) <= LONGEST_TYPE
        and isinstance(body["payload"], dict)
        and isinstance(key, str)
        and _KEY.match(key) is not None
    )


def _sentences(messages: dict[str, Any]) -> list[str]:
    return [
        f"{field}: {' '.join(map(str, found)) if isinstance(found, list) else found}"
        for field, found in messages.items()
    ]
