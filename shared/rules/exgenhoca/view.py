"""What one viewer may see, built up field by field from her documents (EXG-66, EXG-67).

The view has the paths of the canonical state; what is hidden is absent. Besides them it has `effect` of territories
(what was found there), `effects` (the English label of each), `attacks` (every attack with all its rolls, by round and
number), `rounds`, and `you` (player and seat) for a player.
"""

from collections.abc import Iterable, Mapping

from shared.rules.exgenhoca.items import LABELS
from shared.rules.exgenhoca.state import RUNNING
from shared.rules.exgenhoca.view_players import players_of
from shared.rules.interface import Closing, Document, Json, Page, Parts, Period, Viewer
from shared.rules.seeing import Kinds, kinds_seen, some

PAGES: Mapping[str, Page] = {
    page.name: page
    for page in (
        Page("map", ("game", "territory", "player"), "Territories, owners, and what was found there."),
        Page("roster", ("game", "player", "items"), "Players, their rights, cooldowns, items and penalties."),
        Page("orders", ("game", "player", "items", "objective", "policy"), "The own objective and standing policy."),
        Page("reports", ("game", "player", "attack", "round"), "Every attack with its dice, and the rounds."),
    )
}

PERIOD = Period("round", "round_deadline", {RUNNING: Closing("close_round", ("round",))}, "round_opened")

PARTS = Parts(
    places="territories",
    place="territory",
    sides="players",
    side="player",
    side_key="seat",
    side_kinds=("player",),
    unshown=("attack_count",),
)

GAME_FIELDS = (
    "phase",
    "round",
    "round_opened_at",
    "round_deadline",
    "attack_count",
    "winner",
    "end_reason",
    "ranking",
    "points",
    "config",
    "continents",
)
TERRITORY_FIELDS = ("name", "label", "continent", "neighbours", "centroid", "owner", "effect", "token")
ATTACK_FIELDS = ("round", "attack", "attacker", "defender", "target", "taken", "tie", "repeat", "global")
ROLL_FIELDS = ("attack_dice", "defence_dice", "A", "D", "modifiers")
ROUND_FIELDS = ("opened_at", "closed_at", "by")


def view(documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
    """The view of the documents given: sections whose kinds are not among them are absent."""
    kinds = kinds_seen(documents, viewer)
    game = kinds["game"][0].fields if "game" in kinds else {}
    seen: dict[str, Json] = some(game, GAME_FIELDS)
    if "config" in seen:
        seen["effects"] = {effect: {"label": LABELS[effect]} for effect in sorted(set(seen["config"]["effects"]))}
    if viewer.role == "player":
        seen["you"] = _you(kinds, viewer)
    if "territory" in kinds:
        seen["territories"] = {item.id: _territory(item) for item in kinds["territory"]}
    if "player" in kinds:
        seen["players"] = players_of(kinds, game)
    if "attack" in kinds:
        seen["attacks"] = {_number(item.id): _attack(item.fields) for item in kinds["attack"]}
    if "round" in kinds:
        seen["rounds"] = {str(int(item.id)): some(item.fields, ROUND_FIELDS) for item in kinds["round"]}
    return seen


def _you(kinds: Kinds, viewer: Viewer) -> dict[str, Json]:
    seats = {item.fields["id"]: int(item.id) for item in kinds.get("player", ())}
    return {"player": viewer.actor, "seat": seats.get(viewer.actor)}


def _territory(item: Document) -> dict[str, Json]:
    return {"id": item.id, **some(item.fields, TERRITORY_FIELDS)}


def _number(id_: str) -> str:
    """`round-attack` without the zeros that keep documents in order."""
    return "-".join(str(int(part)) for part in id_.split("-"))


def _attack(fields: Mapping[str, Json]) -> dict[str, Json]:
    """One attack; the last of its rolls is the one that counts."""
    numbers = sorted(int(name.removeprefix("roll:")) for name in fields if name.startswith("roll:"))
    rolls = [some(fields[f"roll:{number}"], ROLL_FIELDS) for number in numbers]
    return {**some(fields, ATTACK_FIELDS), "rolls": rolls}
