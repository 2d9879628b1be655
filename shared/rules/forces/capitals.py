"""Choosing capitals, unseen, and what their reveal opens (section 7 of the rules)."""

from shared.rules.forces.config import deadline_of
from shared.rules.forces.events import to_player
from shared.rules.forces.play import Play
from shared.rules.forces.state import Player, State
from shared.rules.interface import Decision, Dice, Input, Refusal


def open_capitals(play: Play, at: int) -> None:
    """All choose at the same time (FOR-27)."""
    play.emit("capitals_opened", {"opened_at": at, "deadline": deadline_of(play.state.config.capital_hours, at)})


def choose_capital(state: State, command: Input, dice: Dice) -> Decision:
    """FOR-27: an own zone; the choice may be changed until the last player has chosen, and never again (FOR-18)."""
    zone, player = state.board.index[command.payload["zone"]], state.players[command.actor]
    if state.owner[zone] != player.seat:
        return Refusal("not_own_zone", "FOR-27", "choose a land zone that you own")
    play = Play(state)
    _choose(play, player, zone, "player")
    reveal_when_complete(play, command.at)
    return play.events


def _choose(play: Play, player: Player, zone: int, by: str) -> None:
    data = {"seat": player.seat, "zone": play.state.board.ids[zone], "by": by}
    play.emit("capital_chosen", data, to_player(player.id))


def drop_choice(play: Play, player: Player) -> None:
    """FOR-27, FOR-79: before all are shown a choice is none; who leaves earlier leaves without a capital."""
    if player.capital is not None:
        play.emit("capital_dropped", {"seat": player.seat}, to_player(player.id))


def choose_what_is_missing(play: Play, by: str) -> None:
    """FOR-76, FOR-105: own zone of the highest income, then of more combat Forces, then of the lowest id."""
    state = play.state
    for player in play.state.active():
        zones = state.zones_of(player.seat) if player.capital is None else []
        if zones:
            best = min(zones, key=lambda zone: (-state.board.income[zone], -_garrison(state, zone), zone))
            _choose(play, player, best, by)


def _garrison(state: State, zone: int) -> int:
    """Combat Forces in a zone; before the first year they all are the owner's."""
    return sum(sum(counts) for counts in state.forces[zone].values())


def reveal_when_complete(play: Play, at: int) -> None:
    """The last choice shows all (FOR-27), and departures may complete them (FOR-105)."""
    if all(player.capital is not None for player in play.state.active()):
        reveal(play, at)


def reveal(play: Play, at: int) -> None:
    """Capitals are shown, starting credits given (FOR-29), and the first year begins."""
    state = play.state
    chosen = {
        str(player.seat): state.board.ids[player.capital] for player in state.active() if player.capital is not None
    }
    play.emit("capitals_revealed", {"capitals": chosen})
    given = state.config.starting_credits
    for player in state.active():
        amount = player.income if isinstance(given, str) else given
        data = {"seat": player.seat, "amount": amount, "credits": player.credits + amount}
        play.emit("credits_granted", data, play.to_purse(player))
    open_year(play, state.config.first_year, at)


def open_year(play: Play, year: int, at: int) -> None:
    """Nobody has submitted (FOR-49); without `year_hours` the year waits for everybody (FOR-77)."""
    deadline = deadline_of(play.state.config.year_hours, at)
    play.emit("year_opened", {"year": year, "opened_at": at, "deadline": deadline})
