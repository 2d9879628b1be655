"""The checks of `attack`, in their order (EXG-27)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.exgenhoca.items import PLUS5_ATTACK, SECOND_CHANCE, WINS_TIE, refused, usable
from shared.rules.exgenhoca.reach import banned_until, in_reach
from shared.rules.exgenhoca.state import Player, State
from shared.rules.interface import Refusal


class Use(NamedTuple):
    """What an attack uses."""

    plus5: bool = False
    tie: bool = False
    rerolls: int = 0
    anywhere: bool = False
    repeat: bool = False


NO_USE = Use()


def use_of(payload: Mapping[str, Any]) -> Use:
    """The `use` of a command, whose fields may be missing."""
    given = payload.get("use")
    if not given:
        return NO_USE
    return Use(
        given.get("plus5", False),
        given.get("tie", False),
        given.get("rerolls", 0),
        given.get("global", False),
        given.get("repeat", False),
    )


def refusal_of(state: State, player: Player, target: int, use: Use) -> Refusal | None:
    """The first check that fails; None for a legal attack."""
    if player.pending is not None:
        return Refusal("pending_choice", "EXG-43", f"answer the {player.pending} first")
    if player.passed:
        return Refusal("passed", "EXG-49", "you have passed this round; the next one gives new attacks")
    return (
        refusal_of_rights(player, use)
        or refusal_of_target(state, player, target, use)
        or (None if use is NO_USE else _refusal_of_items(state, player, use))
    )


def refusal_of_rights(player: Player, use: Use) -> Refusal | None:
    """EXG-26, EXG-27: whether she has attacks enough."""
    if use.anywhere:
        if player.global_attacks < 1:
            return Refusal("no_attacks_left", "EXG-27", "an attack at any distance needs prize P5 of this round")
    elif player.attacks_left < (needed := 2 if use.repeat else 1):
        return Refusal(
            "no_attacks_left", "EXG-26", f"it needs attacks_left of at least {needed}; you have {player.attacks_left}"
        )
    return None


def refusal_of_target(state: State, player: Player, target: int, use: Use) -> Refusal | None:
    """Everything about the target: owner, repeating, cooldown and reach."""
    if state.owner[target] == player.seat:
        return Refusal("own_territory", "EXG-27", f"{state.board.ids[target]} is yours; attack what is not")
    if use.repeat:
        if found := _refusal_of_repeat(state, player, target):
            return found
    elif player.cooldown and (until := banned_until(state, player, target)):
        again = f"you may attack {state.board.ids[target]} again from round {until + 1} on"
        return Refusal("cooldown", "EXG-25", again)
    if not use.anywhere and not in_reach(state, player, target):
        return Refusal(
            "out_of_reach",
            "EXG-24",
            f"{state.board.ids[target]} borders no territory of yours; attack one that does",
        )
    return None


def _refusal_of_repeat(state: State, player: Player, target: int) -> Refusal | None:
    if player.repeat_used:
        return Refusal("repeat_used", "EXG-26", "one attack a round may be repeated, and you have repeated one")
    window = player.penalties.no_repeat
    if window is not None and window.first <= state.round <= window.last:
        return Refusal("repeat_forbidden", "EXG-27", f"penalty N6 forbids repeats up to round {window.last}")
    if target not in player.attacked_this_round:
        name = state.board.ids[target]
        return Refusal("repeat_not_needed", "EXG-26", f"you have not attacked {name} in this round; leave repeat out")
    return None


def _refusal_of_items(state: State, player: Player, use: Use) -> Refusal | None:
    """EXG-27: in the order plus5, tie, rerolls; missing before not usable; then too many second chances."""
    inventory, round_ = player.inventory, state.round
    for wanted, effect in (
        (use.plus5, PLUS5_ATTACK),
        (use.tie, WINS_TIE),
        (use.rerolls > 0, SECOND_CHANCE),
    ):
        code = refused(inventory, effect, round_) if wanted else None
        if code == "item_missing":
            return Refusal(code, "EXG-27", f"you hold no {effect}; attack without it")
        if code is not None:
            windows = ", ".join(
                f"{item.usable_from} to {item.usable_to}" for item in inventory if item.effect == effect
            )
            return Refusal(code, "EXG-42", f"{effect} is usable in rounds {windows}; this is round {round_}")
    if use.rerolls and use.rerolls > (most := usable(inventory, SECOND_CHANCE, round_)):
        return Refusal("bad_amount", "EXG-27", f"rerolls must be at most {most}, your usable second chances")
    return None
