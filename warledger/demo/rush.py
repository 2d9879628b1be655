"""Commands of many players at the same time: how many were acknowledged a second, and how many judged."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import NamedTuple

from shared.log import partition_of
from warledger.api import Answer, Client

AT_ONCE = 8
"""Connections that give commands."""
_LOOK_SECONDS = 0.02

Given = tuple[str, Callable[[], Answer]]
"""A game, and what gives a command in it, to be answered with its receipt."""


class Rush(NamedTuple):
    """So many commands; seconds from the first until all were acknowledged, and until all were judged."""

    commands: int = 0
    acknowledged: float = 0.0
    judged: float = 0.0

    def and_(self, other: "Rush") -> "Rush":
        """This one and another behind it."""
        commands, acknowledged, judged = other
        return Rush(self.commands + commands, self.acknowledged + acknowledged, self.judged + judged)

    def told(self) -> str:
        """Both rates in words."""
        if not self.commands:
            return "no commands"
        rates = (self.commands / seconds for seconds in (self.acknowledged, self.judged))
        acknowledged, judged = (f"{rate:,.0f}/s" for rate in rates)
        return f"{self.commands:,} commands, acknowledged {acknowledged}, judged {judged}"


def rush(operator: Client, given: Iterable[Given]) -> Rush:
    """Give all commands, and wait until each is judged. Raises Refused, NotJudged.

    All must go to the same topic: in each partition they are judged in the order in which they were stored. The last of
    it is among the last AT_ONCE that were answered, for no more are under way; so these are asked for.
    """
    commands = list(given)
    last: dict[int, deque[Answer]] = {partition_of(game): deque(maxlen=AT_ONCE) for game, _ in commands}

    def give(command: Given) -> None:
        game, call = command
        last[partition_of(game)].append(call())

    def judged(receipt: Answer) -> None:
        operator.judged(receipt, every=_LOOK_SECONDS)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        started = monotonic()
        _run(pool, give, commands)
        acknowledged = monotonic() - started
        _run(pool, judged, [receipt for receipts in last.values() for receipt in receipts])
        return Rush(len(commands), acknowledged, monotonic() - started)


def _run(pool: ThreadPoolExecutor, do: Callable[..., None], items: Iterable[object]) -> None:
    """Do it with each; a failure is raised here."""
    for _ in pool.map(do, items):
        pass
