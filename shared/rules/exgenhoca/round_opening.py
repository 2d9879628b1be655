"""What a round begins with: rights, expiries, who counts as idle (EXG-21, EXG-22, EXG-45, EXG-46, EXG-52)."""

from shared.rules.exgenhoca.effects import change_penalties
from shared.rules.exgenhoca.events import to_owner_of_items
from shared.rules.exgenhoca.forms import inventory_form
from shared.rules.exgenhoca.holding import complete_continents
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.reach import has_target_in
from shared.rules.exgenhoca.state import Penalties, Player, Window

FEWER_ATTACKS = 2
"""What one N4 takes away."""


def open_round(play: Play, number: int, at: int) -> None:
    """Open a round of this number at this time."""
    rights = {player.seat: rights_in(play, player, number) for player in play.active()}
    for seat in rights:
        _expire(play, seat, number)
    counts_idle = [
        seat for seat, attacks in rights.items() if attacks and has_target_in(play.state, play.player(seat), number)
    ]
    data = {
        "round": number,
        "opened_at": at,
        "deadline": at + play.state.config.round_ms,
        "attacks_left": {str(player.seat): rights.get(player.seat, 0) for player in play.state.players},
        "counts_idle": counts_idle,
    }
    play.emit("round_opened", data)


def rights_in(play: Play, player: Player, number: int) -> int:
    """EXG-21, EXG-22: one attack, one more for every five territories, less what N4 and N5 take."""
    config, penalties = play.state.config, player.penalties
    if number == 1:
        return config.first_round_attacks
    if penalties.skip_next:
        return 0
    attacks = 1 + player.total // config.territories_per_extra_attack
    return max(0, attacks - FEWER_ATTACKS * penalties.fewer_attacks_next)


def _expire(play: Play, seat: int, number: int) -> None:
    """EXG-46: items and penalties whose last round is over are gone."""
    player = play.player(seat)
    expired = [item for item in player.inventory if item.usable_to is not None and item.usable_to < number]
    if expired:
        kept = [item for item in player.inventory if item not in expired]
        data = {"seat": seat, "expired": inventory_form(expired), "inventory": inventory_form(kept)}
        play.emit("items_expired", data, to_owner_of_items(player.id, play.state.config.inventory_public))
    penalties = _penalties_in(play, player, number)
    if penalties != player.penalties:
        change_penalties(play, seat, penalties)


def _penalties_in(play: Play, player: Player, number: int) -> Penalties:
    """N4 and N5 are over once the rights are known; a stored N7 follows one that has run out (EXG-45)."""
    held = player.penalties._replace(fewer_attacks_next=0, skip_next=0)
    if held.no_repeat is not None and held.no_repeat.last < number:
        held = held._replace(no_repeat=None)
    if held.continents_off is None or held.continents_off.last >= number:
        return held
    if not held.stored_continent_loss or not complete_continents(play.state, player):
        return held._replace(continents_off=None)
    following = Window(number, number + play.state.config.continent_loss_rounds - 1)
    return held._replace(continents_off=following, stored_continent_loss=held.stored_continent_loss - 1)
