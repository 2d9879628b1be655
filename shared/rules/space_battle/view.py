"""What one viewer may see, built up field by field from her documents (SPB-77 to SPB-80).

The view has the paths of the canonical state; what is hidden is absent. Besides them it has `squares` (the grid, with
the side and the craft on each), `side` of players, `moves` (every move with what happened in it), `move_deadline`
while the battle runs, and `you` (player and side) for a player.
"""

from collections.abc import Iterable, Mapping

from shared.rules.interface import Document, Json, Layer, Page, Parts, Viewer
from shared.rules.seeing import Kinds, kinds_seen, some
from shared.rules.space_battle.config import config_of
from shared.rules.space_battle.state import RUNNING, SIDES
from shared.rules.space_battle.view_battle import craft_of, mines_of, move_of, squares_of

PAGES: Mapping[str, Page] = {
    page.name: page
    for page in (
        Page("map", ("game", "player", "craft", "deployment"), "The grid with the craft on it."),
        Page("roster", ("game", "player", "challenge"), "Players, their hangars and experience, and all challenges."),
        Page(
            "orders",
            ("game", "player", "challenge", "craft", "deployment", "mine"),
            "The own deployment and mines, and who has the move.",
        ),
        Page("reports", ("game", "player", "craft", "move"), "Every move with its shots, explosions and losses."),
    )
}

PERIOD = None
"""Moves follow one another; nothing of the kind is closed (docs/decisions/0007-periods-and-parts-of-a-view.md)."""

PARTS = Parts(
    places="squares",
    place="square",
    sides="players",
    side="player",
    side_key="side",
    side_kinds=("player",),
    unshown=("move_no", "moved_this_move", "warned", "lapsed", "quiet_moves"),
    layers=(Layer("control", "Craft", word="craft"),),
)

GAME_FIELDS = (
    "phase",
    "to_move",
    "move_no",
    "move_started_at",
    "moved_this_move",
    "warned",
    "lapsed",
    "quiet_moves",
    "result",
    "winner",
    "config",
)
CHALLENGE_FIELDS = (
    "challenger",
    "challenged",
    "status",
    "expires_at",
    "number",
    "proposed_time",
    "proposed_by",
    "staff_requested",
    "start_time",
)
PLAYER_FIELDS = ("hangar", "experience", "side")


def view(documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
    """The view of the documents given: sections whose kinds are not among them are absent."""
    kinds = kinds_seen(documents, viewer)
    seen: dict[str, Json] = {}
    if "game" in kinds:
        seen.update(_game(kinds["game"][0].fields))
    if viewer.role == "player":
        seen["you"] = _you(kinds, viewer)
    if "player" in kinds:
        seen["players"] = {item.id: some(item.fields, PLAYER_FIELDS) for item in kinds["player"]}
    if "challenge" in kinds:
        seen["challenges"] = {str(int(item.id)): _challenge(item) for item in kinds["challenge"]}
    craft = craft_of(kinds)
    if craft is not None:
        seen["craft"] = craft
    mines = mines_of(kinds)
    if mines is not None:
        seen["mines"] = mines
    if "config" in seen:
        seen["squares"] = squares_of(seen["config"], craft or {})
    if "move" in kinds:
        seen["moves"] = {str(int(item.id)): move_of(item.fields) for item in kinds["move"]}
    return seen


def _game(fields: Mapping[str, Json]) -> dict[str, Json]:
    """What holds for a side is written field by field, so that one event changes one of the two."""
    by_side = {
        name: {side: fields[f"{name}:{side}"] for side in SIDES if f"{name}:{side}" in fields}
        for name in ("ready", "forfeits")
    }
    seen = {**some(fields, GAME_FIELDS), **by_side}
    if seen.get("phase") == RUNNING:
        seen["move_deadline"] = seen["move_started_at"] + config_of(seen["config"]).move_ms
    return seen


def _you(kinds: Kinds, viewer: Viewer) -> dict[str, Json]:
    sides = {item.id: item.fields.get("side") for item in kinds.get("player", ())}
    return {"player": viewer.actor, "side": sides.get(viewer.actor)}


def _challenge(item: Document) -> dict[str, Json]:
    return {"id": int(item.id), **some(item.fields, CHALLENGE_FIELDS)}
