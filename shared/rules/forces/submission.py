"""Submitting the turn of a year: what is checked, in the order of FOR-41, and the year that the last one resolves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from shared.rules.forces.events import to_player
from shared.rules.forces.play import Play
from shared.rules.forces.state import Player, State
from shared.rules.forces.tables import COMBAT, DATA, FACTORY, MOST_FORCES, MOVEMENT, NONE, NUMBER, TYPES
from shared.rules.forces.year import all_have_submitted, resolve_year
from shared.rules.interface import OPERATORS, Decision, Dice, Event, Input, Refusal

Item = Mapping[str, Any]
Fault = tuple[str, Refusal]
"""The place in the payload (`moves.3.path.0`, "" for the whole), and what is wrong there."""

LARGEST = 200_000
"""Most characters of a submission, so that its event stays below 256 KB."""
_FRAME = 60
"""Characters of an item without its ids."""
_MOVE_FIELDS = 4
_fields_of = itemgetter("from", "type", "count", "path")


def submit_turn(state: State, command: Input, dice: Dice) -> Decision:
    """FOR-30, FOR-31: stored as a whole; the one that completes the set resolves the year.

    That she has submitted is told once a year (FOR-78); that she did so again is hers (FOR-79).
    """
    player = state.players[command.actor]
    purchases, moves = command.payload.get("purchases", ()), command.payload.get("moves", ())
    for _, refusal in faults_of(state, player, purchases, moves):
        return refusal
    return store(state, command, dice)


def store(state: State, command: Input, dice: Dice) -> Sequence[Event]:
    """What a submission without fault brings about."""
    player = state.players[command.actor]
    purchases, moves = command.payload.get("purchases", ()), command.payload.get("moves", ())
    whose = {"year": state.year, "seat": player.seat}
    stored = {**whose, "purchases": list(purchases), "moves": list(moves)}
    events = [
        Event("submission_numbered", {**whose, "seq": command.seq}, OPERATORS),
        Event("submission_stored", stored, to_player(player.id)),
    ]
    if player.submission is None:
        events.insert(0, Event("turn_submitted", whose))
    if not all_have_submitted(state, besides=player.seat):
        return events
    play = Play(state)
    for event in events:
        play.emit(event.type, event.data, event.to)
    resolve_year(play, dice, command.at, "players")
    return play.events


def is_sound(state: State, command: Input) -> bool:
    """Whether a submission of moves alone is seen at once to be of the right form and without fault of its own.

    Most are; of every other one form and items are judged one by one, which says the same of what is sound. A move is
    sound if it has the fields of one, Forces that are left stand where it begins, no foreign one there, and each of
    its steps leads to a neighbouring land zone.
    """
    moves, player, board = command.payload.get("moves"), state.players.get(command.actor), state.board
    if player is None or len(command.payload) != 1 or type(moves) is not list:
        return False
    if len(moves) * (_FRAME + (1 + max(MOVEMENT)) * board.longest_id) > LARGEST:
        return False
    left: dict[str, list[int]] = {}
    beside = board.beside
    for item in moves:
        if type(item) is not dict or len(item) != _MOVE_FIELDS:
            return False
        try:
            source, type_, count, path = _fields_of(item)
        except KeyError:
            return False
        if type(source) is not str or type(type_) is not str or type(count) is not int or type(path) is not list:
            return False
        standing = left.get(source)
        if standing is None:
            standing = left[source] = _free_to_move(state, player.seat, source)
        number = NUMBER.get(type_)
        if number is None or not 1 <= count <= standing[number] or not 0 < len(path) <= MOVEMENT[number]:
            return False
        standing[number] -= count
        at = source
        for step in path:
            if type(step) is not str or step not in beside[at]:
                return False
            at = step
    return True


def _free_to_move(state: State, seat: int, source: str) -> list[int]:
    """The Forces of a seat that may leave a zone, by type; none where a foreign one stands or there is no zone."""
    zone = state.board.index.get(source)
    if zone is None or state.foreign_in(zone, seat):
        return list(NONE)
    return list(state.forces[zone].get(seat, NONE))


def fault_of_size(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with the size of a submission of the right form."""
    size = sum(_FRAME + len(item["zone"]) for item in payload.get("purchases", ()))
    size += sum(_FRAME + len(item["from"]) + sum(map(len, item["path"])) for item in payload.get("moves", ()))
    if size <= LARGEST:
        return None
    return (
        f"payload must be shorter: {_FRAME} for an item and the length of its ids may be {LARGEST} in all, not {size}"
    )


