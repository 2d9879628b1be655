"""Commands of operators and of the clock, but for the closing of a turn (GXC-98, GXC-94, GXC-107, ENG-12)."""

from shared.rules import deadlines
from shared.rules.gxc.departures import Politics, members_of
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.opening import Position, open_turn
from shared.rules.gxc.state import ACTIVE, BONUSES, EXPELLED, State
from shared.rules.interface import Event, Input, Refusal


def start_game(state: State, command: Input) -> list[Event] | Refusal:
    """Turn 1 opens (section 3, phases)."""
    players = state.players
    teams = [number for number, team in enumerate(state.teams) if team.status == ACTIVE]
    position = Position(state.owner, players.location, players.energy, teams, state.geography)
    return list(open_turn(state, position, 1, command.at))


def suspend_bonus(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-31. A bonus that is suspended stays so."""
    return _bonus(state, command, "bonus_suspended", suspended=True)


def restore_bonus(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-31. A bonus that is not suspended stays so."""
    return _bonus(state, command, "bonus_restored", suspended=False)


def _bonus(state: State, command: Input, type_: str, *, suspended: bool) -> list[Event] | Refusal:
    team, bonus = state.teams[state.team_index[command.payload["team"]]], command.payload["bonus"]
    if bonus not in BONUSES:
        return Refusal("bad_bonus", "GXC-31", f"bonus must be one of {', '.join(BONUSES)}")
    if (bonus in team.suspended_bonuses) == suspended:
        return []
    after = team.suspended_bonuses | {bonus} if suspended else team.suspended_bonuses - {bonus}
    data = {"team": team.id, "bonus": bonus, "suspended_bonuses": sorted(after)}
    return [Event(type_, data, (f"team:{team.id}",))]


def remove_player(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-98, GXC-109; a second time nothing changes (GXC-114)."""
    name = command.payload["player"]
    player = state.players.index[name]
    if state.players.status[player] == EXPELLED:
        return []
    team = state.teams[state.players.team[player]].id
    politics = Politics(state)
    removed = {"player": name, "team": team, "reason": command.payload.get("reason", "")}
    politics.expel(player, Event("player_removed", removed))
    return politics.events


def disqualify_team(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-94. Victory is judged at the next close."""
    name = command.payload["team"]
    number = state.team_index[name]
    if state.teams[number].status != ACTIVE:
        return Refusal("team_not_active", "GXC-94", "disqualify a team that is still in the game")
    events = [Event("team_disqualified", {"team": name, "reason": command.payload.get("reason", "")})]
    owned = [state.board.ids[territory] for territory in state.territories_of(number)]
    for part, parts, territories in parts_of(owned):
        data = {"part": part, "parts": parts, "team": name, "territories": list(territories)}
        events.append(Event("territories_abandoned", data))
    politics = Politics(state)
    politics.dissolve(number, members_of(state, number))
    return events + politics.events


def set_deadline(state: State, command: Input) -> list[Event] | Refusal:
    """ENG-12; null pauses the turn."""
    return deadlines.set_deadline(command)


def shift_time(state: State, command: Input) -> list[Event] | Refusal:
    """ENG-12. The deadline at which the clock closed the turn before is past and stays."""
    return deadlines.shift_time(command, state.turn_opened_at, state.turn_deadline)
