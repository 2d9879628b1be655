"""Accounts and tokens: what is asked, and what is answered."""

from typing import Any

from marshmallow import Schema, fields, validate

from services.gateway.accounts import EMAIL_LONGEST, NAME_LONGEST, PASSWORD_LONGEST, PASSWORD_SHORTEST
from services.gateway.schemas.fields import Request, id_, integer, text
from services.gateway.tokens import LONGEST_SECONDS, SCOPES


def _name(**options: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(1, 4 * NAME_LONGEST),
        metadata={"description": f"1 to {NAME_LONGEST} printable characters, unique without regard to case"},
        **options,
    )


def _password(description: str, **options: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(PASSWORD_SHORTEST, PASSWORD_LONGEST),
        metadata={"description": description, "format": "password"},
        **options,
    )


def _email(**options: Any) -> fields.Email:
    return fields.Email(
        validate=validate.Length(max=EMAIL_LONGEST),
        metadata={"description": "Only for the account's owner and operators; never in a log or topic"},
        **options,
    )


class NewAccount(Request):
    """Body of POST /accounts."""

    name = _name(required=True)
    password = _password(f"{PASSWORD_SHORTEST} to {PASSWORD_LONGEST} characters", required=True)
    email = _email()


class AccountChange(Request):
    """Body of PATCH /accounts/me: what is absent stays."""

    name = _name()
    email = _email(allow_none=True)
    password = _password("The new password; it revokes all other tokens")
    old_password = fields.String(
        validate=validate.Length(1, PASSWORD_LONGEST),
        metadata={"description": "The present password, needed for a new one", "format": "password"},
    )


class TokenRequest(Request):
    """Body of POST /tokens."""

    name = _name(required=True)
    password = fields.String(
        required=True, validate=validate.Length(1, PASSWORD_LONGEST), metadata={"format": "password"}
    )
    scope = fields.String(
        validate=validate.OneOf(SCOPES),
        metadata={"description": "read, play (contains read) or operate (operators alone); default: the widest"},
    )
    expires_in = integer("Seconds until it expires; default 30 days", validate=validate.Range(1, LONGEST_SECONDS))


class AccountView(Schema):
    """An account, to its owner."""

    id = id_("Opaque id; the only thing about the account that enters a log", required=True)
    name = text("Name", required=True)
    role = fields.String(required=True, validate=validate.OneOf(("player", "operator")))
    email = fields.Email(required=True, allow_none=True)
    created_at = integer("UTC milliseconds", required=True)


class AccountName(Schema):
    """What everybody with a token may know of an account."""

    id = id_("Opaque id", required=True)
    name = text("Name", required=True)


class TokenView(Schema):
    """A new bearer token, shown this once."""

    token = text("Send it as Authorization: Bearer TOKEN", required=True)
    account = id_("The account's id: the actor of its commands", required=True)
    scope = fields.String(required=True, validate=validate.OneOf(SCOPES))
    expires_at = integer("UTC milliseconds", required=True)
