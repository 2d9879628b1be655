"""Players as one viewer sees them (FOR-78 to FOR-80, FOR-109)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.forces.state import ACTIVE, YEAR
from shared.rules.interface import Document, Json, Viewer
from shared.rules.seeing import Kinds, some

Fields = Mapping[str, Any]
PURSE_FIELDS = ("credits", "last_income")
IN_THE_LOBBY: Mapping[str, Any] = {"status": ACTIVE, "eliminated_year": None}
SUBMISSION_FIELDS = ("purchases", "moves", "seq")


def players_of(kinds: Kinds, game: Fields, viewer: Viewer) -> dict[str, Json]:
    """Every player by id: seat and status for everybody, the rest as far as the viewer's documents tell it."""
    by_seat = {kind: _by_seat(kinds, kind) for kind in ("seat", "purse", "capital", "submission")}
    players: dict[str, Json] = {}
    for item in sorted(kinds.get("player", ()), key=_joined):
        seat = str(item.fields["seat"])
        fields = by_seat["seat"].get(seat, IN_THE_LOBBY)
        own = viewer.role == "operator" or viewer.actor == item.id
        submission = by_seat["submission"].get(seat, {})
        players[item.id] = {
            "id": item.id,
            **some(item.fields, ("joined", "seat")),
            **some(by_seat["purse"].get(seat, {}), PURSE_FIELDS),
            **some(by_seat["capital"].get(seat, {}), ("capital",)),
            **some(fields, ("status", "eliminated_year", "capital")),
            "submitted": _is_open(fields.get("submitted"), game),
            **({"submission": _submission(submission, fields, game)} if own else {}),
        }
    return players


def _by_seat(kinds: Kinds, kind: str) -> dict[str, dict[str, Json]]:
    """What all documents of a kind together tell of each seat: operators have parts of their own."""
    told: dict[str, dict[str, Json]] = {}
    for item in kinds.get(kind, ()):
        told.setdefault(item.id, {}).update(item.fields)
    return told


def _joined(item: Document) -> int:
    number: int = item.fields["joined"]
    return number


def _is_open(year: Json, game: Fields) -> bool:
    return game.get("phase") == YEAR and year == game.get("year")


def _submission(told: Fields, seat: Fields, game: Fields) -> Json:
    """That of the open year (FOR-79); an operator's has the number of its judgement (FOR-101)."""
    if seat["status"] != ACTIVE or not _is_open(told.get("year"), game):
        return None
    return some(told, SUBMISSION_FIELDS)
