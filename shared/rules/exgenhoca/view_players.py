"""Players as one viewer sees them: what is public, and what is hers alone (EXG-66, EXG-67)."""

from collections.abc import Mapping

from shared.rules.interface import Document, Json

FIELDS = (
    "id",
    "status",
    "eliminated_at",
    "eliminated_by",
    "attacks_left",
    "global_attacks",
    "attacks_made",
    "repeat_used",
    "idle_row",
    "idle_total",
    "passed",
    "counts_idle",
    "pending",
    "conquests",
)
HELD: Mapping[str, tuple[str, ...]] = {
    "items": ("inventory", "penalties"),
    "objective": ("objective",),
    "policy": ("policy",),
}
"""Kind of document -> fields that it adds to a player."""
COOLDOWN = "cooldown:"


def players_of(kinds: Mapping[str, list[Document]], game: Mapping[str, Json]) -> dict[str, Json]:
    """Every player by id, with what the viewer's documents tell of her."""
    by_seat: dict[str, dict[str, Json]] = {item.id: _public(item, game) for item in kinds["player"]}
    for kind, names in HELD.items():
        for item in kinds.get(kind, ()):
            if item.id in by_seat:
                by_seat[item.id].update({name: item.fields[name] for name in names if name in item.fields})
    for player in by_seat.values():
        if player["status"] == "eliminated" and "inventory" in player:
            player["inventory"] = []  # EXG-54
    return {by_seat[seat]["id"]: by_seat[seat] for seat in sorted(by_seat, key=int)}


def _public(item: Document, game: Mapping[str, Json]) -> dict[str, Json]:
    """EXG-25: cooldowns that ban nothing any more are not told, as the state drops them when a round opens."""
    fields, round_ = item.fields, game.get("round", 0)
    since = round_ - game["config"]["cooldown_rounds"] if "config" in game else round_
    cooldown = {
        name.removeprefix(COOLDOWN): fields[name]
        for name in sorted(fields)
        if name.startswith(COOLDOWN) and fields[name] >= since
    }
    return {
        "seat": int(item.id),
        **{name: fields[name] for name in FIELDS if name in fields},
        "cooldown": cooldown,
        "attacked_this_round": [territory for territory, last in cooldown.items() if last == round_],
    }
