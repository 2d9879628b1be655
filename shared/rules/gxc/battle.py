"""All fighting of a turn: borders, melees, sieges, captures (GXC-41 to GXC-56, GXC-64, GXC-65).

A duel is recorded as [step, a, b, winner, what is left of the winner's stack]; its exchanges are drawn from the stream
of the place and not stored (ENG-10).
"""

from collections.abc import Callable
from itertools import combinations

from shared.dice import Draws
from shared.rules.gxc.event_shapes import PART
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.turn import Capture, Turn
from shared.rules.interface import PUBLIC, Event, Json

_new = tuple.__new__
"""As in muster.py: for events of which there are thousands."""

Queue = list[int]
"""Attackers by player number; the head is the last entry, so that it leaves at no cost."""
Contest = Callable[[int, int, int], tuple[int, int]]
"""Two stacks and the bound below which the first side wins an exchange -> what is left of both."""


def borders(turn: Turn) -> None:
    """Attackers who meet on an edge duel before anybody is engaged beyond it (GXC-46, GXC-64).

    Whoever attacks over another edge stands in nobody's way here (GXC-47).
    """
    ids, attack, location, by_target = turn.state.board.ids, turn.attack, turn.location, turn.by_target
    for x, y in sorted(turn.met):
        forth = [player for player in by_target[y] if location[player] == x]
        back = [player for player in by_target[x] if location[player] == y]
        if forth and back:
            field = _Field(turn, "border", f"{ids[x]}:{ids[y]}")
            field.border(field.queue(forth), field.queue(back))
            field.report("border")
    turn.by_target = [[player for player in group if attack[player]] for group in by_target]


def assaults(turn: Turn) -> None:
    """Each target with living attackers is assaulted once, in drawn order (GXC-53, GXC-65)."""
    targets = [target for target, group in enumerate(turn.by_target) if group]
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
        queue = assault(turn, target, turn.by_target[target], defenders[target])
        if queue:
            _capture(turn, target, queue)


def _defenders(turn: Turn, targets: list[int]) -> dict[int, list[int]]:
    """Target -> players of its owner there who have a defence stack, canonical order (GXC-51)."""
    found: dict[int, list[int]] = {target: [] for target in targets}
    location, owner, defence, team_of = turn.location, turn.owner, turn.defence, turn.state.players.team
    for player in turn.state.players.canonical():
        if defence[player]:
            place = location[player]
            if place in found and team_of[player] == owner[place]:
                found[place].append(player)
    return found


def _melee_first(turn: Turn, target: int, attackers: list[int], defenders: list[int]) -> Queue:
    """The teams fight each other, the remaining one the defenders; returns the attackers to whom the target falls."""
    field = _Field(turn, "assault", turn.state.board.ids[target])
    team_of = turn.state.players.team
    if len(attackers) == 1 or len({team_of[player] for player in attackers}) == 1:
        queue = field.queue(attackers)
    else:
        queue = field.melee({team: field.queue(group) for team, group in _by_team(turn, attackers).items()})
        field.report("melee")
    fallen = field.siege(queue, target, defenders)
    field.report("siege")
    return queue if fallen else []


def _shared_siege(turn: Turn, target: int, attackers: list[int], defenders: list[int]) -> Queue:
    """One queue of all against the defenders, then a melee in the order left; returns as `_melee_first` does."""
    field = _Field(turn, "assault", turn.state.board.ids[target])
    queue = field.queue(attackers)
    fallen = field.siege(queue, target, defenders)
    field.report("siege")
    if not fallen:
        return []
    teams = _by_team(turn, queue)
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
    if previous >= 0:
        turn.last_loss[previous] = turn.step
    for player in queue:
        turn.arrivals[player] = target
    data = {
        "step": turn.step,
        "territory": state.board.ids[target],
        "from": state.teams[previous].id if previous >= 0 else None,
        "to": state.teams[owner].id,
    }
    turn.events.append(Event("captured", data))


