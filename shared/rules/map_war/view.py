"""What one viewer may see, built up field by field from her documents (MAP-97, MAP-98).

The view has the paths of the canonical state; what is hidden is absent: submissions of others where submissions are
closed, offers to others, and for all but operators the `seq` of submissions and the `accepted_seq` of deals. Of a zone
a piece aboard has, the view puts the ship's (MAP-105). Besides them it has `turns` (opening, close and scoreboard of
each), `fixing` (nations in the correction), of a nation `submitted` and `production` (the entries of its last turn),
and `you` (player and nation) for a player.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from shared.rules.interface import Closing, Document, Json, Layer, Mark, Page, Parts, Period, Piece, Viewer
from shared.rules.map_war.config import GOODS
from shared.rules.map_war.deal_terms import sides_of
from shared.rules.map_war.state import DEAL_STATUSES, FIX, ORDERS
from shared.rules.map_war.tables import STRUCTURES
from shared.rules.seeing import Kinds, kinds_seen, some

PAGES: Mapping[str, Page] = {
    page.name: page
    for page in (
        Page("map", ("game", "zone", "nation", "piece"), "Zones with owners, structures, pollution and pieces."),
        Page("roster", ("game", "player", "nation"), "Players and nations with their stocks."),
        Page("orders", ("game", "nation", "submission", "deal"), "Submissions and deals that the viewer may see."),
        Page("reports", ("game", "turn"), "The turns with their scoreboards."),
    )
}
PERIOD = Period(
    "turn",
    "deadline",
    {
        ORDERS: Closing("close_turn", ("turn",)),
        FIX: Closing("close_fix", ("turn",)),
    },
    "turn_opened",
)
PARTS = Parts(
    places="zones",
    place="zone",
    sides="nations",
    side="nation",
    side_kinds=("nation",),
    side_colour="color",
    unshown=("fixing",),
    layers=(
        Layer("control", "Control", marks=(Mark("home_of", "home", "house"),)),
        Layer("pollution", "Pollution", amount="pollution"),
        Layer(
            "pieces",
            "Pieces",
            pieces="pieces",
            kinds=(Piece("army", "army|armies", "square"), Piece("ship", "ship", "ship")),
        ),
    ),
)
"""MAP-91: the three maps."""

GAME_FIELDS = ("phase", "turn", "opened_at", "deadline", "winner", "ranking", "fixing", "config")
ZONE_FIELDS = ("kind", "neighbours", "city_max", "name", "centroid", "owner")
STANDING_FIELDS = ("pollution", "acquired_turn", "home_of", "riot_count", "piece_points")
NATION_FIELDS = (
    "kind",
    "player",
    "name",
    "color",
    "founded_turn",
    *GOODS,
    "hungry",
    "ownerless_since",
    "decaying",
    "missed",
    "status",
    "eliminated_turn",
    "currency_last_turn",
    "submitted",
    "production",
)
PIECE_FIELDS = ("kind", "nation", "zone", "aboard", "moved_turn")
DEAL_FIELDS = ("until_turn", "begun_turn", "ends_turn")
SUBMISSION_FIELDS = ("faults", "items", "seq")
TURN_FIELDS = ("opened_at", "closed_at", "by", "scoreboard")


def view(documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
    """The view of the documents given: sections whose kinds are not among them are absent."""
    kinds = kinds_seen(documents, viewer)
    seen: dict[str, Json] = some(kinds["game"][0].fields, GAME_FIELDS) if "game" in kinds else {}
    if viewer.role == "player":
        nations = {item.id for item in kinds.get("nation", ())}
        seen["you"] = {"player": viewer.actor, "nation": viewer.actor if viewer.actor in nations else None}
    if "zone" in kinds:
        seen["zones"] = {item.id: _zone(item) for item in kinds["zone"]}
    if "player" in kinds:
        seen["players"] = {item.id: some(item.fields, ("status",)) for item in kinds["player"]}
    if "nation" in kinds:
        seen["nations"] = {item.id: _nation(item, kinds) for item in kinds["nation"]}
    if "zone" in kinds or "piece" in kinds:
        seen["pieces"] = _pieces(kinds.get("piece", []))
    if "deal" in kinds:
        seen["deals"] = _deals(kinds["deal"], ("accepted_seq",) if viewer.role == "operator" else ())
    if "turn" in kinds:
        seen["turns"] = {str(int(item.id)): some(item.fields, TURN_FIELDS) for item in kinds["turn"]}
    return seen


def _zone(item: Document) -> dict[str, Json]:
    fields = item.fields
    building = {
        structure: {**begun, "step": fields.get(f"paid:{structure}", 0)}
        for structure in sorted(STRUCTURES)
        if (begun := fields.get(f"building:{structure}")) is not None
    }
    return {
        "id": item.id,
        **some(fields, ZONE_FIELDS),
        "levels": {structure: fields[f"level:{structure}"] for structure in STRUCTURES},
        "building": building,
        **some(fields, STANDING_FIELDS),
    }


def _nation(item: Document, kinds: Kinds) -> dict[str, Json]:
    """With the submission of the open turn, if there is one and the viewer may read it."""
    seen: dict[str, Json] = {"id": item.id, **some(item.fields, NATION_FIELDS)}
    given: dict[str, Json] = {}
    for other in kinds.get("submission", ()):
        if other.id == item.id:
            given.update(other.fields)
    if "orders" in given and item.fields["submitted"]:
        seen["submission"] = {**given.pop("orders"), **some(given, SUBMISSION_FIELDS)}
    return seen


def _pieces(pieces: list[Document]) -> dict[str, Json]:
    zones = {int(item.id): item.fields["zone"] for item in pieces}
    seen: dict[str, Json] = {}
    for item in pieces:
        aboard = item.fields["aboard"]
        zone = item.fields["zone"] if aboard is None else zones[aboard]
        seen[str(int(item.id))] = {"id": int(item.id), **some(item.fields, PIECE_FIELDS), "zone": zone}
    return seen


def _deals(documents: list[Document], besides: tuple[str, ...]) -> dict[str, Json]:
    """What is for a side and what is for all, of one deal; the later status counts."""
    merged: dict[str, dict[str, Any]] = {}
    for document in documents:
        known = merged.setdefault(document.id, {})
        before = known.get("status", DEAL_STATUSES[0])
        known.update({name: value for name, value in document.fields.items() if value is not None})
        known["status"] = max(before, known.get("status", before), key=DEAL_STATUSES.index)
    return {str(int(id_)): _deal(int(id_), merged[id_], besides) for id_ in sorted(merged)}


def _deal(number: int, fields: Mapping[str, Any], besides: tuple[str, ...]) -> dict[str, Json]:
    giver, taker = sides_of(fields["kind"])
    return {
        "id": number,
        "kind": fields["kind"],
        giver: fields["from"],
        taker: fields["to"],
        **fields["terms"],
        "status": fields["status"],
        **{name: fields.get(name) for name in (*DEAL_FIELDS, *besides)},
    }
