"""Items of an inventory and their windows (EXG-42, EXG-46)."""

from collections.abc import Mapping, Sequence

from shared.rules.exgenhoca.state import Item

LABELS: Mapping[str, str] = {
    "P1": "+5 on one attack",
    "P2": "+5 on one defence",
    "P3": "a second chance",
    "P4": "two extra attacks",
    "P5": "one attack at any distance",
    "P6": "wins one tie when attacking",
    "P7": "a swap of territories",
    "N1": "-5 on the next attack",
    "N2": "-5 on the next defence",
    "N3": "the loss of a territory",
    "N4": "two attacks fewer in one round",
    "N5": "no attack in one round",
    "N6": "no repeated attack",
    "N7": "no continental advantages",
}
"""English label of each effect (EXG-42)."""
PLUS5_ATTACK, PLUS5_DEFENCE, SECOND_CHANCE, WINS_TIE = "P1", "P2", "P3", "P6"


def usable(inventory: Sequence[Item], effect: str, round_: int) -> int:
    """How many items of an effect may be used in a round."""
    return sum(item.effect == effect and item.usable(round_) for item in inventory)


def without(inventory: Sequence[Item], effect: str, round_: int) -> tuple[Item, ...]:
    """The inventory after the first usable item of an effect was used; there must be one."""
    for place, item in enumerate(inventory):
        if item.effect == effect and item.usable(round_):
            return (*inventory[:place], *inventory[place + 1 :])
    raise ValueError(f"no {effect} is usable in round {round_}")


def refused(inventory: Sequence[Item], effect: str, round_: int) -> str | None:
    """`item_missing` or `item_not_usable`, or None if one may be used (EXG-27)."""
    held = [item for item in inventory if item.effect == effect]
    if not held:
        return "item_missing"
    return None if any(item.usable(round_) for item in held) else "item_not_usable"