class _Field:
    """One place of fighting with its stream; `report` turns the duels since the last report into events."""

    __slots__ = ("_contest", "_draws", "_duels", "_ids", "_place", "_reported", "_scope", "_turn")

    def __init__(self, turn: Turn, kind: str, place: str) -> None:
        self._turn = turn
        self._place = place
        self._scope = f"{kind}:{place}"
        self._ids = turn.state.players.ids
        self._draws = turn.resolution.stream(self._scope)
        self._reported = self._draws.draws
        self._duels: list[tuple[Json, ...]] = []
        single_roll = turn.state.config.duel_mode == "single_roll"
        self._contest = _single_roll(self._draws) if single_roll else self._draws.contest

    def queue(self, group: list[int]) -> Queue:
        """The queue of a group that stands in canonical order (GXC-49)."""
        order = self._turn.state.config.attacker_order
        queue = group[:]
        if order == "shuffle":
            self._draws.shuffle(queue)
        elif order == "energy_desc":
            attack = self._turn.attack
            queue.sort(key=lambda player: -attack[player])
        else:
            orders = self._turn.state.players.order
            queue.sort(key=lambda player: given.seq if (given := orders[player]) else 0)
        queue.reverse()
        return queue

    def border(self, first: Queue, second: Queue) -> None:
        """The heads of two queues duel until one is empty, the first side named first (GXC-46).

        The stacks of the two heads are at hand while they last, and paid for at the end (GXC-44): a third less a duel.
        """
        turn, ids, contest = self._turn, self._ids, self._contest
        attack, energy, team_of = turn.attack, turn.energy, turn.state.players.team
        duels, last_loss, below = self._duels, turn.last_loss, turn.state.config.attacker_pair_pct
        one, other, step = first.pop(), second.pop(), turn.step
        a, b = attack[one], attack[other]
        while True:
            a, b = contest(a, b, below)
            step += 1
            loser = one if b else other
            energy[loser] -= attack[loser]
            attack[loser] = 0
            last_loss[team_of[loser]] = step
            if b:
                duels.append((step, ids[one], ids[other], ids[other], b))
                if not first:
                    break
                one = first.pop()
                a = attack[one]
            else:
                duels.append((step, ids[one], ids[other], ids[one], a))
                if not second:
                    break
                other = second.pop()
                b = attack[other]
        winner, left = (other, b) if b else (one, a)
        energy[winner] -= attack[winner] - left
        attack[winner] = left
        turn.step = step

    def attackers_duel(self, first: int, second: int) -> bool:
        """Two attackers with equal chances (GXC-42); returns whether the one named first wins."""
        turn = self._turn
        attack, energy, ids = turn.attack, turn.energy, self._ids
        a, b = attack[first], attack[second]
        left_a, left_b = self._contest(a, b, turn.state.config.attacker_pair_pct)
        attack[first], attack[second] = left_a, left_b
        energy[first] -= a - left_a
        energy[second] -= b - left_b
        turn.step += 1
        loser, winner, left = (first, second, left_b) if left_b else (second, first, left_a)
        turn.last_loss[turn.state.players.team[loser]] = turn.step
        self._duels.append((turn.step, ids[first], ids[second], ids[winner], left))
        return loser == second

    def melee(self, queues: dict[int, Queue]) -> Queue:
        """Teams fight until one is left: a pair of teams is picked, its heads duel (GXC-48)."""
        alive = list(queues)
        while len(alive) > 1:
            pairs = list(combinations(alive, 2))
            first_team, second_team = self._draws.pick(pairs)
            first, second = queues[first_team], queues[second_team]
            loser = second_team if self.attackers_duel(first[-1], second[-1]) else first_team
            queues[loser].pop()
            if not queues[loser]:
                alive.remove(loser)
        return queues[alive[0]]

    def siege(self, queue: Queue, target: int, defenders: list[int]) -> bool:
        """Heads of the queue duel picked defenders (GXC-50); returns whether the last defender is beaten.

        The beaten leave the queue, so it is empty unless the target fell; they stay where they attacked from and can
        only defend there (GXC-56). A stack pays for the exchanges it lost and for nothing else (GXC-44).
        """
        turn, ids, duels = self._turn, self._ids, self._duels
        attack, defence, energy = turn.attack, turn.defence, turn.energy
        team_of, start, last_loss = turn.state.players.team, turn.state.players.start, turn.last_loss
        living = self._ready(defenders)
        began_here, moved_here = self._bounds(target)
        contest, pick, step = self._contest, self._draws.int, turn.step
        while queue and living:
            attacker = queue[-1]
            left = before = attack[attacker]
            while left and living:
                chosen = pick(len(living)) if len(living) > 1 else 0
                defender = living[chosen]
                stack = defence[defender]
                left, kept = contest(left, stack, began_here if start[defender] == target else moved_here)
                defence[defender] = kept
                energy[defender] -= stack - kept
                step += 1
                if left:
                    del living[chosen]
                    duels.append((step, ids[attacker], ids[defender], ids[attacker], left))
                else:
                    queue.pop()
                    last_loss[team_of[attacker]] = step
                    duels.append((step, ids[attacker], ids[defender], ids[defender], kept))
            attack[attacker] = left
            energy[attacker] -= before - left
        turn.step = step
        return not living

    def _ready(self, defenders: list[int]) -> list[int]:
        """Who of them defends now (GXC-52)."""
        if self._turn.state.config.reserve_defends == "always":
            return defenders
        attack = self._turn.attack
        return [player for player in defenders if not attack[player]]

    def _bounds(self, target: int) -> tuple[int, int]:
        """Below which draw an attacker beats a defender who began the turn there, and any other (GXC-41, GXC-84)."""
        state = self._turn.state
        config = state.config
        here = 100 - config.defender_pct_on(state.board.special[target])
        return here, 100 - config.defender_pct_on(None) if config.special_requires_start else here

    def report(self, stage: str) -> None:
        """Emit what was fought and drawn since the last report, if anything was."""
        drawn = self._draws.draws - self._reported
        self._reported += drawn
        duels, self._duels = self._duels, []
        if not duels and not drawn:
            return
        parts = parts_of(duels) if len(duels) > PART else [(1, 1, duels)]
        for part, of, entries in parts:
            data = {
                "scope": self._scope,
                "draws": drawn,
                "stage": stage,
                "place": self._place,
                "part": part,
                "parts": of,
                "duels": entries,
            }
            self._turn.events.append(_new(Event, ("battle", data, PUBLIC)))


def _single_roll(draws: Draws) -> Contest:
    """One exchange decides a duel; the loser's whole stack is lost (GXC-43)."""

    def contest(first: int, second: int, below: int) -> tuple[int, int]:
        return (first, 0) if draws.int(100) < below else (0, second)

    return contest
