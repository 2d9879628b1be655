"""Messages."""

from marshmallow import Schema, fields

from services.gateway.schemas.fields import id_, integer, object_, text


class MessageView(Schema):
    """A message as one viewer may read it."""

    id = text("Id of the message, which is that of the input that brought it", required=True)
    at = integer("UTC milliseconds at which the log took it", required=True)
    type = text("Type of the event that speaks of it", required=True)
    channel = text("Who may read it: `public`, `team:red`, ...", required=True)
    author = id_("Account id", required=True)
    name = text("Name of the author; null once the account is deleted", required=True, allow_none=True)
    hash = text("SHA-256 of the canonical JSON of {salt, texts}, as in the log", required=True)
    texts = object_("The text or texts by name; null once they are removed", required=True, allow_none=True)
    salt = text("32 hex digits; goes with the texts", required=True, allow_none=True)
    removed_at = integer("UTC milliseconds of the removal, if there was one", required=True, allow_none=True)


class MessageList(Schema):
    """A page of messages."""

    messages = fields.List(fields.Nested(MessageView), required=True)
    next = text("Give it as `after` for the next page; null at the end", required=True, allow_none=True)
