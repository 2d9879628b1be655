"""What one viewer may see, built up field by field from her documents (FOR-78 to FOR-80, FOR-109).

The view has the paths of the canonical state; what is hidden is absent. Besides them it has `pick_seat` (whose pick is
open), of each zone `troops` and `tanks` of its owner, of each player `submitted` (whether she has in the open year),
`combats` (every roll and casualty, by year and zone), `years`, and `you` (player and seat) for a player.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from shared.rules.forces.state import OPEN_PHASES, YEAR
from shared.rules.forces.tables import COMBAT, NUMBER
from shared.rules.forces.view_players import players_of
from shared.rules.interface import Closing, Document, Json, Layer, Mark, Page, Parts, Period, Piece, Viewer
from shared.rules.seeing import Kinds, kinds_seen, some

PAGES: Mapping[str, Page] = {
    page.name: page
    for page in (
        Page("map", ("game", "zone", "player", "seat"), "Zones, owners, Forces, factories and capitals."),
        Page("roster", ("game", "player", "seat", "purse"), "Players, what they have, and who has submitted."),
        Page(
            "orders",
            ("game", "player", "seat", "purse", "capital", "submission"),
            "The own submission and choice of a capital.",
        ),
        Page("reports", ("game", "player", "seat", "combat", "year"), "Every combat with its rolls, and the years."),
    )
}

PERIOD = Period(
    "year",
    "deadline",
    {phase: Closing("close_phase", ("phase", "year") if phase == YEAR else ("phase",)) for phase in OPEN_PHASES},
    "year_opened",
)

CAPITAL = Mark("capital", "capital", "star", of_sides=True)
FACTORY_MARK = Mark("factory", "factory", "factory")
PARTS = Parts(
    places="zones",
    place="zone",
    sides="players",
    side="player",
    side_key="seat",
    side_kinds=("player", "seat"),
    counts=("income", "troops", "tanks"),
    unshown=("pick_index", "opened_at"),
    layers=(
        Layer("control", "Control", marks=(CAPITAL, FACTORY_MARK)),
        Layer(
            "forces",
            "Forces",
            pieces="forces",
            kinds=(Piece("troop", "troop", "disc"), Piece("tank", "tank", "square")),
            marks=(FACTORY_MARK,),
        ),
    ),
)

GAME_FIELDS = (
    "phase",
    "year",
    "opened_at",
    "deadline",
    "pick_index",
    "pick_seat",
    "winner",
    "condition",
    "ranking",
    "config",
)
ZONE_FIELDS = ("name", "centroid", "kind", "income", "neighbours", "start_forces", "owner", "factory", "picked")
YEAR_FIELDS = ("opened_at", "by")
ROLL_FIELDS = ("seat", "type", "r", "odds", "hit")
CASUALTY_FIELDS = ("by", "seat", "type", "of", "pick")


def view(documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
    """The view of the documents given: sections whose kinds are not among them are absent."""
    kinds = kinds_seen(documents, viewer)
    game = kinds["game"][0].fields if "game" in kinds else {}
    seen: dict[str, Json] = some(game, GAME_FIELDS)
    if viewer.role == "player":
        seen["you"] = _you(kinds, viewer)
    if "zone" in kinds:
        seen["zones"] = {item.id: _zone(item) for item in kinds["zone"]}
    if "player" in kinds or "config" in seen:
        seen["players"] = players_of(kinds, game, viewer)
    if "combat" in kinds:
        seen["combats"] = _combats(kinds["combat"])
    if "year" in kinds:
        seen["years"] = {str(int(item.id)): some(item.fields, YEAR_FIELDS) for item in kinds["year"]}
    return seen


def _you(kinds: Kinds, viewer: Viewer) -> dict[str, Json]:
    seats = {item.id: item.fields["seat"] for item in kinds.get("player", ())}
    return {"player": viewer.actor, "seat": seats.get(viewer.actor)}


def _zone(item: Document) -> dict[str, Json]:
    """Map data, owner and Forces; only seats with any stand in `forces` (FOR-101)."""
    fields: Mapping[str, Any] = item.fields
    forces: dict[int, dict[str, int]] = {}
    for name, count in fields.items():
        type_, _, seat = name.partition(":")
        if count and type_ in NUMBER and seat.isdecimal():
            forces.setdefault(int(seat), dict.fromkeys(COMBAT, 0))[type_] = count
    own = forces.get(fields.get("owner") or 0, {})
    return {
        "id": item.id,
        **some(fields, ZONE_FIELDS),
        "forces": {str(seat): forces[seat] for seat in sorted(forces)},
        **{f"{type_}s": own.get(type_, 0) for type_ in COMBAT},
    }


def _combats(documents: Iterable[Document]) -> dict[str, Json]:
    """`<year>-<zone>` -> rolls and casualties in their order, whatever the parts that they are stored in."""
    combats: dict[str, dict[str, Json]] = {}
    for item in sorted(documents, key=_id):
        year, _, zone = item.id.split("-", 2)
        number = str(int(year))
        combat = combats.setdefault(
            f"{number}-{zone}", {"year": int(year), "zone": zone, "rolls": [], "casualties": []}
        )
        combat["rolls"] += _numbered(item.fields, "roll:", ROLL_FIELDS)
        combat["casualties"] += _numbered(item.fields, "casualty:", CASUALTY_FIELDS)
    return combats


def _id(item: Document) -> str:
    return item.id


def _numbered(fields: Mapping[str, Any], prefix: str, names: Iterable[str]) -> list[Json]:
    numbers = sorted(int(name.removeprefix(prefix)) for name in fields if name.startswith(prefix))
    return [some(fields[f"{prefix}{number}"], names) for number in numbers]
