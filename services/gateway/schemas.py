"""What the gateway accepts and answers: requests are checked with these schemas, OpenAPI is made of them."""

from functools import cache
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate

from services.gateway.accounts import EMAIL_LONGEST, NAME_LONGEST, PASSWORD_LONGEST, PASSWORD_SHORTEST
from services.gateway.tokens import LONGEST_SECONDS, SCOPES
from shared.errors import Problem
from shared.rules.shapes import ID

ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$"
HASH_PATTERN = "^[0-9a-f]{64}$"


def _id(description: str, **options: Any) -> fields.String:
    validator = validate.Regexp(ID, error="must be an id: 1 to 64 of A-Z a-z 0-9 _ -")
    return fields.String(
        validate=validator, metadata={"description": description, "pattern": ID_PATTERN, "example": "g1"}, **options
    )


def _text(description: str, **options: Any) -> fields.String:
    return fields.String(metadata={"description": description}, **options)


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


def _integer(description: str, **options: Any) -> fields.Integer:
    return fields.Integer(strict=True, metadata={"description": description}, **options)


LONGEST_TYPE = 64
"""Characters of a command's type."""


def _object(description: str, **options: Any) -> fields.Dict:
    return fields.Dict(keys=fields.String(), metadata={"description": description}, **options)


class _Request(Schema):
    class Meta:
        unknown = RAISE


class NewAccount(_Request):
    """Body of POST /accounts."""

    name = _name(required=True)
    password = _password(f"{PASSWORD_SHORTEST} to {PASSWORD_LONGEST} characters", required=True)
    email = _email()


class AccountChange(_Request):
    """Body of PATCH /accounts/me: what is absent stays."""

    name = _name()
    email = _email(allow_none=True)
    password = _password("The new password; it revokes all other tokens")
    old_password = fields.String(
        validate=validate.Length(1, PASSWORD_LONGEST),
        metadata={"description": "The present password, needed for a new one", "format": "password"},
    )


class TokenRequest(_Request):
    """Body of POST /tokens."""

    name = _name(required=True)
    password = fields.String(
        required=True, validate=validate.Length(1, PASSWORD_LONGEST), metadata={"format": "password"}
    )
    scope = fields.String(
        validate=validate.OneOf(SCOPES),
        metadata={"description": "read, play (contains read) or operate (operators alone); default: the widest"},
    )
    expires_in = _integer("Seconds until it expires; default 30 days", validate=validate.Range(1, LONGEST_SECONDS))


class NewGame(_Request):
    """Body of POST /games."""

    id = _id("Id of the new game; default: one made from the Idempotency-Key")
    game = _id("Which game: gxc, ...", required=True)
    rules = fields.String(validate=validate.Length(1, 16), metadata={"description": "Rules version; default: newest"})
    create = _object("The creation that the game's rules take; a `map` may be whole or {sha256}", required=True)


class NewCommand(_Request):
    """Body of POST /games/{game}/commands. The payload's form follows from the type; see the commands of each game."""

    type = fields.String(required=True, validate=validate.Length(1, LONGEST_TYPE), metadata={"example": "join"})
    payload = _object("What the command needs; its form is that of its type", load_default=dict)


class Question(Schema):
    """Body of POST /games/{game}/advice: a type, and what that type needs."""

    class Meta:
        unknown = INCLUDE

    type = fields.String(required=True, validate=validate.Length(1, 64))


class AccountView(Schema):
    """An account, to its owner."""

    id = _id("Opaque id; the only thing about the account that enters a log", required=True)
    name = _text("Name", required=True)
    role = fields.String(required=True, validate=validate.OneOf(("player", "operator")))
    email = fields.Email(required=True, allow_none=True)
    created_at = _integer("UTC milliseconds", required=True)


class AccountName(Schema):
    """What everybody with a token may know of an account."""

    id = _id("Opaque id", required=True)
    name = _text("Name", required=True)


