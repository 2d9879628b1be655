"""Wars of GXC at the same time: a step of all of them, then the next, and how fast their commands were judged."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

from warledger.api import Answer, Client
from warledger.demo.gxc import War
from warledger.demo.rush import Given, Rush, rush


@dataclass(slots=True)
class Wars:
    """Plays some wars of as many turns each. `say` prints progress."""

    operator: Client
    wars: Sequence[War]
    say: Callable[[str], None]

    def play(self) -> None:
        """From the creations to the ends. Raises what the gateway refuses, NotJudged and TimeoutError."""
        self._judged([war.create() for war in self.wars])
        self._rush(given for war in self.wars for given in war.joins())
        # Behind them all: of commands under way at once a place might be stored before its player's join.
        self._rush(given for war in self.wars for given in war.places())
        self._judged([war.operator.command(war.game, "start_game", wait=False) for war in self.wars])
        total, turn, going_on = Rush(), 1, self.wars
        while going_on:
            started = monotonic()
            turns = self._turn(turn, going_on)
            total = total.and_(turns)
            closed, going_on = going_on, [war for war in going_on if war.reaches(turn + 1)]
            what = self.wars[0].standing() if len(self.wars) == 1 else f"{len(closed)} wars: {turns.told()}"
            self.say(f"turn {turn:2}  {monotonic() - started:4.1f} s  {what}")
            turn += 1
        self.say(f"in all turns {total.told()}")

    def _turn(self, turn: int, wars: Sequence[War]) -> Rush:
        """Everybody energizes, everybody orders, the turn is closed."""
        energized = self._rush(given for war in wars for given in war.energizes(turn))
        ordered = self._rush(given for war in wars for given in war.orders(turn))
        self._judged([war.close(turn) for war in wars])
        return energized.and_(ordered)

    def _rush(self, given: Iterable[Given]) -> Rush:
        return rush(self.operator, given)

    def _judged(self, receipts: Iterable[Answer]) -> None:
        for receipt in receipts:
            self.operator.judged(receipt, every=0.02)
