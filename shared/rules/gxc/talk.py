"""Battle plan, mail and chat: the texts are kept outside, events carry where and the salted hash (GXC-77, GXC-20).

The intake puts `message` and `hash` in the place of the texts. Where a payload still holds the texts (a scenario), the
message is the input's id and the hash null.
"""

from collections.abc import Mapping
from typing import Any

from shared.rules.gxc.commands import COMMANDS
from shared.rules.gxc.state import EXPELLED, OUT, State
from shared.rules.interface import OPERATORS, PUBLIC, Event, Input, Refusal


def edit_battle_plan(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-77: commanders alone."""
    team = _team(state, command)
    if refusal := _not_commander(state, command) or _too_long(command):
        return refusal
    data = {"team": team, "author": command.actor, **_kept(command)}
    number = Event("battle_plan_numbered", {"team": team, "seq": command.seq}, OPERATORS)
    return [Event("battle_plan_edited", data, (f"team:{team}",)), number]


def send_team_mail(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-77: commanders alone."""
    team = _team(state, command)
    if refusal := _not_commander(state, command) or _too_long(command):
        return refusal
    return [Event("mail_sent", {"team": team, "author": command.actor, **_kept(command)}, (f"team:{team}",))]


def chat(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-20: everybody but the expelled, also when the team or the game is over."""
    status, team = state.players.status[state.players.index[command.actor]], _team(state, command)
    if status == EXPELLED:
        return Refusal("expelled", "GXC-78", "somebody expelled takes no part in the talk")
    if refusal := _too_long(command):
        return refusal
    channel = command.payload["channel"]
    audience: tuple[str, ...] = PUBLIC if channel == "all" else (f"team:{team}",)
    if channel == "team" and status == OUT:  # she no longer sees what her team sees, but what she said
        audience = (*audience, f"player:{command.actor}")
    return [Event("chat_sent", {"team": team, "author": command.actor, "channel": channel, **_kept(command)}, audience)]


def _team(state: State, command: Input) -> str:
    return state.teams[state.players.team[state.players.index[command.actor]]].id


def _not_commander(state: State, command: Input) -> Refusal | None:
    team = state.teams[state.players.team[state.players.index[command.actor]]]
    if command.actor in team.commanders:
        return None
    return Refusal("not_commander", "GXC-77", f"only commanders of the team may {command.type}")


def _too_long(command: Input) -> Refusal | None:
    for name, limit in COMMANDS[command.type].texts.items():
        if len(command.payload.get(name, "")) > limit:
            return Refusal("too_long", "GXC, section 4", f"{name} may have at most {limit} characters")
    return None


def _kept(command: Input) -> Mapping[str, Any]:
    payload = command.payload
    return {"message": payload.get("message", command.id), "hash": payload.get("hash")}
