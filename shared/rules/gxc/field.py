"""One place of fighting: its duels at the border, in the melee and in the siege (GXC-41 to GXC-56).

A duel is recorded as [step, a, b, winner, what is left of the winner's stack]; its exchanges are drawn from the stream
of the place and not stored (ENG-10).
"""

from collections.abc import Callable
from itertools import combinations

from shared.dice import Draws
from shared.rules.gxc.event_shapes import PART
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.turn import Turn
from shared.rules.interface import PUBLIC, Event, Json

_new = tuple.__new__
"""As in muster.py: for events of which there are thousands."""

Queue = list[int]
"""Attackers by player number; the head is the last entry, so that it leaves at no cost."""
Contest = Callable[[int, int, int], tuple[int, int]]
"""Two stacks and the bound below which the first side wins an exchange -> what is left of both."""


class Field:
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
        """The heads of two queues duel until one is empty, the first side named first (GXC-46). The beaten leave.

        The stacks of the two heads are at hand while they last: a third less a duel.
        """
        turn, ids, contest = self._turn, self._ids, self._contest
        attack, duels, below = turn.attack, self._duels, turn.state.config.attacker_pair_pct
        one, other, step = first[-1], second[-1], turn.step
        a, b = attack[one], attack[other]
        while True:
            a, b = contest(a, b, below)
            step += 1
            if b:
                attack[one] = 0
                duels.append((step, ids[one], ids[other], ids[other], b))
                first.pop()
                if not first:
                    break
                one = first[-1]
                a = attack[one]
            else:
                attack[other] = 0
                duels.append((step, ids[one], ids[other], ids[one], a))
                second.pop()
                if not second:
                    break
                other = second[-1]
                b = attack[other]
        if b:
            attack[other] = b
        else:
            attack[one] = a
        turn.step = step

    def attackers_duel(self, first: int, second: int) -> bool:
        """Two attackers with equal chances (GXC-42); returns whether the one named first wins."""
        turn = self._turn
        attack, ids = turn.attack, self._ids
        left_a, left_b = self._contest(attack[first], attack[second], turn.state.config.attacker_pair_pct)
        attack[first], attack[second] = left_a, left_b
        turn.step += 1
        winner, left = (second, left_b) if left_b else (first, left_a)
        self._duels.append((turn.step, ids[first], ids[second], ids[winner], left))
        return winner == first

    def melee(self, queues: dict[int, Queue]) -> Queue:
        """Teams fight until one is left: a pair of teams is picked, its heads duel (GXC-48).

        The last two teams are the pair each time, and nothing is picked: they duel as at a border, which takes a sixth
        less.
        """
        alive = list(queues)
        while len(alive) > 2:
            pairs = list(combinations(alive, 2))
            first_team, second_team = self._draws.pick(pairs)
            first, second = queues[first_team], queues[second_team]
            loser = second_team if self.attackers_duel(first[-1], second[-1]) else first_team
            queues[loser].pop()
            if not queues[loser]:
                alive.remove(loser)
        first, second = queues[alive[0]], queues[alive[1]]
        self.border(first, second)
        return first or second

    def siege(self, queue: Queue, target: int, defenders: list[int]) -> bool:
        """Heads of the queue duel picked defenders (GXC-50); returns whether the last defender is beaten.

        The beaten leave the queue, so it is empty unless the target fell; they stay where they attacked from and can
        only defend there (GXC-56).
        """
        turn, ids, duels = self._turn, self._ids, self._duels
        attack, defence = turn.attack, turn.defence
        start = turn.state.players.start
        living = self._ready(defenders)
        began_here, moved_here = self._bounds(target)
        alike = began_here == moved_here
        contest, pick, step = self._contest, self._draws.int, turn.step
        while queue and living:
            attacker = queue[-1]
            name = ids[attacker]
            left = attack[attacker]
            while left and living:
                chosen = pick(len(living)) if len(living) > 1 else 0
                defender = living[chosen]
                below = began_here if alike or start[defender] == target else moved_here
                left, kept = contest(left, defence[defender], below)
                defence[defender] = kept
                step += 1
                if left:
                    del living[chosen]
                    duels.append((step, name, ids[defender], name, left))
                else:
                    queue.pop()
                    duels.append((step, name, ids[defender], ids[defender], kept))
            attack[attacker] = left
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
            self._turn.events.append(_new(Event, ("battle", data, PUBLIC, 0)))


def _single_roll(draws: Draws) -> Contest:
    """One exchange decides a duel; the loser's whole stack is lost (GXC-43)."""

    def contest(first: int, second: int, below: int) -> tuple[int, int]:
        return (first, 0) if draws.int(100) < below else (0, second)

    return contest