class TokenView(Schema):
    """A new bearer token, shown this once."""

    token = _text("Send it as Authorization: Bearer TOKEN", required=True)
    account = _id("The account's id: the actor of its commands", required=True)
    scope = fields.String(required=True, validate=validate.OneOf(SCOPES))
    expires_at = _integer("UTC milliseconds", required=True)


class StoredInput(Schema):
    """An input as the log has it; its canonical JSON is what the receipt's hash is of."""

    actor = _id("Account id", required=True)
    game = _id("Game id", required=True)
    id = _text("32 hex digits", required=True)
    payload = _object("As stored: texts are replaced by message id and hash", required=True)
    role = fields.String(required=True, validate=validate.OneOf(("player", "operator")))
    salt = _text("32 hex digits; keeps the hash from being guessed", required=True)
    type = _text("Command type", required=True)


class Receipt(Schema):
    """Proof that an input is stored: keep it, its leaf must be in the certificate of its turn."""

    id = _text("Id of the input", required=True)
    game = _id("Game id", required=True)
    hash = fields.String(required=True, metadata={"description": "SHA-256 of the input", "pattern": HASH_PATTERN})
    at = _integer("UTC milliseconds at which the log took it: what a deadline is compared with", required=True)
    input = fields.Nested(StoredInput, required=True)


class SeenEvent(Schema):
    """An event that the viewer may see."""

    type = _text("warledger.<game>.<name>.v<version>", required=True)
    data = _object("Its data, see the event schemas", required=True)


class Outcome(Receipt):
    """A write that was judged and accepted: its receipt and what came of it."""

    outcome = fields.List(fields.Nested(SeenEvent), required=True)
    complete = fields.Boolean(required=True, metadata={"description": "false: more events than are listed here"})


class JudgementView(Schema):
    """What became of an input, to its actor and to operators."""

    id = _text("Id of the input", required=True)
    game = _id("Game id", required=True)
    status = fields.String(required=True, validate=validate.OneOf(("accepted", "rejected", "pending")))
    type = _text("Command type")
    hash = fields.String(metadata={"description": "SHA-256 of the judged input", "pattern": HASH_PATTERN})
    at = _integer("UTC milliseconds at which the log took it")
    code = _text("Why it was rejected; see docs/errors", allow_none=True)
    rule = _text("The rule that decided", allow_none=True)
    detail = _text("What would have been legal", allow_none=True)
    outcome = fields.List(fields.Nested(SeenEvent))
    complete = fields.Boolean()


class ClosingView(Schema):
    """The command by which an operator closes the open turn, round or year."""

    type = _text("Command type", required=True)
    payload = _object("What the command needs now", required=True)


class PeriodView(Schema):
    """The open turn, round or year of a game, in the same form for every game."""

    name = _text("What the game calls it: turn, round, year", required=True)
    n = _integer("Its number, as in /turns/{n}; null or 0 before the first", required=True, allow_none=True)
    deadline = _integer("UTC milliseconds; null while the clock closes nothing", required=True, allow_none=True)
    close = fields.Nested(
        ClosingView,
        required=True,
        allow_none=True,
        metadata={"description": "How an operator closes it early; null where there is nothing to close"},
    )


class GameSummary(Schema):
    """A game in the list, with the fields that tell where it stands (phase, turn, turn_deadline, ...)."""

    class Meta:
        unknown = INCLUDE

    id = _id("Game id", required=True)
    kind = _text("Which rules: gxc, ...", required=True)
    rules = _text("Rules version", required=True)
    created_at = _integer("UTC milliseconds", required=True)
    period = fields.Nested(
        PeriodView,
        required=True,
        allow_none=True,
        metadata={"description": "What is open; null in a game that is not played in turns, rounds or years"},
    )
    quarantined = fields.Boolean(
        metadata={"description": "To operators alone: true while the game's inputs stay unjudged"}
    )


