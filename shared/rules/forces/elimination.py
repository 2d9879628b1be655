"""Who is out, and what becomes of what was hers (FOR-46, FOR-68 to FOR-70, FOR-106)."""

from shared.rules.forces.board import counts_form
from shared.rules.forces.config import CAPTOR, ZONES_ALONE
from shared.rules.forces.play import Play
from shared.rules.forces.state import NOBODY, Player
from shared.rules.forces.takeover import give, take_over


def eliminate(play: Play) -> None:
    """FOR-106: capitals first, for all players at once, then FOR-68 on the board as it is then."""
    if play.state.config.capital_loss_eliminates:
        _eliminate_for_capitals(play)
    alone = play.state.config.elimination == ZONES_ALONE
    for player in play.state.active():
        if player.zones == 0 and (alone or play.state.forces_of(player.seat) == 0):
            remove(play, player.seat, "no_zones" if alone else "no_zones_and_forces")


def remove(play: Play, seat: int, reason: str) -> None:
    """FOR-70, FOR-102: out at once; combat Forces gone, zones neutral, no further takeover (FOR-106)."""
    _put_out(play, seat, reason)
    for zone in play.state.zones_of(seat):
        play.emit("zone_neutral", {"zone": play.state.board.ids[zone], "from": seat})


def _put_out(play: Play, seat: int, reason: str) -> None:
    state = play.state
    play.emit("player_eliminated", {"seat": seat, "year": state.year, "reason": reason})
    for zone, held in enumerate(state.forces):
        if seat in held:
            data = {"seat": seat, "zone": state.board.ids[zone], "forces": counts_form(held[seat])}
            play.emit("forces_removed", data)


def _eliminate_for_capitals(play: Play) -> None:
    """FOR-69: all who lost their capital this year are treated together, then FOR-60 on what was theirs."""
    state = play.state
    out = [player for player in state.active() if not state.owns_capital(player)]
    heirs = {player.seat: _heir(play, player, out) for player in out}
    land = {player.seat: state.zones_of(player.seat) for player in out}
    for player in out:
        _put_out(play, player.seat, "capital_lost")
    for seat, zones in land.items():
        for zone in zones:
            if heirs[seat] == NOBODY:
                play.emit("zone_neutral", {"zone": state.board.ids[zone], "from": seat})
            else:
                give(play, zone, heirs[seat])
    take_over(play, sorted(zone for zones in land.values() for zone in zones))


def _heir(play: Play, player: Player, out: list[Player]) -> int:
    """FOR-69, FOR-106: with `captor` the owner of the captured capital, unless she is out in the same year."""
    state = play.state
    if state.config.eliminated_land != CAPTOR or player.capital is None:
        return NOBODY
    owner = state.owner[player.capital]
    return NOBODY if any(other.seat == owner for other in out) else owner