def faults_of(
    state: State,
    player: Player,
    purchases: Sequence[Item],
    moves: Sequence[Item],
    besides: frozenset[str] = frozenset(),
) -> Iterator[Fault]:
    """Every item with a fault, each with its first one, in the order of FOR-41; a submission is judged by the first.

    An item with a fault counts for nothing further. Zones must be known, but for those of the items in `besides`
    (`moves.3`), which are not looked at.
    """
    draft = _Draft(state, player)
    for number, item in enumerate(purchases):
        found = None if f"purchases.{number}" in besides else draft.fault_of_purchase(item)
        if found is not None:
            yield named(f"purchases.{number}", *found)
    if refusal := _unaffordable(player, cost_of(priced(purchases, besides))):
        yield "purchases", refusal
    for number, item in enumerate(moves):
        found = None if f"moves.{number}" in besides else draft.fault_of_move(item)
        if found is not None:
            yield named(f"moves.{number}", *found)


def named(item: str, place: str, refusal: Refusal) -> Fault:
    """FOR-31: the detail names the item."""
    return f"{item}.{place}", Refusal(refusal.code, refusal.rule, f"{item}: {refusal.detail}")


def _unaffordable(player: Player, cost: int) -> Refusal | None:
    """FOR-32."""
    if cost <= player.credits:
        return None
    return Refusal(
        "not_enough_credits",
        "FOR-32",
        f"purchases may cost the {player.credits} credits of the start of the year; they cost {cost}",
    )


def priced(purchases: Sequence[Item], besides: frozenset[str] = frozenset()) -> Iterator[Item]:
    """The purchases that have a price; what cannot be bought has none, but a fault of its own. `besides` as in
    `faults_of`."""
    for number, item in enumerate(purchases):
        if item["type"] in DATA and item["count"] > 0 and f"purchases.{number}" not in besides:
            yield item


def cost_of(purchases: Iterable[Item]) -> int:
    """Credits that purchases cost."""
    return sum(DATA[item["type"]].cost * item["count"] for item in purchases)


def share_of(state: State) -> int:
    """Combat Forces up to which an active player may order more; it grows when somebody is out."""
    return MOST_FORCES // len(state.active())