class GameView(GameSummary):
    """One game, with the game's own fields (phase, turn, ...) that this viewer may see."""

    class Meta:
        unknown = INCLUDE

    pages = fields.List(fields.String(), required=True, metadata={"description": "Paths below this game"})


class GameList(Schema):
    """A page of games."""

    games = fields.List(fields.Nested(GameSummary), required=True)
    next = _id("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class View(Schema):
    """A part of the view, with the paths of the game's state; what is hidden is absent."""

    class Meta:
        unknown = INCLUDE


class CertificateView(Schema):
    """The public certificate of one resolution."""

    class Meta:
        unknown = INCLUDE

    k = _integer("Number of the resolution, from 1", required=True)


class CertificateList(Schema):
    """A page of certificates."""

    certificates = fields.List(fields.Nested(CertificateView), required=True)
    next = _integer("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class ReportEntry(SeenEvent):
    """A public event of a turn."""

    at = _integer("UTC milliseconds of the input that brought it about", required=True)


class RuledCertificate(CertificateView):
    """A certificate with the ruling on its resolution."""

    ruling = _text("An operator's ruling on it, if any", required=True, allow_none=True)


class TurnView(Schema):
    """What everybody may know of one turn, round or year."""

    n = _integer("Its number", required=True)
    period = _text("What the game calls it: turn, round, year", required=True)
    certificate = fields.Nested(CertificateView, required=True, metadata={"description": "Of its last resolution"})
    certificates = fields.List(
        fields.Nested(RuledCertificate), required=True, metadata={"description": "Of all its resolutions, in order"}
    )
    leaves = fields.List(
        fields.String(),
        required=True,
        metadata={
            "description": "Of the inputs in the digests, sorted for each resolution; with the first page of the "
            "report alone, empty with every other"
        },
    )
    ruling = _text("An operator's ruling on the last resolution, if any", required=True, allow_none=True)
    report = fields.List(fields.Nested(ReportEntry), required=True)
    names = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "Name behind each account id in this page of the report"},
    )
    next = _integer("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class MessageView(Schema):
    """A message as one viewer may read it."""

    id = _text("Id of the message, which is that of the input that brought it", required=True)
    at = _integer("UTC milliseconds at which the log took it", required=True)
    type = _text("Type of the event that speaks of it", required=True)
    channel = _text("Who may read it: `public`, `team:red`, ...", required=True)
    author = _id("Account id", required=True)
    name = _text("Name of the author; null once the account is deleted", required=True, allow_none=True)
    hash = _text("SHA-256 of the canonical JSON of {salt, texts}, as in the log", required=True)
    texts = _object("The text or texts by name; null once they are removed", required=True, allow_none=True)
    salt = _text("32 hex digits; goes with the texts", required=True, allow_none=True)
    removed_at = _integer("UTC milliseconds of the removal, if there was one", required=True, allow_none=True)


class MessageList(Schema):
    """A page of messages."""

    messages = fields.List(fields.Nested(MessageView), required=True)
    next = _text("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class ProblemView(Schema):
    """An error (RFC 9457)."""

    class Meta:
        unknown = INCLUDE

    type = _text("Where the code is explained", required=True)
    title = _text("What the code means", required=True)
    status = _integer("HTTP status", required=True)
    code = _text("Stable code", required=True)
    detail = _text("What was wrong and what would be right", required=True)
    rule = _text("The rule of the game that decided, for a judged input")
    receipt = fields.Nested(Receipt, metadata={"description": "For an input that was stored"})


_schema_of = cache(lambda schema: schema())


def plain_command(body: dict[str, Any]) -> bool:
    """Whether it is a NewCommand with all its fields, told without the schema: every write pays for this."""
    if body.keys() != {"type", "payload"}:
        return False
    type = body["type"]
    return isinstance(type, str) and 1 <= len(type) <= LONGEST_TYPE and isinstance(body["payload"], dict)


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
