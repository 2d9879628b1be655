"""What goes when a player or a team goes, and what closing polls bring about (GXC-61, GXC-71 to GXC-78, GXC-109).

One command may expel several players, each changing what the next poll counts. `Politics` is the state of offices,
polls and nominations as the events of this command have left it so far; the game's state is only read.
"""

from collections.abc import Iterable, Mapping

from shared.rules.gxc import sight
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.state import (
    ACTIVE,
    COMMANDER,
    FAILED,
    IMPEACH,
    PASSED,
    SPY,
    UNPLACED,
    VOID,
    Nomination,
    Poll,
    State,
)
from shared.rules.interface import Event


def counts(votes: Mapping[str, str]) -> tuple[int, int]:
    """Yes and no among votes."""
    yes = sum(choice == "yes" for choice in votes.values())
    return yes, len(votes) - yes


class Politics:
    """Collects the events of departures and closed polls of one command."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.events: list[Event] = []
        self.gone: list[int] = []
        """Players expelled by this command, by number."""
        self._commanders = [set(team.commanders) for team in state.teams]
        self._shield_votes = [dict(team.shield_votes) for team in state.teams]
        self._nominations = {record: list(names) for record, names in state.nominations.items()}
        self._open = {poll.id: dict(poll.votes) for poll in state.open_polls.values()}
        """Votes of each poll that is still open."""

    def close_polls(self) -> None:
        """Close the polls that end with this turn, in the order of their opening (GXC-61, GXC-75)."""
        due = [poll for poll in self._state.open_polls.values() if poll.closes_turn <= self._state.turn]
        for poll in sorted(due, key=lambda poll: (poll.team, poll.number)):
            if poll.id in self._open:  # an expulsion may have made it void meanwhile
                self._close(poll)

    def expel(self, player: int, announcement: Event) -> None:
        """Her status is that of the announcement; office, nominations, votes and polls on her go (GXC-109)."""
        name, team = self._state.players.ids[player], self._state.players.team[player]
        self.gone.append(player)
        self.events.append(announcement)
        self.events += sight.after_leaving(self._state, player)
        self._remove_commander(team, name)
        self._drop_nominations(team, name)
        for poll in self._open_polls_of(team):
            if poll.target == name:
                self._finish(poll, VOID)
            else:
                self._drop_vote(poll, name)

    def dissolve(self, team: int, members: Iterable[int]) -> None:
        """A team is out: members, offices, shield, nominations and polls (GXC-75, GXC-77, GXC-92, GXC-94)."""
        state, name = self._state, self._state.teams[team].id
        numbers = list(members)
        for part, parts, players in parts_of([state.players.ids[player] for player in numbers]):
            data = {"part": part, "parts": parts, "team": name, "players": list(players)}
            self.events.append(Event("players_out", data))
        for player in numbers:
            self.events += sight.after_leaving(state, player)
        for commander in sorted(self._commanders[team]):
            self._remove_commander(team, commander)
        for record in sorted(self._nominations):
            if record.team == team:
                self._set_nominators(record, [])
        for poll in self._open_polls_of(team):
            self._finish(poll, VOID)
        if state.teams[team].shield_turns_left:
            self.events.append(shield_event("shield_ended", state, team, {}))

    def _close(self, poll: Poll) -> None:
        yes, no = counts(self._open[poll.id])
        if not self._is_member(poll.team, poll.target):
            self._finish(poll, VOID)
        elif yes <= no:
            self._finish(poll, FAILED)
        elif (poll.target in self._commanders[poll.team]) != (poll.kind == IMPEACH) and poll.kind != SPY:
            self._finish(poll, VOID)  # elected already, or no commander any more
        else:
            self._finish(poll, PASSED)
            self._apply(poll)

    def _apply(self, poll: Poll) -> None:
        team = self._state.teams[poll.team].id
        if poll.kind == COMMANDER:
            self._commanders[poll.team].add(poll.target)
            self._office_event("commander_elected", poll.team, poll.target)
        elif poll.kind == IMPEACH:
            self._remove_commander(poll.team, poll.target)
        else:
            convicted = Event("spy_expelled", {"player": poll.target, "team": team})
            self.expel(self._state.players.index[poll.target], convicted)

    def _is_member(self, team: int, name: str) -> bool:
        players = self._state.players
        player = players.index[name]
        return players.team[player] == team and players.status[player] == ACTIVE and player not in self.gone

    def _open_polls_of(self, team: int) -> list[Poll]:
        polls = [self._state.polls[poll] for poll in self._open]
        return sorted((poll for poll in polls if poll.team == team), key=lambda poll: poll.number)

    def _finish(self, poll: Poll, result: str) -> None:
        team = self._state.teams[poll.team].id
        yes, no = counts(self._open.pop(poll.id))
        record = {"team": team, "kind": poll.kind, "target": poll.target}
        data = {**record, "poll": poll.id, "result": result, "yes": yes, "no": no}
        self.events.append(Event("poll_closed", data, (f"team:{team}",)))

    def _drop_vote(self, poll: Poll, name: str) -> None:
        votes = self._open[poll.id]
        if votes.pop(name, None) is None:
            return
        team = self._state.teams[poll.team].id
        self.events.append(Event("vote_dropped", {"poll": poll.id, "team": team, "player": name}, (f"player:{name}",)))
        self.events.append(poll_counted(team, poll.id, votes))

    def _drop_nominations(self, team: int, name: str) -> None:
        for record in sorted(self._nominations):
            nominators = self._nominations[record]
            if record.team != team:
                continue
            if record.target == name:
                self._set_nominators(record, [])
            elif name in nominators:
                self._set_nominators(record, [item for item in nominators if item != name])

    def _set_nominators(self, record: Nomination, nominators: list[str]) -> None:
        if nominators:
            self._nominations[record] = nominators
        else:
            del self._nominations[record]
        team = self._state.teams[record.team].id
        data = {"team": team, "kind": record.kind, "target": record.target, "nominators": nominators}
        self.events.append(Event("nomination_dropped", data, (f"team:{team}",)))

    def _remove_commander(self, team: int, name: str) -> None:
        """Her vote on the shield goes with the office (GXC-80)."""
        if name not in self._commanders[team]:
            return
        self._commanders[team].discard(name)
        self._office_event("commander_removed", team, name)
        votes = self._shield_votes[team]
        if votes.pop(name, None) is not None:
            id_ = self._state.teams[team].id
            data = {"team": id_, "player": name, "votes": dict(votes)}
            self.events.append(Event("shield_vote_dropped", data, (f"team:{id_}",)))

    def _office_event(self, type_: str, team: int, name: str) -> None:
        data = {
            "team": self._state.teams[team].id,
            "player": name,
            "commanders": sorted(self._commanders[team]),
        }
        self.events.append(Event(type_, data))


def poll_counted(team: str, poll: str, votes: Mapping[str, str]) -> Event:
    """The votes of a poll as its team may see them (GXC-100)."""
    yes, no = counts(votes)
    return Event("poll_counted", {"poll": poll, "team": team, "yes": yes, "no": no}, (f"team:{team}",))


def shield_event(type_: str, state: State, team: int, data: Mapping[str, object]) -> Event:
    """An event about a shield, public or not (GXC-102)."""
    name = state.teams[team].id
    return Event(type_, {"team": name, **data}, ("public",) if state.config.shield_public else (f"team:{name}",))


def members_of(state: State, team: int) -> list[int]:
    """Unplaced and active players of a team, canonical order."""
    players = state.players
    return [
        player
        for player in players.canonical()
        if players.team[player] == team and players.status[player] in (UNPLACED, ACTIVE)
    ]
