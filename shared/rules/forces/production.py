"""What is paid, placed and received in a year (section 13 of the rules, FOR-42, FOR-47, FOR-48)."""

from shared.rules.forces.orders import Item, Orders
from shared.rules.forces.play import Play
from shared.rules.forces.state import ACTIVE
from shared.rules.forces.tables import DATA, FACTORY, NONE, NUMBER


def pay(play: Play, orders: Orders) -> None:
    """FOR-42: every active seat, 0 too (FOR-104)."""
    costs = dict.fromkeys(orders.seats, 0)
    for item in orders.purchases:
        costs[item.seat] += _cost(item)
    for seat, amount in costs.items():
        player = play.player(seat)
        data = {"seat": seat, "amount": amount, "credits": player.credits - amount}
        play.emit("paid", data, play.to_purse(player))


def _cost(item: Item) -> int:
    return DATA[item.given["type"]].cost * int(item.given["count"])


def place(play: Play, orders: Orders) -> None:
    """FOR-64, in the order of seat and list; what is placed neither moves nor fights this year (FOR-65)."""
    for item in orders.purchases:
        reason = _obstacle(play, item)
        if reason is None:
            _place(play, item)
        else:
            play.emit("not_produced", {**_told(item), "reason": reason})
            _refund(play, item)


def _obstacle(play: Play, item: Item) -> str | None:
    """Why nothing is placed; the event's reasons."""
    state, zone = play.state, play.state.board.index[item.given["zone"]]
    if play.player(item.seat).status != ACTIVE:
        return "eliminated"
    if state.owner[zone] != item.seat:
        return "zone_lost"
    return "contested" if state.foreign_in(zone, item.seat) else None


def _told(item: Item) -> dict[str, int | str]:
    return {
        "seat": item.seat,
        "item": item.number,
        "zone": item.given["zone"],
        "type": item.given["type"],
        "count": item.given["count"],
    }


def _place(play: Play, item: Item) -> None:
    type_, count = item.given["type"], item.given["count"]
    there = count
    if type_ != FACTORY:
        zone = play.state.board.index[item.given["zone"]]
        there += play.state.forces[zone].get(item.seat, NONE)[NUMBER[type_]]
    play.emit("placed", {**_told(item), "there": there})


def _refund(play: Play, item: Item) -> None:
    """FOR-64: the credits are lost unless `refund_unproduced`; nobody who is out gets any (FOR-106)."""
    player = play.player(item.seat)
    if play.state.config.refund_unproduced and player.status == ACTIVE:
        amount = _cost(item)
        data = {"seat": item.seat, "item": item.number, "amount": amount, "credits": player.credits + amount}
        play.emit("refunded", data, play.to_purse(player))


def receive_income(play: Play) -> None:
    """FOR-66: contested zones count; FOR-63, FOR-67: nothing without the own capital."""
    for player in play.state.active():
        amount = player.income if play.state.owns_capital(player) else 0
        data = {"seat": player.seat, "amount": amount, "credits": player.credits + amount}
        play.emit("income", data, play.to_purse(player))
