"""The lobby, and the start that ends it (FOR-22 to FOR-26, FOR-103)."""

from shared.dice import Draws
from shared.rules.event_rows import parts_of
from shared.rules.forces.capitals import open_capitals
from shared.rules.forces.config import SHUFFLE
from shared.rules.forces.picking import open_pick, pick, seat_at
from shared.rules.forces.play import Play
from shared.rules.forces.state import State
from shared.rules.interface import Decision, Dice, Event, Input, Refusal

LABEL = SCOPE = "setup"
PART = 1_000
"""Most zones of one part of the deal."""


def join(state: State, command: Input, dice: Dice) -> Decision:
    """One place in the list, in the order of joining (FOR-103)."""
    most = state.config.players[1]
    if command.actor in state.players:
        return Refusal("already_joined", "FOR-81", "a player joins once; you are in the list")
    if len(state.players) >= most:
        return Refusal("game_full", "FOR-81", f"the game takes {most} players, and has them")
    joined = 1 + max((player.joined for player in state.players.values()), default=0)
    return [Event("joined", {"player": command.actor, "joined": joined})]


def start_game(state: State, command: Input, dice: Dice) -> Decision:
    """Seats before zones, both in the resolution `setup` (FOR-12, FOR-103)."""
    least, players, land = state.config.players[0], len(state.players), len(state.board.land_zones)
    if players < least:
        return Refusal("too_few_players", "FOR-81", f"the game needs {least} players; {players} have joined")
    if land < players:
        return Refusal("too_few_zones", "FOR-81", f"{players} players need as many land zones; the map has {land}")
    play = Play(state)
    stream = dice.resolve(LABEL).stream(SCOPE)
    _give_seats(play, stream)
    if state.config.auto_pick:
        _deal(play, stream)
        open_capitals(play, command.at)
    else:
        open_pick(play, 0, command.at)
    play.mark(LABEL)
    return play.events


def _give_seats(play: Play, stream: Draws) -> None:
    """FOR-103: the ids in code point order are shuffled, or the order of joining stands."""
    players = play.state.players
    if play.state.config.seat_order == SHUFFLE:
        before = stream.draws
        seats = sorted(players)
        stream.shuffle(seats)
        dice = {"scope": SCOPE, "draws": stream.draws - before}
    else:
        seats = sorted(players, key=lambda id_: players[id_].joined)
        dice = {"scope": None, "draws": 0}
    play.emit("seats_given", {**dice, "seats": seats, "credits_public": play.state.config.credits_public})


def _deal(play: Play, stream: Draws) -> None:
    """FOR-22: the land zones are shuffled and dealt in the order of FOR-24."""
    state, before = play.state, stream.draws
    zones = list(state.board.land_zones)
    stream.shuffle(zones)
    drawn = stream.draws - before
    for part, parts, dealt in parts_of(zones, PART):
        ids = [state.board.ids[zone] for zone in dealt]
        play.emit("zones_shuffled", {"scope": SCOPE, "draws": drawn, "part": part, "parts": parts, "zones": ids})
    for number, zone in enumerate(zones):
        pick(play, zone, seat_at(state, number), "deal")
