"""A toy game that does all a host must cope with: several resolutions a command, sealed ones, refusals, failures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
    Page,
    Parts,
    Period,
    Refusal,
    Role,
    Viewer,
    Write,
    resolved,
)
from shared.rules.shapes import EMPTY, Anything, Integer, Maybe, Object, Text

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_CLOCKED: frozenset[Role] = frozenset({"operator", "clock"})
TURN_MS = 3_600_000


@dataclass(slots=True)
class ToyState:
    """`rolls` counts the rolls made, `total` sums them; `turn` 0 is before the first opening."""

    turn: int = 0
    deadline: int | None = None
    total: int = 0
    rolls: int = 0
    names: list[str] = field(default_factory=list)
    over: bool = False


class Toy:
    """Rules of the toy. Version 2 can play on with a game whose version 1 fails at `fail`."""

    game = "toy"
    create = Object({"names": Anything(), "explode": Anything()}, optional=frozenset({"names", "explode"}))
    errors: Mapping[str, str] = {"bad_number": "A die has 1 to 100 faces"}
    pages: Mapping[str, Page] = {}
    period: Period | None = Period("turn", "deadline", {})
    parts: Parts = Parts()

    def __init__(self, version: str) -> None:
        self.version = version
        self.commands: Mapping[str, Command] = {
            command.type: command
            for command in (
                Command("start", _OPERATOR, "orders", EMPTY, "Open turn 1."),
                Command("roll", _PLAYER, "orders", Object({"faces": Integer()}), "Roll at once."),
                Command("double", _PLAYER, "orders", EMPTY, "Roll twice, each a resolution of its own."),
                Command("deal", _OPERATOR, "orders", EMPTY, "Draw a secret."),
                Command("chat", _PLAYER, "votes", Object({"text": Text(10)}), "Talk.", in_digest=False),
                Command("order", _PLAYER, "orders", Object({"name": Text(64)}), "Give a name for this turn."),
                Command("close", _CLOCKED, "orders", Object({"turn": Integer(1)}), "Close the turn."),
                Command("end", _OPERATOR, "orders", EMPTY, "End the game."),
                Command("fail", _PLAYER, "orders", Object({"how": Text(20)}), "Break the rules of the interface."),
                Command(
                    "set_deadline",
                    _CLOCKED,
                    "orders",
                    Object({"deadline": Maybe(Integer()), "reason": Text(16)}),
                    "ENG-12.",
                ),
                Command("shift_time", _CLOCKED, "orders", Object({"by_ms": Integer(), "reason": Text(16)}), "ENG-12."),
            )
        }
        self.events: Mapping[str, EventType] = {
            name: EventType(name, 1, Object({"any": Anything()}), "Public.")
            for name in (
                "welcomed", "opened", "rolled", "dealt", "said", "named", "closed", "ended", "deadline_set", "exploded",
            )
        }  # fmt: skip

    def sealed_labels(self, create: Mapping[str, Any], /) -> tuple[str, ...]:
        return ("deal", "spare")

    def initial(self, create: Input, /) -> tuple[ToyState, list[Event]] | Refusal:
        if create.payload.get("explode"):
            raise RuntimeError("a creation that the rules cannot bear")
        if "names" not in create.payload:
            return Refusal("bad_config", "TOY-1", "create.names must be a list")
        names = [str(name) for name in create.payload["names"]]
        return ToyState(names=names), [Event("welcomed", {"name": name}) for name in names]

    def decide(self, state: ToyState, command: Input, dice: Dice, /) -> Decision:
        if state.over and command.type != "chat":
            return Refusal("game_over", "ENG-5", "the game has ended")
        if command.role not in self.commands[command.type].roles:
            return Refusal("not_authorised", "ENG-5", f"{command.role} may not {command.type}")
        decided: Decision = getattr(self, f"_{command.type}")(state, command, dice)
        return decided

    def _start(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        return [_open(1, command.at)]

    def _roll(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        if not 1 <= command.payload["faces"] <= 100:
            return Refusal("bad_number", "TOY-2", "faces must be 1 to 100")
        return _rolls(state.rolls, [command.payload["faces"]], dice)

    def _double(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        return _rolls(state.rolls, [6, 6], dice)

    def _deal(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        draws = dice.seal("deal").stream("deal")
        value = draws.int(1000)
        return [Event("dealt", {"value": value, "scope": "deal", "draws": draws.draws}, OPERATORS), resolved("deal")]

    def _chat(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        return [Event("said", {"by": command.actor}, (f"player:{command.actor}",))]

    def _order(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        return [Event("named", {"name": command.payload["name"]}, (f"player:{command.actor}",))]

    def _close(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        if command.payload["turn"] != state.turn:
            return Refusal("wrong_turn", "ENG-3", f"the open turn is {state.turn}")
        draws = dice.resolve(f"turn:{state.turn}").stream("close")
        value = draws.int(100)
        closed = Event("closed", {"turn": state.turn, "value": value, "scope": "close", "draws": draws.draws})
        return [closed, _open(state.turn + 1, command.at), resolved(f"turn:{state.turn}")]

    def _end(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        return [Event("ended", {})]

    def _set_deadline(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        deadline = command.payload["deadline"]
        if deadline is not None and deadline < command.at:
            return Refusal("bad_deadline", "ENG-12", "the deadline would lie before the input")
        return [Event("deadline_set", {"deadline": deadline, "reason": command.payload["reason"]})]

    def _shift_time(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        if state.deadline is None:
            return Refusal("wrong_phase", "ENG-12", "there is no deadline to move")
        deadline = state.deadline + command.payload["by_ms"]
        return [Event("deadline_set", {"deadline": deadline, "reason": command.payload["reason"]})]

    def _fail(self, state: ToyState, command: Input, dice: Dice) -> Decision:
        how = command.payload["how"]
        if self.version == "2":
            return [Event("said", {"by": command.actor})]
        if how == "raise":
            raise RuntimeError("the rules fell over")
        if how == "no mark":
            dice.resolve("forgotten")
            return []
        if how == "mark":
            return [resolved("never opened")]
        if how == "seal":
            dice.seal("no such label")
        if how == "huge":
            return [Event("said", {"by": "x" * 300_000})]
        if how == "unknown":
            return [Event("unheard_of", {})]
        return [Event("named", {"name": "half"}), Event("exploded", {})]

    def evolve(self, state: ToyState, event: Event, /) -> ToyState:
        data = event.data
        if event.type == "exploded":
            raise RuntimeError("an event that cannot be applied")
        if event.type in ("opened", "deadline_set"):
            state.turn = data.get("turn", state.turn)
            state.deadline = data["deadline"]
        elif event.type == "rolled":
            state.rolls += 1
            state.total += data["value"]
        elif event.type == "named":
            state.names.append(data["name"])
        elif event.type == "ended":
            state.over = True
            state.deadline = None
        return state

    def due(self, state: ToyState, /) -> Deadline | None:
        if state.deadline is None:
            return None
        return Deadline(state.deadline, "close", {"turn": state.turn})

    def waiting(self, state: ToyState, /) -> list[str]:
        return []

    def over(self, state: ToyState, /) -> bool:
        return state.over

    def encode(self, state: ToyState, /) -> dict[str, Any]:
        return {
            "turn": state.turn,
            "turn_deadline": state.deadline,
            "total": state.total,
            "rolls": state.rolls,
            "names": list(state.names),
            "over": state.over,
        }

    def decode(self, canonical: Mapping[str, Any], /) -> ToyState:
        known = dict(canonical)
        known["deadline"] = known.pop("turn_deadline")
        return replace(ToyState(), **known)

    def project(self, event: Event, /) -> Iterable[Write]:
        return ()

    def view(self, documents: Iterable[Document], viewer: Viewer, /) -> dict[str, Any]:
        return {}

    def advise(self, view: Mapping[str, Any], question: Mapping[str, Any], /) -> dict[str, Any] | Refusal:
        return {}


def _open(turn: int, at: int) -> Event:
    return Event("opened", {"turn": turn, "opened_at": at, "deadline": at + TURN_MS})


def _rolls(before: int, faces: Sequence[int], dice: Dice) -> list[Event]:
    events: list[Event] = []
    for index, sides in enumerate(faces):
        label = f"roll:{before + index + 1}"
        draws = dice.resolve(label).stream("roll")
        value = draws.int(sides)
        events += [Event("rolled", {"value": value, "scope": "roll", "draws": draws.draws}), resolved(label)]
    return events


TOY_1 = Toy("1")
TOY_2 = Toy("2")
