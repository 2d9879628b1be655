"""A game of bots on the pure rules, without host and HTTP, with real dice; bots see what the server would show."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.rules.exgenhoca import RULES
from shared.rules.exgenhoca.advise import answer, refused
from shared.rules.exgenhoca.state import State
from shared.rules.exgenhoca.table_view import state_of
from shared.rules.interface import RESOLVED, Event, Input, Refusal, Role, Viewer
from shared.scenarios.documents import Documents
from warledger.bots.bot import Bot, Command, View
from warledger.bots.dice import ChainDice

_KINDS = frozenset(RULES.pages["map"].kinds) | frozenset(RULES.pages["orders"].kinds)
"""Kinds of document that a bot sees: those of both pages that it reads over HTTP."""
_OPERATOR = "operator"
_SECOND_MS = 1000


class NotLegal(ValueError):
    """A bot gave a command that the rules refuse; the message says which and why."""


class Outcome(NamedTuple):
    """How a game ended."""

    rounds: int
    reason: str
    winner: int | None
    ranking: Sequence[int]
    """Seats, the first one first."""
    attacks: int
    objectives: Sequence[str]
    """Ids of the objectives that were dealt, by seat."""


class TableSight:
    """What one player sees at the table. The view is read once for all her questions."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._state: State | None = None

    def ask(self, type: str, /, **question: Any) -> View | None:
        """As `RULES.advise` answers from the view alone."""
        given = {"type": type, **question}
        if refused(self.view, given):
            return None
        if self._state is None:
            self._state = state_of(self.view)
        return answer(self._state, self.view, given)


class Table:
    """One game from its creation to its end."""

    def __init__(self, name: str, master_key: bytes, bots: Sequence[Bot], config: Mapping[str, Any]) -> None:
        """`bots` by seat. Raises ValueError if the rules refuse the creation."""
        self._name = name
        self._dice = ChainDice(master_key, name)
        self._documents = Documents()
        self._bots = {f"seat-{seat}": bot for seat, bot in enumerate(bots, 1)}
        self._viewers: dict[str, Viewer] = {}
        self._seq = 1
        self.attacks = 0
        create = {"players": list(self._bots), "config": dict(config)}
        begun = RULES.initial(self._input(_OPERATOR, "operator", "create_game", create))
        if isinstance(begun, Refusal):
            raise ValueError(f"{begun.code}: {begun.detail}")
        self.state: State = begun[0]
        for event in begun[1]:
            self._show(event)
        self._viewers = {player: self._documents.viewer(player) for player in self._bots}
        self._say(_OPERATOR, "operator", Command("start_game", {}))

    def play(self, order: "Order") -> Outcome:
        """Let the bots play to the end, one command at a time. Raises NotLegal."""
        while not RULES.over(self.state):
            player = order.next(RULES.waiting(self.state))
            command = self._bots[player].choose(self.sight(player))
            if command is None:
                raise NotLegal(f"{player} has nothing to do, and the round waits for it")
            self._say(player, "player", command)
        state = self.state
        dealt = [player.objective.id for player in state.players if player.objective is not None]
        return Outcome(state.round, state.end_reason or "", state.winner, state.ranking, self.attacks, dealt)

    def sight(self, player: str) -> TableSight:
        """What a player sees now."""
        viewer = self._viewers[player]
        return TableSight(RULES.view(self._documents.of(viewer), viewer))

    def _say(self, actor: str, role: Role, command: Command) -> None:
        given = self._input(actor, role, command.type, command.payload)
        self._dice.given(given)
        decided = RULES.decide(self.state, given, self._dice)
        if isinstance(decided, Refusal):
            raise NotLegal(f"{actor} {command.type} {command.payload}: {decided.code}, {decided.detail}")
        self.attacks += command.type == "attack"
        for event in decided:
            if event.type != RESOLVED:
                self.state = RULES.evolve(self.state, event)
                self._show(event)

    def _show(self, event: Event) -> None:
        self._documents.write(write for write in RULES.project(event) if write.kind in _KINDS or write.kind == "member")

    def _input(self, actor: str, role: Role, type: str, payload: Mapping[str, Any]) -> Input:
        self._seq += 1
        return Input(
            f"{self._name}-{self._seq}", self._name, actor, role, type, payload, "", self._seq * _SECOND_MS, self._seq
        )


class Order:
    """Who of those that the game waits for acts next (EXG-23: anybody may)."""

    def __init__(self, chance: random.Random | None) -> None:
        """With a generator any of them, each as likely as the others; without one by seat, one command each in turn."""
        self._chance = chance
        self._last = ""

    def next(self, waiting: Sequence[str]) -> str:
        if self._chance is not None:
            return self._chance.choice(waiting)
        seats = sorted(waiting, key=_seat)
        behind = [player for player in seats if _seat(player) > _seat(self._last)]
        self._last = (behind or seats)[0]
        return self._last


def _seat(player: str) -> int:
    return int(player.rpartition("-")[2] or 0)
