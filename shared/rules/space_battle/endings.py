"""When the battle ends, and what it changes outside of it (section 10 of the rules)."""

from collections import Counter
from collections.abc import Mapping

from shared.rules.interface import Json
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import (
    BASE_DESTROYED,
    CANCELLED,
    FLEET_DESTROYED,
    OTHER,
    SIDES,
    SURRENDER,
    Challenge,
    Craft,
    State,
)

LABEL = "end"


def judge(play: Play, lost: Craft) -> None:
    """SPB-60 to SPB-62, SPB-66: after a destruction, base before fleet; whoever did it, the other side wins."""
    if lost.kind.base:
        end(play, BASE_DESTROYED, OTHER[lost.side])
    elif all(item.kind.base for item in play.state.living(lost.side)):
        end(play, FLEET_DESTROYED, OTHER[lost.side])


def end(play: Play, result: str, winner: str | None) -> None:
    """The result in a resolution of its own (SPB-12), all mines (SPB-79), hangars and experience (SPB-67, SPB-68)."""
    battle = play.state.fought
    if battle is None:
        return
    play.dice.resolve(LABEL)
    data = {"result": result, "winner": winner, "challenge": battle.id, "players": [*battle.players]}
    play.emit("battle_ended", data)
    _reveal_mines(play)
    if result != CANCELLED:  # SPB-69: with the hangars as before the battle
        for side in SIDES:
            _change_hangar(play, battle, side, forfeits=_forfeits_fleet(play.state, result, winner, side))
        _change_experience(play, battle, result, winner)
    play.mark(LABEL)


def _reveal_mines(play: Play) -> None:
    mines: dict[str, Json] = {
        name: {"side": mine.side, "col": mine.at[0], "row": mine.at[1], "live": mine.live}
        for name, mine in sorted(play.state.mines.items())
    }
    play.emit("mines_revealed", {"mines": mines})


def _forfeits_fleet(state: State, result: str, winner: str | None, side: str) -> bool:
    """SPB-67: whether a side that lost its base loses all its craft of this battle (SPB-108)."""
    return state.config.base_loss_forfeits_fleet and result == BASE_DESTROYED and side != winner


def _change_hangar(play: Play, battle: Challenge, side: str, *, forfeits: bool) -> None:
    """SPB-67: what was destroyed is lost, and mines that exploded; all else is kept. Nothing lost is no change."""
    state, player = play.state, battle.player_of(side)
    lost = _lost(state, side, forfeits)
    mines = sum(mine.side == side and not mine.live for mine in state.mines.values())
    if not lost and not mines:
        return
    hangar = {name: count - lost.get(name, 0) for name, count in state.players[player].hangar.items()}
    data = {"player": player, "side": side, "lost": dict(lost), "mines": mines, "hangar": hangar}
    play.emit("hangar_changed", data)


def _lost(state: State, side: str, forfeits: bool) -> Mapping[str, int]:
    counted = Counter(
        item.kind.id for item in state.craft.values() if item.side == side and (forfeits or not item.alive)
    )
    return {name: counted[name] for name in sorted(counted)}


def _change_experience(play: Play, battle: Challenge, result: str, winner: str | None) -> None:
    """SPB-67, SPB-68: of who surrendered, and of the winner; a draw changes nothing."""
    if winner is None:
        return
    config = play.state.config
    changes = [(winner, config.win_experience)]
    if result == SURRENDER:
        changes.append((OTHER[winner], config.surrender_experience))
    for side, by in sorted(changes):
        if by:
            player = battle.player_of(side)
            experience = play.state.players[player].experience + by
            play.emit("experience_changed", {"player": player, "side": side, "by": by, "experience": experience})