class _Draft:
    """What a submission has used so far: capacity of zones (FOR-34), factories ordered, Forces that move (FOR-36).

    `room` are Forces that she may still order in all, None until that is asked.
    """

    __slots__ = ("factories", "moving", "ordered", "player", "room", "state")

    def __init__(self, state: State, player: Player) -> None:
        self.state = state
        self.player = player
        self.ordered: dict[str, int] = {}
        self.factories: set[str] = set()
        self.moving: dict[tuple[str, str], int] = {}
        self.room: int | None = None

    def fault_of_purchase(self, item: Item) -> tuple[str, Refusal] | None:
        """Type, zone, capacity (FOR-41)."""
        type_, zone, count = item["type"], self.state.board.index[item["zone"]], item["count"]
        if found := _fault_of_type(type_, TYPES) or _fault_of_count(count):
            return found
        if type_ == FACTORY:
            return self._fault_of_factory(item["zone"], zone, count)
        if self.state.owner[zone] != self.player.seat:
            return "zone", Refusal("not_own_zone", "FOR-33", "order for a land zone that you own")
        if not self.state.factory[zone]:
            return "zone", Refusal("no_factory", "FOR-33", "troops and tanks are ordered where a factory stands")
        ordered, income = self.ordered.get(item["zone"], 0), self.state.board.income[zone]
        if zone != self.player.capital and ordered + count > income:
            legal = f"{item['zone']} produces at most {income} troops and tanks a year; {ordered} are ordered before"
            return "count", Refusal("over_capacity", "FOR-34", legal)
        if self.room is None:
            self.room = share_of(self.state) - self.state.forces_of(self.player.seat)
        if count > self.room:
            legal = (
                f"you may order {max(self.room, 0)} more troops and tanks; those you have and order "
                f"may be {share_of(self.state)}, your share of the {MOST_FORCES} of a game"
            )
            return "count", Refusal("too_many_forces", "FOR-34", legal)
        self.room -= count
        self.ordered[item["zone"]] = ordered + count
        return None

    def _fault_of_factory(self, id_: str, zone: int, count: int) -> tuple[str, Refusal] | None:
        """FOR-35, FOR-108."""
        if not self.state.board.land[zone]:
            return "zone", Refusal("water_zone", "FOR-35", "a factory is built on land")
        if self.state.owner[zone] != self.player.seat:
            return "zone", Refusal("not_own_zone", "FOR-35", "order for a land zone that you own")
        if self.state.factory[zone]:
            return "zone", Refusal("factory_exists", "FOR-35", "order a factory for a zone without one")
        if id_ in self.factories or count > 1:
            place = "zone" if id_ in self.factories else "count"
            return place, Refusal("duplicate_factory", "FOR-35", "one factory may be ordered for a zone")
        self.factories.add(id_)
        return None

    def fault_of_move(self, item: Item) -> tuple[str, Refusal] | None:
        """Type, amount, path, pinned (FOR-41)."""
        type_, source, count = item["type"], self.state.board.index[item["from"]], item["count"]
        if found := _fault_of_type(type_, TYPES):
            return found
        if type_ not in NUMBER:
            return "type", Refusal("immobile", "FOR-36", f"{' and '.join(COMBAT)} move; a {type_} does not")
        if found := _fault_of_count(count):
            return found
        key = item["from"], type_
        standing = self.state.forces[source].get(self.player.seat, NONE)[NUMBER[type_]]
        left = standing - self.moving.get(key, 0)
        if count > left:
            legal = f"{left} of your {standing} {type_} in {item['from']} are not in another move"
            return "count", Refusal("not_enough_forces", "FOR-36", legal)
        if found := fault_of_path(self.state, source, type_, item["path"]):
            return found
        if refusal := fault_of_leaving(self.state, self.player.seat, source):
            return "from", refusal
        self.moving[key] = self.moving.get(key, 0) + count
        return None


def _fault_of_type(type_: str, known: Sequence[str]) -> tuple[str, Refusal] | None:
    if type_ in known:
        return None
    return "type", Refusal("unknown_type", "FOR-108", f"a Force is one of {', '.join(known)}")


def _fault_of_count(count: int) -> tuple[str, Refusal] | None:
    return None if count >= 1 else ("count", Refusal("bad_count", "FOR-108", "an item is for at least one Force"))


def fault_of_path(state: State, source: int, type_: str, path: Sequence[str]) -> tuple[str, Refusal] | None:
    """FOR-37, FOR-108."""
    if not path:
        return "path", Refusal("bad_path", "FOR-108", "a path names at least one zone")
    most = MOVEMENT[NUMBER[type_]]
    if len(path) > most:
        return "path", Refusal("too_far", "FOR-37", f"a {type_} takes at most {most} steps a year, not {len(path)}")
    board, at = state.board, source
    for number, id_ in enumerate(path):
        zone = board.index[id_]
        if zone not in board.neighbours[at]:
            legal = f"{id_} is no neighbour of {board.ids[at]}; a step leads to a neighbouring land zone"
            return f"path.{number}", Refusal("bad_path", "FOR-37", legal)
        if not board.land[zone]:
            return f"path.{number}", Refusal("water_zone", "FOR-37", f"{id_} is water; a step leads to a land zone")
        at = zone
    return None


def fault_of_leaving(state: State, seat: int, source: int) -> Refusal | None:
    """FOR-38."""
    if not state.foreign_in(source, seat):
        return None
    return Refusal("pinned", "FOR-38", f"a foreign combat Force stands in {state.board.ids[source]}: nobody leaves it")
