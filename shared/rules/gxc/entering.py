"""Joining, placement and earning energy (GXC-20 to GXC-31)."""

from shared.rules.gxc import sight
from shared.rules.gxc.board import MEDICAL, RADIOACTIVE
from shared.rules.gxc.state import (
    ACTIVE,
    CONQUER,
    ELIMINATED,
    EMPIRE,
    EXPELLED,
    NOBODY,
    OUT,
    RELIABILITY,
    RUNNING,
    UNPLACED,
    State,
    Team,
)
from shared.rules.interface import Event, Input, Refusal


def join(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-20, GXC-24."""
    team = state.team_index[command.payload["team"]]
    if refusal := _join_refused(state, command.actor, team):
        return refusal
    return [Event("joined", {"player": command.actor, "team": state.teams[team].id})]


def _join_refused(state: State, actor: str, team: int) -> Refusal | None:
    player, config = state.players.index.get(actor), state.config
    if player is not None and state.players.status[player] == EXPELLED:
        return Refusal("expelled", "GXC-78", "somebody expelled joins no team for the rest of the game")
    if player is not None and not _may_join_again(state, player):
        return Refusal("already_joined", "GXC-20", "a player joins once; you have a team")
    if state.teams[team].status != ACTIVE:
        return Refusal("team_not_active", "GXC-20", "join a team that is still in the game")
    last = config.late_join_until_turn
    if last is not None and state.turn > last:
        return Refusal("joining_closed", "GXC-24", f"joining was possible until turn {last}")
    if config.team_choice == "assigned" and state.assignments.get(actor) != state.teams[team].id:
        assigned = state.assignments.get(actor)
        legal = f"you are assigned to {assigned}" if assigned else "only players with an assignment join this game"
        return Refusal("team_assigned", "GXC, section 4", legal)
    return None


def _may_join_again(state: State, player: int) -> bool:
    players = state.players
    eliminated = state.teams[players.team[player]].status == ELIMINATED
    return state.config.eliminated_may_join and players.status[player] == OUT and eliminated


def place(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-22, GXC-108."""
    players = state.players
    player, territory = players.index[command.actor], state.board.index[command.payload["territory"]]
    team = players.team[player]
    if players.status[player] == ACTIVE:
        return Refusal("already_placed", "GXC-22", "placement is final; from now on you move by orders")
    if state.owner[territory] != team:
        return Refusal("not_own_territory", "GXC-22", "choose a territory that your team owns")
    name = state.teams[team].id
    data = {"player": command.actor, "team": name, "territory": command.payload["territory"]}
    events = [Event("placed", data, (f"team:{name}",))]
    seen = sight.sight_on(state, territory)
    if state.phase == RUNNING and seen:
        events.append(sight.sight_set(state, player, state.turn, seen))
    return events


def energize(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-25 to GXC-31."""
    players = state.players
    player = players.index[command.actor]
    if players.status[player] == UNPLACED:
        return Refusal("not_placed", "GXC-20", "place yourself on a territory of your team first")
    if players.energized_turn[player] == state.turn:
        return Refusal("already_energized", "GXC-25", "energize is possible once a turn")
    team = state.teams[players.team[player]]
    streak = state.streak(player) + 1
    parts = _parts(state, team, streak)
    ground = _ground(state, player)
    amount = sum(parts.values())
    if ground == MEDICAL:
        amount *= 2
    elif ground == RADIOACTIVE:
        amount //= 2
    energy = players.energy[player] + amount
    data = {
        "player": command.actor,
        "team": team.id,
        "turn": state.turn,
        "amount": amount,
        "parts": parts,
        "ground": ground,
        "energy": energy,
        "streak": streak,
    }
    return [Event("energized", data, (f"team:{team.id}",)), *sight.after_energize(state, player, energy)]


def _parts(state: State, team: Team, streak: int) -> dict[str, int]:
    """Base and bonuses; a suspended bonus is worth 0 (GXC-31)."""
    config = state.config
    above = team.empire - config.empire_size
    bonuses = {
        RELIABILITY: config.reliability_bonus if streak >= config.reliability_turns else 0,
        CONQUER: config.conquer_bonus if team.conquered_last_turn else 0,
        EMPIRE: config.empire_bonus + config.empire_step * above if above >= 0 else 0,
    }
    granted = {name: 0 if name in team.suspended_bonuses else value for name, value in bonuses.items()}
    return {"base": config.base_energy, **granted}


def _ground(state: State, player: int) -> str | None:
    """The special territory that changes the allotment (GXC-84, GXC-89, GXC-90)."""
    players = state.players
    territory = players.start[player] if state.config.special_requires_start else players.location[player]
    special = None if territory == NOBODY else state.board.special[territory]
    return special if special in (MEDICAL, RADIOACTIVE) else None
