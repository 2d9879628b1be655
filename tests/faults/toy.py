"""The toy game for real installations: short turns, orders that may name their turn, and a view of the open turn."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from shared.rules import GAMES
from shared.rules.interface import (
    PUBLIC,
    Command,
    Decision,
    Dice,
    Document,
    Event,
    Input,
    Refusal,
    Registration,
    Viewer,
    Write,
)
from shared.rules.shapes import Integer, Object, Text
from tests.unit.resolver.hosting.toy import Toy, ToyState


def with_toy(turn_ms: int) -> tuple[Registration[Any], ...]:
    """The registry of games with both versions of the toy."""
    return (*GAMES, *(Registration("toy", version, partial(ProjectedToy, version, turn_ms)) for version in ("1", "2")))


class ProjectedToy(Toy):
    """Version 1 falls over at `fail`, version 2 does not."""

    def __init__(self, version: str, turn_ms: int) -> None:
        super().__init__(version)
        self._turn_ms = turn_ms
        form = Object({"name": Text(64), "turn": Integer(1)}, optional=frozenset({"turn"}))
        order = Command("order", frozenset({"player"}), "orders", form, "Give a name for this turn.")
        self.commands = {**self.commands, "order": order}

    def decide(self, state: ToyState, command: Input, dice: Dice, /) -> Decision:
        if command.payload.get("turn", state.turn) != state.turn:
            return Refusal("wrong_turn", "ENG-3", f"the open turn is {state.turn}")
        decided = super().decide(state, command, dice)
        return decided if isinstance(decided, Refusal) else [self._timed(event) for event in decided]

    def _timed(self, event: Event) -> Event:
        if event.type != "opened":
            return event
        return event._replace(data={**event.data, "deadline": event.data["opened_at"] + self._turn_ms})

    def project(self, event: Event, /) -> Iterable[Write]:
        if event.type == "opened":
            yield Write("game", "game", PUBLIC[0], {"turn": event.data["turn"], "deadline": event.data["deadline"]})

    def view(self, documents: Iterable[Document], viewer: Viewer, /) -> dict[str, Any]:
        fields: Mapping[str, Any] = next((item.fields for item in documents if item.kind == "game"), {})
        return dict(fields)
