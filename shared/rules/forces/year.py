"""The resolution of a year: every phase of section 9 of the rules, in its order (FOR-42 to FOR-49)."""

from shared.rules.forces.capitals import open_year
from shared.rules.forces.combat import fight
from shared.rules.forces.elimination import eliminate
from shared.rules.forces.movement import move
from shared.rules.forces.orders import Orders
from shared.rules.forces.play import Play
from shared.rules.forces.production import pay, place, receive_income
from shared.rules.forces.state import State
from shared.rules.forces.takeover import take_over
from shared.rules.forces.victory import judge
from shared.rules.interface import Dice


def all_have_submitted(state: State, besides: int | None = None) -> bool:
    """FOR-30; `besides` is a seat whose submission is just coming in."""
    return all(player.submission is not None or player.seat == besides for player in state.active())


def resolve_year(play: Play, dice: Dice, at: int, by: str) -> None:
    """One resolution a year, whether anything is drawn or not (FOR-103)."""
    state, year = play.state, play.state.year or 0
    label = f"year:{year}"
    resolution = dice.resolve(label)
    orders = Orders(state)
    pay(play, orders)
    move(play, orders)
    fight(play, resolution, year)
    take_over(play, range(len(state.board.ids)))
    eliminate(play)
    place(play, orders)
    receive_income(play)
    play.emit("year_resolved", {"year": year, "by": by, "seats": [player.seat for player in state.active()]})
    if not judge(play):
        open_year(play, year + 1, at)
    play.mark(label)
