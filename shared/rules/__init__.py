"""The registry of games: every rules version that this installation can run, the newest of a game last."""

from typing import Any

from shared.rules.interface import Registration, Rules


def _gxc_1() -> Rules[Any]:
    from shared.rules.gxc import RULES

    return RULES


def _exgenhoca_1() -> Rules[Any]:
    from shared.rules.exgenhoca import RULES

    return RULES


def _forces_1() -> Rules[Any]:
    from shared.rules.forces import RULES

    return RULES


def _space_battle_1() -> Rules[Any]:
    from shared.rules.space_battle import RULES

    return RULES


def _map_war_1() -> Rules[Any]:
    from shared.rules.map_war import RULES

    return RULES


_ID = "[A-Za-z0-9_-]{1,64}"

GAMES: tuple[Registration[Any], ...] = (
    Registration("gxc", "1", _gxc_1, "GXC", rf"order|border:{_ID}:{_ID}|assault:{_ID}"),
    Registration("exgenhoca", "1", _exgenhoca_1, "EXG", r"setup|attack:[1-9]\d*|close"),
    Registration("forces", "1", _forces_1, "FOR", rf"setup|combat:{_ID}"),
    Registration("space-battle", "1", _space_battle_1, "SPB", "battle"),
    Registration("map-war", "1", _map_war_1, "MAP", rf"riot:{_ID}|spread:{_ID}|decay:{_ID}|npc:{_ID}"),
)


class UnknownRules(LookupError):
    """No such game, or not in this version; the message lists what there is."""


def rules_of(game: str, version: str | None = None) -> Rules[Any]:
    """The rules of a game in one version; None means the newest."""
    fitting = [item for item in GAMES if item.game == game and version in (None, item.version)]
    if not fitting:
        known = ", ".join(f"{item.game} {item.version}" for item in GAMES)
        raise UnknownRules(f"no rules {game} {version or ''}".strip() + f"; known: {known}")
    return fitting[-1].load()
