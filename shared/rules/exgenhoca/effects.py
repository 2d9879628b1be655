"""Prizes and penalties: what a revealed token does (section 8 of the rules)."""

from shared.rules.exgenhoca.events import to_owner_of_items
from shared.rules.exgenhoca.forms import inventory_form, penalties_form
from shared.rules.exgenhoca.holding import complete_continents, completes
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.state import LOSS, SWAP, Item, Penalties, Player, Window

EXTRA_ATTACKS = 2
"""P4."""
SECOND_CHANCES = 2
"""P3 is so many entries of an inventory."""


def reveal(play: Play, seat: int, territory: int) -> None:
    """EXG-41: the first conquest by an attack reveals and removes the token, and it takes effect."""
    effect = play.state.token[territory]
    if effect is None:
        return
    play.emit("effect_revealed", {"territory": play.state.board.ids[territory], "effect": effect, "seat": seat})
    player = play.player(seat)
    inventory = (*player.inventory, *_gained(play, effect))
    penalties = _penalised(play, player, effect)
    data = {
        "seat": seat,
        "effect": effect,
        "inventory": inventory_form(inventory),
        "penalties": penalties_form(penalties),
    }
    play.emit("effect_applied", data, to_owner_of_items(player.id, play.state.config.inventory_public))
    if effect in ("P4", "P5"):
        _extra_attacks(play, seat, effect)
    elif effect in ("P7", "N3"):
        play.emit("choice_pending", {"seat": seat, "choice": SWAP if effect == "P7" else LOSS})


def _gained(play: Play, effect: str) -> list[Item]:
    """EXG-42: the next rounds are those after the present one; P6 has no limit and holds at once."""
    round_, window = play.state.round, play.state.config.window_rounds
    match effect:
        case "P1" | "P2":
            return [Item(effect, round_ + 1, round_ + window)]
        case "P3":
            return [Item(effect, round_ + 1, round_ + window)] * SECOND_CHANCES
        case "P6":
            return [Item(effect, round_, None)]
    return []


def _penalised(play: Play, player: Player, effect: str) -> Penalties:
    """N1, N2, N4 to N7; equal ones add up (EXG-46)."""
    held, config, round_ = player.penalties, play.state.config, play.state.round
    match effect:
        case "N1":
            return held._replace(minus_attack=held.minus_attack + 1)
        case "N2":
            return held._replace(minus_defence=held.minus_defence + 1)
        case "N4":
            return held._replace(fewer_attacks_next=held.fewer_attacks_next + 1)
        case "N5":
            return held._replace(skip_next=held.skip_next + 1)
        case "N6":
            first = round_ + 1 if held.no_repeat is None else min(held.no_repeat.first, round_ + 1)
            return held._replace(no_repeat=Window(first, round_ + config.window_rounds))
        case "N7":
            return _without_continents(play, player)
    return held


def _without_continents(play: Play, player: Player) -> Penalties:
    """EXG-45: at once for who holds a continent, else stored; never two at a time."""
    held = player.penalties
    if held.continents_off is None and complete_continents(play.state, player):
        return held._replace(continents_off=_next_rounds(play))
    return held._replace(stored_continent_loss=held.stored_continent_loss + 1)


def after_gain(play: Play, seat: int, territory: int) -> None:
    """EXG-45: a stored N7 is set at the moment at which she completes a continent, in whatever way."""
    player = play.player(seat)
    held = player.penalties
    if not held.stored_continent_loss or held.continents_off is not None:
        return
    if not completes(play.state, player, play.state.board.continent[territory]):
        return
    stored = held.stored_continent_loss - 1
    change_penalties(play, seat, held._replace(stored_continent_loss=stored, continents_off=_next_rounds(play)))


def change_penalties(play: Play, seat: int, penalties: Penalties) -> None:
    """Tell what a player's penalties are from now on."""
    to = to_owner_of_items(play.player(seat).id, play.state.config.inventory_public)
    play.emit("penalties_changed", {"seat": seat, "penalties": penalties_form(penalties)}, to)


def _next_rounds(play: Play) -> Window:
    return Window(play.state.round + 1, play.state.round + play.state.config.continent_loss_rounds)


def _extra_attacks(play: Play, seat: int, effect: str) -> None:
    player = play.player(seat)
    attacks, anywhere = player.attacks_left, player.global_attacks
    if effect == "P4":
        attacks += EXTRA_ATTACKS
    else:
        anywhere += 1
    data = {"seat": seat, "source": effect, "attacks_left": attacks, "global_attacks": anywhere}
    play.emit("extra_attack", data)
