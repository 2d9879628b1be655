"""The force shield (GXC-79 to GXC-83)."""

from dataclasses import replace

from shared.rules.gxc import sight
from shared.rules.gxc.departures import shield_event
from shared.rules.gxc.orders import order_event
from shared.rules.gxc.state import NOBODY, State
from shared.rules.interface import Event, Input, Refusal


def activate_shield(state: State, command: Input) -> list[Event] | Refusal:
    """One commander alone starts it while there are few (GXC-80)."""
    number = state.players.team[state.players.index[command.actor]]
    if refusal := _shield_refused(state, number, command.actor):
        return refusal
    if len(state.teams[number].commanders) > state.config.shield_solo_commanders:
        return Refusal("vote_required", "GXC-80", "the commanders of your team vote by vote_shield")
    return _activation(state, number)


def vote_shield(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-80: the shield starts with the vote that reaches the share."""
    number = state.players.team[state.players.index[command.actor]]
    if refusal := _shield_refused(state, number, command.actor):
        return refusal
    team, config = state.teams[number], state.config
    if len(team.commanders) <= config.shield_solo_commanders:
        return Refusal("vote_not_needed", "GXC-80", "any commander of your team starts it by activate_shield")
    votes = {**team.shield_votes, command.actor: command.payload["choice"]}
    data = {"team": team.id, "player": command.actor, "choice": command.payload["choice"], "votes": votes}
    events = [Event("shield_voted", data, (f"team:{team.id}",))]
    yes = sum(choice == "yes" for choice in votes.values())
    if yes * 100 >= config.shield_vote_pct * len(team.commanders):
        events += _activation(state, number)
    return events


def _shield_refused(state: State, number: int, actor: str) -> Refusal | None:
    """The checks of both commands, in their order (GXC-79)."""
    team, most = state.teams[number], state.config.shield_max_territories
    if actor not in team.commanders:
        return Refusal("not_commander", "GXC-79", "only commanders of the team handle its shield")
    if team.shield_used:
        return Refusal("shield_used", "GXC-79", "a team has one shield a game; yours was used")
    owned = state.owner.count(number)
    if not 1 <= owned <= most:
        return Refusal("too_many_territories", "GXC-79", f"a shield needs 1 to {most} territories; you own {owned}")
    return None


def _activation(state: State, number: int) -> list[Event]:
    """The shield stands; orders against what it protects become defence at once (GXC-81, GXC-82)."""
    players, protected = state.players, set(state.territories_of(number))
    names = [state.board.ids[territory] for territory in sorted(protected)]
    data = {"protected": names, "turns_left": state.config.shield_turns}
    events = [shield_event("shield_activated", state, number, data)]
    for player in players.canonical():
        order = players.order[player]
        if order is None or order.target not in protected:
            continue
        reverted = replace(order, target=NOBODY, attack=0, defend=order.defend + order.attack)
        events.append(order_event("order_reverted", state, player, reverted))
        events += sight.after_order(state, player, reverted)
    return events
