"""All fighting of a turn: who meets whom, in which order, and what falls (GXC-46 to GXC-55, GXC-64, GXC-65)."""

from collections.abc import Iterator, Mapping

from shared.rules.gxc.events import parts_of
from shared.rules.gxc.field import Field, Queue
from shared.rules.gxc.state import NOBODY
from shared.rules.gxc.turn import Capture, Turn
from shared.rules.interface import Event


def borders(turn: Turn) -> None:
    """Attackers who meet on an edge duel before anybody is engaged beyond it (GXC-46, GXC-64).

    Whoever attacks over another edge stands in nobody's way here (GXC-47).
    """
    ids, by_edge, size = turn.state.board.ids, turn.by_edge, len(turn.owner)
    for edge in sorted(_met_on(by_edge, size)):
        x, y = divmod(edge, size)
        field = Field(turn, "border", f"{ids[x]}:{ids[y]}")
        field.border(field.queue(by_edge[edge]), field.queue(by_edge[y * size + x]))
        field.report("border")
    by_edge.clear()  # so that the fighting to come has its memory, some of it still in the cache


def _met_on(by_edge: Mapping[int, list[int]], size: int) -> Iterator[int]:
    """The edges that are attacked over from both ends, as they are seen from the lower one."""
    for edge in by_edge:
        x, y = divmod(edge, size)
        if x < y and y * size + x in by_edge:
            yield edge


def _by_target(turn: Turn) -> tuple[list[list[int]], set[int]]:
    """By territory: its living attackers, canonical order; and where they are of several teams."""
    found: list[list[int]] = [[] for _ in turn.owner]
    first = [NOBODY] * len(turn.owner)
    contested: set[int] = set()
    attack, team_of = turn.attack, turn.state.players.team
    for player, target in zip(turn.attackers, turn.targets, strict=True):
        if attack[player]:
            group, team = found[target], team_of[player]
            if not group:
                first[target] = team
            elif first[target] != team:
                contested.add(target)
            group.append(player)
    return found, contested


def assaults(turn: Turn) -> None:
    """Each target with living attackers is assaulted once, in drawn order (GXC-53, GXC-65)."""
    attackers, contested = _by_target(turn)
    targets = [target for target, group in enumerate(attackers) if group]
    drawn = 0
    if targets and turn.state.config.assault_order == "shuffle":
        draws = turn.resolution.stream("order")
        before = draws.draws
        draws.shuffle(targets)
        drawn = draws.draws - before
    ids = turn.state.board.ids
    for part, parts, entries in parts_of([ids[target] for target in targets]):
        data = {"scope": "order", "draws": drawn, "part": part, "parts": parts, "targets": entries}
        turn.events.append(Event("assaults_ordered", data))
    defenders = _defenders(turn, targets)
    assault = _melee_first if turn.state.config.multi_attack == "melee_first" else _shared_siege
    for target in targets:
        queue = assault(turn, target, attackers[target], defenders[target] or [], target in contested)
        if queue:
            _capture(turn, target, queue)


def _defenders(turn: Turn, targets: list[int]) -> list[list[int] | None]:
    """By target: players of its owner there who have a defence stack, canonical order (GXC-51); else None."""
    found: list[list[int] | None] = [None] * len(turn.owner)
    for target in targets:
        found[target] = []
    location, owner, defence, team_of = turn.location, turn.owner, turn.defence, turn.state.players.team
    for player in turn.state.players.canonical():
        if defence[player]:
            place = location[player]
            here = found[place]
            if here is not None and team_of[player] == owner[place]:
                here.append(player)
    return found


def _melee_first(turn: Turn, target: int, attackers: list[int], defenders: list[int], contested: bool) -> Queue:
    """The teams fight each other, the remaining one the defenders; returns the attackers to whom the target falls."""
    field = Field(turn, "assault", turn.state.board.ids[target])
    if contested:
        queue = field.melee({team: field.queue(group) for team, group in _by_team(turn, attackers).items()})
        field.report("melee")
    else:
        queue = field.queue(attackers)
    fallen = field.siege(queue, target, defenders)
    field.report("siege")
    return queue if fallen else []


def _shared_siege(turn: Turn, target: int, attackers: list[int], defenders: list[int], contested: bool) -> Queue:
    """One queue of all against the defenders, then a melee in the order left; returns as `_melee_first` does."""
    field = Field(turn, "assault", turn.state.board.ids[target])
    queue = field.queue(attackers)
    fallen = field.siege(queue, target, defenders)
    field.report("siege")
    if not fallen:
        return []
    teams = _by_team(turn, queue) if contested else {}
    if len(teams) > 1:
        queue = field.melee(teams)
        field.report("melee")
    return queue


def _by_team(turn: Turn, attackers: list[int]) -> dict[int, list[int]]:
    """Attackers of each team in the order given, teams in canonical order."""
    team_of = turn.state.players.team
    teams: dict[int, list[int]] = {}
    for player in attackers:
        teams.setdefault(team_of[player], []).append(player)
    return {team: teams[team] for team in sorted(teams)}


def _capture(turn: Turn, target: int, queue: Queue) -> None:
    """The target passes to the attackers' team and they move in, when all assaults are over (GXC-54, GXC-55)."""
    state = turn.state
    previous, owner = turn.owner[target], state.players.team[queue[-1]]
    turn.step += 1
    turn.owner[target] = owner
    turn.captures.append(Capture(turn.step, target, previous, owner))
    for player in queue:
        turn.arrivals[player] = target
    data = {
        "step": turn.step,
        "territory": state.board.ids[target],
        "from": state.teams[previous].id if previous >= 0 else None,
        "to": state.teams[owner].id,
    }
    turn.events.append(Event("captured", data))
