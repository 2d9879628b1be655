"""Notices."""

from marshmallow import Schema, fields

from services.gateway.schemas.fields import integer, object_, text


class NoticeView(Schema):
    """Something that concerned its reader herself; the stream has it too, as `event: notice`."""

    id = text("Her audience that got it and its number there, such as `seat:3=7`; never given twice", required=True)
    at = integer("UTC milliseconds of what brought it about", required=True)
    code = text("What it tells; stable", required=True)
    text = text("The same as a sentence", required=True)
    data = object_("What the sentence is made of; its fields follow from the code", required=True)


class NoticeList(Schema):
    """A page of notices, the newest first."""

    notices = fields.List(fields.Nested(NoticeView), required=True)
    next = text("Give it as `after` for the older ones; null at the end", required=True, allow_none=True)
