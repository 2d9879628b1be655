"""Taking part: joining, the start of the game, start zones (MAP-34, MAP-106)."""

import re

from shared.rules.interface import Decision, Dice, Input, Refusal
from shared.rules.map_war.close import close_what_is_complete
from shared.rules.map_war.config import GOODS
from shared.rules.map_war.opening import open_turn
from shared.rules.map_war.play import Entry, Play, stocks_form
from shared.rules.map_war.state import BARBARIA, BARBARIAN_COLOR, PLAYER, State

COLOR = re.compile(r"#[0-9A-F]{6}\Z")
RESERVED = ("#FFFFFF", "#000000", "#808080", BARBARIAN_COLOR)
"""Colours of land, sea, borders and Barbaria (MAP-34)."""

MOST_NATIONS = 1_000
"""Most players and NPC nations of a game: a scoreboard of all of them is one event."""


def start_game(state: State, command: Input, dice: Dice) -> Decision:
    """Open turn 1."""
    play = Play(state)
    open_turn(play, 1, command.at, 0)
    close_what_is_complete(play, command.at, dice)
    return play.events


def join(state: State, command: Input, dice: Dice) -> Decision:
    """Before the start, and with `late_join` afterwards too."""
    if command.actor in state.players:
        return Refusal("already_joined", "MAP-106", "who takes part need not join again")
    if state.opened_at is not None and not state.config.late_join:
        return Refusal("joining_closed", "MAP-106", "players join before the game starts")
    if len(state.players) + sum(nation.player is None for nation in state.nations.values()) > MOST_NATIONS:
        return Refusal("joining_closed", "MAP-106", f"a game takes {MOST_NATIONS} players and NPC nations, not more")
    play = Play(state)
    play.emit("player_joined", {"player": command.actor})
    close_what_is_complete(play, command.at, dice)
    return play.events


def choose_start(state: State, command: Input, dice: Dice) -> Decision:
    """MAP-34: the earlier choice of a zone or a colour keeps it; a later choice of the same player replaces hers."""
    payload, nation = command.payload, command.actor
    zone = state.board.index[payload["zone"]]
    if state.owner[zone] not in (None, nation):
        return Refusal("zone_taken", "MAP-34", f"{payload['zone']} has an owner; choose a zone without")
    if any(item.color == payload["color"] for item in state.nations.values() if item.id != nation):
        return Refusal("color_taken", "MAP-34", f"{payload['color']} is another nation's; choose a colour of none")
    if payload["color"] in RESERVED:
        return Refusal("color_reserved", "MAP-34", f"the colour must be none of {', '.join(RESERVED)}")
    play = Play(state)
    found_nation(play, nation, PLAYER, payload["name"], payload["color"], payload["zone"])
    close_what_is_complete(play, command.at, dice)
    return play.events


def found_nation(play: Play, id_: str, kind: str, name: str, color: str, zone: str | None) -> None:
    """A nation with its start stock (MAP-36), or the same one with another start."""
    state = play.state
    before = state.nations.get(id_)
    left = None if before is None else next(iter(state.zones_of(id_)), None)
    stock = state.config.start_stock
    entry = Entry(id_, "start", *(stock[good] for good in GOODS)) if kind != BARBARIA else Entry(id_, "start")
    data = {
        "nation": id_,
        "kind": kind,
        "player": id_ if kind == PLAYER else None,
        "name": name,
        "color": color,
        "zone": zone,
        "left": None if left is None else state.board.ids[left],
        "turn": state.turn,
        "ledger": [entry.form()] if before is None and any(entry.change) else [],
        "stocks": {id_: stocks_form(entry.change)},
    }
    play.emit("nation_founded", data)


def fault_of_color(color: str) -> str | None:
    """The form of a colour (MAP-105)."""
    return None if COLOR.match(color) else "payload.color must be #RRGGBB in upper case, such as #AA0000"
