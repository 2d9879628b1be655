"""One game on the pure rules: what the resolver does around `decide`, kept in memory.

It holds the total order (ENG-3), applies due deadlines before inputs, keeps seeds and digests (ENG-7) and folds the
view documents. Scenarios and the conformance suite play on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.canonical import canonical, sha256_hex
from shared.dice import Script, leaf
from shared.rules.interface import RESOLVED, Event, Input, Refusal, Role, Rules
from shared.scenarios.dice import GAME, Chain, CommandDice
from shared.scenarios.documents import Documents

NO_SALT = "0" * 32


class BrokenContract(RuntimeError):
    """The rules did what the decider interface forbids; the message names it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one input. `refusal` is None for an accepted one; `events` are those of the game."""

    input: Input
    refusal: Refusal | None
    events: tuple[Event, ...]

    @property
    def code(self) -> str:
        """`accepted` or the error code."""
        return "accepted" if self.refusal is None else self.refusal.code

    def as_event(self) -> dict[str, Any]:
        """The judgement as the host writes it: `input.accepted`, or `input.rejected` with code, rule and detail."""
        if self.refusal is None:
            return {"type": "input.accepted", "input": self.input.id}
        code, rule, detail = self.refusal.code, self.refusal.rule, self.refusal.detail
        return {"type": "input.rejected", "input": self.input.id, "code": code, "rule": rule, "detail": detail}


class Table:
    """A game being played. `create` begins it; `say` takes an input, `run_clock` the deadlines."""

    def __init__(self, rules: Rules[Any], seed: str) -> None:
        self.rules = rules
        self.state: Any = None
        self.documents = Documents()
        self.journal: list[Judgement] = []
        self._told = 0
        self._chain = Chain(seed)
        self._deadlines = 0

    def create(self, payload: Mapping[str, Any]) -> Judgement:
        """Create the game at time 0 as input `s0`, judgement 1; on a refusal there is no game."""
        command = self._input("s0", "operator", "operator", "create_game", payload, 0)
        made = self.rules.initial(command)
        if isinstance(made, Refusal):
            judgement = Judgement(command, made, ())
        else:
            self.state, events = made
            self._project(events)
            self._chain.pending = (_leaf(command),)
            judgement = Judgement(command, None, tuple(events))
        self.journal.append(judgement)
        return judgement

    def say(
        self,
        id: str,
        actor: str,
        role: Role,
        type: str,
        payload: Mapping[str, Any],
        at: int,
        script: Script | None = None,
    ) -> list[Judgement]:
        """Judge an input after the deadlines before it (ENG-3); its own judgement stands last."""
        judged = self.run_clock(at - 1, script)
        judged.append(self._judge(self._input(id, actor, role, type, payload, at), script))
        return judged

    def run_clock(self, until: int, script: Script | None = None) -> list[Judgement]:
        """Apply every deadline up to and with `until`, each at its own time."""
        judged: list[Judgement] = []
        while (deadline := self.rules.due(self.state)) is not None and deadline.at <= until:
            self._deadlines += 1
            name = f"c{self._deadlines}"
            command = self._input(name, "clock", "clock", deadline.type, deadline.payload, deadline.at)
            judgement = self._judge(command, script)
            if judgement.refusal is not None:
                raise BrokenContract(f"the deadline {deadline.type} at {deadline.at} was refused: {judgement.refusal}")
            if self.rules.due(self.state) == deadline:
                raise BrokenContract(f"the deadline {deadline.type} at {deadline.at} is due again after it was applied")
            judged.append(judgement)
        return judged

    def _input(self, id: str, actor: str, role: Role, type: str, payload: Mapping[str, Any], at: int) -> Input:
        return Input(id, GAME, actor, role, type, payload, NO_SALT, at, len(self.journal) + 1)

    def _judge(self, command: Input, script: Script | None) -> Judgement:
        row = self.rules.commands.get(command.type)
        in_digest = row is None or row.in_digest
        dice = CommandDice(self._chain, _leaf(command) if in_digest else None, script)
        decision = self.rules.decide(self.state, command, dice)
        if isinstance(decision, Refusal):
            if dice.opened:
                raise BrokenContract(f"{command.type} was refused after it had opened the resolution {dice.opened[0]}")
            judgement = Judgement(command, decision, ())
        else:
            _check_marks(decision, dice.opened)
            events = tuple(event for event in decision if event.type != RESOLVED)
            for event in events:
                self.state = self.rules.evolve(self.state, event)
            self._project(events)
            dice.keep()
            judgement = Judgement(command, None, events)
        self.journal.append(judgement)
        return judgement

    def _project(self, events: Sequence[Event]) -> None:
        for event in events:
            self._told += 1
            self.documents.write(self.rules.project(event._replace(n=self._told)))


def _check_marks(events: Sequence[Event], opened: list[str]) -> None:
    marks = [event.data["label"] for event in events if event.type == RESOLVED]
    if marks != opened:
        raise BrokenContract(f"resolutions {opened} were opened, but marked are {marks}")


def _leaf(command: Input) -> str:
    hashed = {
        "actor": command.actor,
        "game": command.game,
        "id": command.id,
        "payload": command.payload,
        "role": command.role,
        "salt": command.salt,
        "type": command.type,
    }
    return leaf(command.id, sha256_hex(canonical(hashed)))
