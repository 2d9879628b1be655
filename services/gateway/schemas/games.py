"""Games and the parts of their views."""

from marshmallow import INCLUDE, Schema, fields, validate

from services.gateway.schemas.fields import id_, integer, object_, text


class Question(Schema):
    """Body of POST /games/{game}/advice: a type, and what that type needs."""

    class Meta:
        unknown = INCLUDE

    type = fields.String(required=True, validate=validate.Length(1, 64))


class ClosingView(Schema):
    """The command by which an operator closes the open turn, round or year."""

    type = text("Command type", required=True)
    payload = object_("What the command needs now", required=True)


class PeriodView(Schema):
    """The open turn, round or year of a game, in the same form for every game."""

    name = text("What the game calls it: turn, round, year", required=True)
    n = integer("Its number, as in /turns/{n}; null or 0 before the first", required=True, allow_none=True)
    deadline = integer("UTC milliseconds; null while the clock closes nothing", required=True, allow_none=True)
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

    id = id_("Game id", required=True)
    kind = text("Which rules: gxc, ...", required=True)
    rules = text("Rules version", required=True)
    created_at = integer("UTC milliseconds", required=True)
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
    next = id_("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class View(Schema):
    """A part of the view, with the paths of the game's state; what is hidden is absent."""

    class Meta:
        unknown = INCLUDE
