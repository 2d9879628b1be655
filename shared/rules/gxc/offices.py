"""Nominations and votes (GXC-71 to GXC-78); what a closing poll brings about is in departures.py."""

from shared.rules.gxc.departures import poll_counted
from shared.rules.gxc.state import ACTIVE, COMMANDER, IMPEACH, SPY, Nomination, State, Team
from shared.rules.interface import Event, Input, Refusal


def nominate(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-71, its checks in their order. The poll opens when the count is reached (GXC-73), beside others (GXC-76)."""
    number = state.players.team[state.players.index[command.actor]]
    team = state.teams[number]
    record = Nomination(number, command.payload["kind"], command.payload["target"])
    if refusal := _nomination_refused(state, command.actor, record):
        return refusal
    nominators = sorted([*state.nominations.get(record, ()), command.actor])
    needed = nominations_needed(state, team, record.kind)
    data = {"team": team.id, "kind": record.kind, "target": record.target}
    audience = (f"team:{team.id}",)
    nominated = {**data, "player": command.actor, "nominators": nominators, "needed": needed}
    events = [Event("nominated", nominated, audience)]
    if len(nominators) >= needed:
        opened = {"poll": f"{team.id}-{team.polls + 1}", "opened_turn": state.turn, "closes_turn": state.turn + 1}
        events.append(Event("poll_opened", {**data, **opened}, audience))
    return events


def nominations_needed(state: State, team: Team, kind: str) -> int:
    """How many different nominators open a poll (GXC-72)."""
    config = state.config
    if kind == IMPEACH:
        return config.impeach_nominations
    if kind == SPY:
        return config.spy_nominations
    return config.commander_nominations if team.commander_ever else config.first_commander_nominations


def _nomination_refused(state: State, actor: str, record: Nomination) -> Refusal | None:
    players, kind, target = state.players, record.kind, record.target
    commanders, number = state.teams[record.team].commanders, players.index[target]
    if players.team[number] != record.team or players.status[number] != ACTIVE:
        return Refusal("not_team_member", "GXC-71", "nominate an active player of your own team")
    if target == actor and not state.config.self_nomination:
        return Refusal("self_nomination", "GXC-71", "nominate somebody else; self-nomination is off in this game")
    if kind == COMMANDER and target in commanders:
        return Refusal("already_commander", "GXC-71", f"nominate somebody who is no commander yet; {target} is one")
    if kind == IMPEACH and target not in commanders:
        return Refusal("not_a_commander", "GXC-71", f"only commanders can be impeached; {target} holds no command")
    if kind == SPY and actor not in commanders:
        return Refusal("commander_only", "GXC-71", "only commanders of the team nominate spies")
    if actor in state.nominations.get(record, ()):
        return Refusal("already_nominated", "GXC-71", f"nominate {target} for this once")
    if any((poll.team, poll.kind, poll.target) == tuple(record) for poll in state.open_polls.values()):
        return Refusal("poll_open", "GXC-71", f"the poll of this kind on {target} is open; vote in it")
    return None


def vote(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-74; the voter's choice is her own, the team sees the counts (GXC-100)."""
    poll, choice = state.polls[command.payload["poll"]], command.payload["choice"]
    if poll.result is not None:
        return Refusal("poll_closed", "GXC-74", f"votes in {poll.id} were possible until turn {poll.closes_turn} ended")
    team = state.teams[poll.team].id
    data = {"poll": poll.id, "team": team, "player": command.actor, "choice": choice}
    return [
        Event("voted", data, (f"player:{command.actor}",)),
        poll_counted(team, poll.id, {**poll.votes, command.actor: choice}),
    ]
