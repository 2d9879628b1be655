"""Hits, shields, explosions and destruction (SPB-39, SPB-49 to SPB-51, SPB-66)."""

from shared.rules.space_battle.board import Square
from shared.rules.space_battle.endings import judge
from shared.rules.space_battle.events import to_player
from shared.rules.space_battle.play import Play


def hit(play: Play, name: str, amount: int) -> None:
    """SPB-49: a hit of at least 1 destroys behind a shield that is down; else it adds up, and may bring it down.

    Own and enemy craft are hit alike (SPB-51).
    """
    craft = play.state.craft[name]
    if amount < 1 or not craft.alive:
        return
    shield = craft.kind.shield
    if craft.damage > shield:
        destroy(play, name)
        return
    damage = craft.damage + amount
    play.emit("craft_damaged", {"side": craft.side, "craft": name, "hit": amount, "damage": damage})
    if damage > shield:  # SPB-50: strictly; this hit does not destroy, however strong
        play.emit("shield_down", {"move_no": play.state.move_no, "side": craft.side, "craft": name})


def destroy(play: Play, name: str) -> None:
    """SPB-66: the craft is gone, and the end of the battle is judged."""
    craft = play.state.craft[name]
    data = {
        "move_no": play.state.move_no,
        "side": craft.side,
        "craft": name,
        "class": craft.kind.id,
        "square": [*craft.at],
    }
    play.emit("craft_destroyed", data)
    judge(play, craft)


def explode(play: Play, name: str, square: Square) -> None:
    """SPB-39, SPB-41, SPB-105: every live mine of the square is gone; whose it was its owner alone is told (SPB-79)."""
    state, mines = play.state, play.state.mined[square]
    play.emit("mine_exploded", {"move_no": state.move_no, "craft": name, "square": [*square], "count": len(mines)})
    for mine in mines:
        side = state.mines[mine].side
        owner = to_player(state.fought.player_of(side)) if state.fought else ()
        play.emit("mine_spent", {"side": side, "mine": mine}, owner)
