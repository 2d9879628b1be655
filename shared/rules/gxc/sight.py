"""High Ground sees attackers on Low Ground, Low Ground sees defenders on High Ground (GXC-85, GXC-86).

What is seen, and when it is emitted, is stated in events.py.
"""

from shared.rules.gxc.board import HIGH_GROUND, LOW_GROUND
from shared.rules.gxc.state import NOBODY, Order, State
from shared.rules.interface import Event

FROM_HIGH_GROUND = ("sight:high_ground",)
FROM_LOW_GROUND = ("sight:low_ground",)

Seen = tuple[int, int, int]
"""Target or NOBODY, attack energy, defence: what could be seen of one player."""
UNSEEN: Seen = (NOBODY, 0, 0)


def sight_on(state: State, territory: int) -> str | None:
    """The sight that a territory gives to whoever has its effect."""
    special = None if territory == NOBODY else state.board.special[territory]
    return special if special in (HIGH_GROUND, LOW_GROUND) else None


def sight_set(state: State, player: int, turn: int, sight: str | None) -> Event:
    """Tell a player which sight she has from now on."""
    name = state.players.ids[player]
    team = state.teams[state.players.team[player]].id
    return Event("sight_set", {"player": name, "team": team, "turn": turn, "sight": sight}, (f"player:{name}",))


def idle_defence(state: State, player: int) -> int:
    """What an energized player without an order defends with (GXC-39)."""
    if state.config.idle_policy != "defend_all" or state.players.energized_turn[player] != state.turn:
        return 0
    return state.players.energy[player]


def after_order(state: State, player: int, order: Order | None) -> list[Event]:
    """What watchers see change when a player's order becomes this one."""
    if not state.board.watched:
        return []
    if order is None:
        return _change(state, player, (NOBODY, 0, idle_defence(state, player)))
    return _change(state, player, (order.target, order.attack, order.defend))


def after_energize(state: State, player: int, energy: int) -> list[Event]:
    """What watchers see change when an idle player energizes and has this energy then."""
    if not state.board.watched or state.config.idle_policy != "defend_all":
        return []
    return _change(state, player, (NOBODY, 0, energy))


def after_leaving(state: State, player: int) -> list[Event]:
    """What watchers see change when a player leaves the map."""
    return _change(state, player, UNSEEN) if state.board.watched else []


def _change(state: State, player: int, after: Seen) -> list[Event]:
    players, board = state.players, state.board
    location, order = players.location[player], players.order[player]
    special = None if location == NOBODY else board.special[location]
    before = (NOBODY, 0, idle_defence(state, player)) if order is None else (order.target, order.attack, order.defend)
    data = {"player": players.ids[player], "turn": state.turn}
    if special == LOW_GROUND and before[:2] != after[:2]:
        target = None if after[0] == NOBODY else board.ids[after[0]]
        return [Event("attack_sighted", {**data, "target": target, "energy": after[1]}, FROM_HIGH_GROUND)]
    if special == HIGH_GROUND and before[2] != after[2]:
        return [Event("defence_sighted", {**data, "energy": after[2]}, FROM_LOW_GROUND)]
    return []
