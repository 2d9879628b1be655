"""A game for the tests of the runner: players keep a secret number, and every 100 ms a die is thrown for all of them.

It has what the runner deals with: a deadline, a resolution, a sealed one, secrets, refusals, a member document.
"""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from shared.rules import UnknownRules
from shared.rules.interface import (
    OPERATORS,
    Command,
    Deadline,
    Decision,
    Dice,
    Document,
    Event,
    EventType,
    Input,
    Parts,
    Period,
    Refusal,
    Role,
    Rules,
    Viewer,
    Write,
    resolved,
)
from shared.rules.shapes import EMPTY, Integer, Object

State = dict[str, Any]
PLAYER: frozenset[Role] = frozenset({"player"})
HOST: frozenset[Role] = frozenset({"operator", "clock"})
ROUND_MS = 100


class Toy:
    """The rules of the toy; see the module."""

    game = "toy"
    version = "1"
    create = EMPTY
    commands: Mapping[str, Command] = {
        "join": Command("join", PLAYER, "orders", EMPTY, "Take part."),
        "keep": Command("keep", PLAYER, "orders", Object({"number": Integer()}), "Keep a secret number."),
        "say": Command("say", PLAYER, "votes", EMPTY, "Talk.", in_digest=False),
        "throw": Command("throw", HOST, "orders", EMPTY, "Throw a die."),
        "peek": Command("peek", HOST, "orders", EMPTY, "Draw in secret, twice."),
        "crash": Command("crash", HOST, "orders", EMPTY, "Fail."),
        "forget": Command("forget", HOST, "orders", EMPTY, "Open a resolution and do not mark its end."),
    }
    events: Mapping[str, EventType] = {}
    errors: Mapping[str, str] = {"too_big": "numbers go up to 9"}
    pages: Mapping[str, Any] = {}
    period: Period | None = None
    parts: Parts = Parts()

    def sealed_labels(self, create: Mapping[str, Any], /) -> tuple[str, ...]:
        return ("peek",)

    def initial(self, create: Input, /) -> tuple[State, list[Event]] | Refusal:
        if "faces" not in create.payload:
            return Refusal("malformed", "TOY-1", "create must hold faces")
        state: State = {"round": 1, "next": ROUND_MS, "thrown": [], "players": {}, "winner": None}
        return state, [Event("game_created", {"faces": create.payload["faces"]})]

    def decide(self, state: State, command: Input, dice: Dice, /) -> Decision:
        if command.type == "join":
            return [Event("joined", {"player": command.actor})]
        if command.type == "keep":
            if command.payload["number"] > 9:
                return Refusal("too_big", "TOY-2", "a number up to 9 would have been legal")
            return [Event("kept", {"player": command.actor, "number": command.payload["number"]}, OPERATORS)]
        if command.type == "throw":
            stream = dice.resolve(f"round:{state['round']}").stream("die")
            return [Event("thrown", {"value": stream.d6(), "at": command.at}), resolved(f"round:{state['round']}")]
        if command.type == "peek":
            resolution = dice.seal("peek")
            drawn = [resolution.stream("a").int(100), resolution.stream("b").int(100)]
            draws = resolution.stream("b").draws
            return [Event("peeked", {"drawn": drawn, "draws": draws}, OPERATORS), resolved("peek")]
        if command.type == "forget":
            dice.resolve("x")
            return []
        if command.type == "crash":
            raise KeyError("no such thing")
        return [Event("said", {"player": command.actor})]

    def evolve(self, state: State, event: Event, /) -> State:
        if event.type == "joined":
            state["players"][event.data["player"]] = {"number": 0}
        elif event.type == "kept":
            state["players"][event.data["player"]]["number"] = event.data["number"]
        elif event.type == "thrown":
            state["round"] += 1
            if state["winner"] != "stuck":
                state["next"] += ROUND_MS
            state["thrown"].append(event.data["value"])
        return state

    def due(self, state: State, /) -> Deadline | None:
        return None if state["next"] is None else Deadline(state["next"], "throw", {})

    def waiting(self, state: State, /) -> list[str]:
        return []

    def over(self, state: State, /) -> bool:
        return False

    def encode(self, state: State, /) -> dict[str, Any]:
        return copy.deepcopy(state)

    def decode(self, canonical: Mapping[str, Any], /) -> State:
        if not isinstance(canonical["round"], int):
            raise ValueError("round must be an integer")
        return {name: copy.deepcopy(canonical[name]) for name in ("round", "next", "thrown", "players", "winner")}

    def project(self, event: Event, /) -> Iterable[Write]:
        data = event.data
        if event.type == "game_created":
            yield Write("game", "game", "public", {"thrown": []})
        elif event.type == "joined":
            yield Write("member", data["player"], "", {"audiences": [f"player:{data['player']}"]})
        elif event.type == "kept":
            yield Write("secret", data["player"], f"player:{data['player']}", {"number": data["number"]})
        elif event.type == "thrown":
            yield Write("game", "game", "public", {"last": data["value"]})

    def view(self, documents: Iterable[Document], viewer: Viewer, /) -> dict[str, Any]:
        seen: dict[str, Any] = {"numbers": {}}
        for document in documents:
            if document.kind == "game":
                seen.update(document.fields)
            elif document.kind == "secret":
                seen["numbers"][document.id] = document.fields["number"]
        return seen

    def advise(self, view: Mapping[str, Any], question: Mapping[str, Any], /) -> dict[str, Any] | Refusal:
        return {}


TOY: Rules[State] = Toy()


def find_toy(game: str, version: str | None = None) -> Rules[State]:
    """The registry of the runner's tests."""
    if game != "toy" or version not in (None, "1"):
        raise UnknownRules(f"no rules {game}; known: toy 1")
    return TOY
