"""After the fighting: move-ins and retreats, eliminations, shields, conquests (GXC-55 to GXC-60, GXC-66 to GXC-69)."""

from collections.abc import Iterator, Sequence

from shared.rules.gxc.departures import Politics, members_of, shield_event
from shared.rules.gxc.event_shapes import PART
from shared.rules.gxc.geography import Geography
from shared.rules.gxc.state import ACTIVE
from shared.rules.gxc.turn import Placing, Turn
from shared.rules.interface import PUBLIC, Event

_new = tuple.__new__
"""As in muster.py: for events of which there are thousands."""


def settle(turn: Turn, geography: Geography) -> None:
    """Move-ins, then retreats on the final owners, all at once (GXC-57, GXC-58, GXC-66).

    Whoever stands on a territory that her team still owns stays, beaten or not (GXC-59).
    """
    players, names = turn.state.players, turn.state.players.ids
    location, arrivals, team_of = turn.location, turn.arrivals, players.team
    owner = [*turn.owner, None]  # NOBODY is the last one
    moved_in, retreated = Placing(), Placing()
    nearest: dict[tuple[int, int], int | None] = {}
    # One look at everybody in the order of the columns, and few are left to be sorted.
    everybody = enumerate(zip(location, team_of, arrivals, strict=True))
    away = [player for player, (place, team, goal) in everybody if owner[place] != team or goal >= 0]
    for player in sorted(away, key=names.__getitem__):
        place, goal = location[player], arrivals[player]
        if place < 0:
            continue
        if goal >= 0:
            placing = moved_in
        else:
            among = team_of[player], place
            if among not in nearest:
                nearest[among] = geography.nearest_of(*among)
            found = nearest[among]
            if found is None:  # no territory left: the team is eliminated below
                continue
            goal, placing = found, retreated
        location[player] = goal
        placing.players.append(player)
        placing.before.append(place)
        placing.places.append(goal)
    turn.place(moved_in, _told("moved_in", moved_in, turn))
    turn.place(retreated, _told("retreated", retreated, turn))


def _told(type_: str, placing: Placing, turn: Turn) -> list[Event]:
    names, ids = turn.state.players.ids, turn.state.board.ids
    return [
        _new(Event, (type_, {"player": names[player], "from": ids[place], "to": ids[goal]}, PUBLIC, 0))
        for player, place, goal in zip(placing.players, placing.before, placing.places, strict=True)
    ]


def last_losses(turn: Turn) -> Sequence[int]:
    """By team: step of its last loss of a territory or an attacker, 0 if there was none (GXC-93).

    Read off what was recorded, for few turns ask: kept with every duel it was a hundredth of each close.
    """
    players, found = turn.state.players, [0] * len(turn.state.teams)
    for event in turn.events:
        if event.type == "battle":
            by_defenders = event.data["stage"] == "siege"
            for step, a, b, winner, _ in event.data["duels"]:
                if winner == b or not by_defenders:
                    found[players.team[players.index[a if winner == b else b]]] = step
    for capture in turn.captures:
        if capture.previous >= 0:
            found[capture.previous] = max(found[capture.previous], capture.step)
    return found


def eliminate(turn: Turn, politics: Politics) -> list[int]:
    """Teams without territory are out (GXC-92, GXC-93); returns the teams that go on."""
    state = turn.state
    owners = set(turn.owner)
    lost: Sequence[int] | None = None
    going_on = []
    for number, team in enumerate(state.teams):
        if team.status != ACTIVE:
            continue
        if number in owners:
            going_on.append(number)
            continue
        lost = lost or last_losses(turn)
        data = {"team": team.id, "turn": state.turn, "step": lost[number]}
        politics.events.append(Event("team_eliminated", data))
        members = [player for player in members_of(state, number) if player not in politics.gone]
        politics.dissolve(number, members)
        for player in members:
            turn.location[player] = -1
            turn.energy[player] = 0
    return going_on


def energies(turn: Turn, going_on: list[int]) -> Iterator[Event]:
    """Energy after the turn of everybody whose energy changed, told to her team (GXC-101)."""
    players = turn.state.players
    ids, before, after, location, team_of = players.ids, players.energy, turn.energy, turn.location, players.team
    # In one walk through all players: with one for each team the parts of 100,000 players took three times as long.
    # Part and numbers of its players, which spare who folds it to look them up.
    told: list[list[tuple[dict[str, int], list[int]]]] = [[({}, [])] for _ in turn.state.teams]
    filling = [parts[0] for parts in told]
    for player in players.canonical():
        energy = after[player]
        if energy != before[player] and location[player] >= 0:
            team = team_of[player]
            part, numbers = filling[team]
            if len(numbers) == PART:
                part, numbers = filling[team] = {}, []
                told[team].append(filling[team])
            part[ids[player]] = energy
            numbers.append(player)
    players.decided_energies = iter([part for team in going_on for part in told[team] if part[1]])
    for team in going_on:
        name, parts = turn.state.teams[team].id, told[team]
        for nth, (part, _) in enumerate(parts if parts[0][1] else (), 1):
            data = {"part": nth, "parts": len(parts), "team": name, "energy": part}
            yield Event("energies", data, (f"team:{name}",))


def count_down_shields(turn: Turn, going_on: list[int]) -> Iterator[Event]:
    """GXC-68, GXC-83."""
    for number in going_on:
        left = turn.state.teams[number].shield_turns_left
        if left > 1:
            yield shield_event("shield_counted", turn.state, number, {"turns_left": left - 1})
        elif left == 1:
            yield shield_event("shield_ended", turn.state, number, {})


def conquests(turn: Turn) -> dict[int, int]:
    """Territories taken in this turn by team (GXC-29)."""
    taken: dict[int, int] = {}
    for capture in turn.captures:
        taken[capture.owner] = taken.get(capture.owner, 0) + 1
    return taken


def count_conquests(turn: Turn) -> Iterator[Event]:
    """GXC-69; told where something changes."""
    taken = conquests(turn)
    for number, team in enumerate(turn.state.teams):
        now = taken.get(number, 0)
        if now or team.conquered_last_turn:
            data = {
                "team": team.id,
                "conquered_last_turn": now > 0,
                "conquests_total": team.conquests_total + now,
            }
            yield Event("conquests_counted", data)
