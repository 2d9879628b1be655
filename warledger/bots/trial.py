"""Many games of bots against bots on the pure rules: the same trial gives the same games everywhere."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from shared.rules.exgenhoca.state import OBJECTIVE
from warledger.bots.figures import ChiSquare, Lengths, Share, even, lengths, share
from warledger.bots.roster import BOTS
from warledger.bots.table import Order, Outcome, Table

ANY, BY_SEAT = "any", "seat"
ORDERS = (ANY, BY_SEAT)
MOST_ROUNDS = 100
"""Where a game ends that no objective has ended."""
_CHUNK = 8
"""Games that a process is given at a time."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is played: names of bots around the table, moved on by a seat with every game; who acts next; the seed."""

    bots: tuple[str, ...]
    players: int = 6
    order: str = ANY
    seed: int = 1
    most_rounds: int = MOST_ROUNDS

    def seated(self, number: int) -> list[str]:
        """Names of the bots by seat in a game; over as many games as there are names each sits everywhere."""
        return [self.bots[(seat + number) % len(self.bots)] for seat in range(self.players)]

    def play(self, number: int) -> Outcome:
        """Game of this number. Raises table.NotLegal if a bot breaks the rules."""
        name = f"trial-{self.seed}-{number}"
        bots = [BOTS[bot](f"{name}|{seat}") for seat, bot in enumerate(self.seated(number), 1)]
        key = hashlib.sha256(f"{name}|dice".encode()).digest()
        order = Order(random.Random(f"{name}|order") if self.order == ANY else None)
        return Table(name, key, bots, {"max_rounds": self.most_rounds}).play(order)


class Figures(NamedTuple):
    """What came out. Who is first in the ranking counts as winner, a game that the last round ended included."""

    games: int
    rounds: Lengths
    attacks: Lengths
    reasons: Mapping[str, Share]
    seats: Mapping[int, Share]
    fairness: ChiSquare
    """Of wins by seat against the same for all."""
    objectives: Mapping[str, Share]
    """Id -> wins by it, of the times that it was dealt; a game that no objective ended has no such win."""
    bots: Mapping[str, Share]
    seats_of_bots: Mapping[str, float]
    """Name -> share of the seats, which is the share of wins of a bot that is no better or worse."""


def outcomes(trial: Trial, games: int, jobs: int = 1) -> Iterator[Outcome]:
    """The games 1 to `games` in their order, on so many processes."""
    if jobs == 1:
        yield from map(trial.play, range(1, games + 1))
        return
    with ProcessPoolExecutor(jobs) as processes:
        yield from processes.map(partial(Trial.play, trial), range(1, games + 1), chunksize=_CHUNK)


def figures(trial: Trial, played: Sequence[Outcome]) -> Figures:
    """The figures of the games 1, 2, ... of a trial; at least one."""
    games = len(played)
    seats, bots, reasons = Counter[int](), Counter[str](), Counter[str]()
    dealt, fulfilled = Counter[str](), Counter[str]()
    for number, outcome in enumerate(played, 1):
        first = outcome.ranking[0]
        seats[first] += 1
        bots[trial.seated(number)[first - 1]] += 1
        reasons[outcome.reason] += 1
        dealt.update(outcome.objectives)
        fulfilled[outcome.objectives[first - 1]] += outcome.reason == OBJECTIVE
    seated = Counter(name for number in range(1, games + 1) for name in trial.seated(number))
    by_seat = {seat: seats[seat] for seat in range(1, trial.players + 1)}
    return Figures(
        games,
        lengths([outcome.rounds for outcome in played]),
        lengths([outcome.attacks for outcome in played]),
        {reason: share(count, games) for reason, count in sorted(reasons.items())},
        {seat: share(count, games) for seat, count in by_seat.items()},
        even(by_seat),
        {id: share(fulfilled[id], times) for id, times in sorted(dealt.items())},
        {name: share(bots[name], games) for name in sorted(seated)},
        {name: count / seated.total() for name, count in sorted(seated.items())},
    )


def report(found: Figures) -> Iterator[str]:
    """The figures as lines to read."""
    yield f"{found.games} games"
    for name, distribution in (("rounds", found.rounds), ("attacks", found.attacks)):
        yield f"{name}: " + ", ".join(f"{part.replace('_', ' ')} {value}" for part, value in _parts(distribution))
    for reason, ended in found.reasons.items():
        yield f"ended by {reason.replace('_', ' ')}: {_of(ended)}"
    for seat, won in found.seats.items():
        yield f"won from seat {seat}: {_of(won)}"
    test = found.fairness
    yield f"seats alike: chi-square {test.statistic:.2f} with {test.degrees} degrees of freedom, p = {test.p:.3f}"
    for id, won in found.objectives.items():
        yield f"won by objective {id}, of the times it was dealt: {_of(won)}"
    for name, won in found.bots.items():
        yield f"won by {name}: {_of(won)}; it has {found.seats_of_bots[name]:.1%} of the seats"


def as_data(found: Figures) -> dict[str, Any]:
    """The figures as JSON values."""
    return {
        "games": found.games,
        "rounds": found.rounds._asdict(),
        "attacks": found.attacks._asdict(),
        "reasons": {name: item._asdict() for name, item in found.reasons.items()},
        "seats": {str(seat): item._asdict() for seat, item in found.seats.items()},
        "fairness": found.fairness._asdict(),
        "objectives": {id: item._asdict() for id, item in found.objectives.items()},
        "bots": {name: item._asdict() for name, item in found.bots.items()},
        "seats_of_bots": dict(found.seats_of_bots),
    }


def _parts(distribution: Lengths) -> Iterator[tuple[str, int]]:
    yield from distribution._asdict().items()


def _of(item: Share) -> str:
    return f"{item.times} ({item.share:.1%}; 95 % interval {item.low:.1%} to {item.high:.1%})"
