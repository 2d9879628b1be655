"""A small table for tests of Space Battle: every promise of the decider is checked at each command."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.canonical import canonical
from shared.dice import Stream
from shared.rules.interface import RESOLVED, Event, Input, Refusal, Resolution, Role, Write
from shared.rules.shapes import fault
from shared.rules.space_battle import RULES
from shared.rules.space_battle.state import RUNNING, State
from shared.rules.space_battle.tables import CLASSES
from shared.scenarios.documents import Documents
from shared.scenarios.form import COMMON_CODES

START = 1_000_000
"""When the battle starts."""

FLEET = (("x", "cruiser"), ("y", "scout"))
"""Id and class of each craft of a side."""


class SeededDice:
    """Real streams from a fixed seed; the labels that were resolved."""

    def __init__(self) -> None:
        self.labels: list[str] = []

    def resolve(self, label: str, /) -> Resolution:
        self.labels.append(label)
        return _Streams()

    def seal(self, label: str, /) -> Resolution:
        raise AssertionError("nothing of this game is sealed (SPB-12)")


class _Streams:
    def stream(self, scope: str, /) -> Stream:
        return Stream(b"space", scope)


class Room:
    """One War Room of ana, bia and caio; `say` gives the code or `accepted`."""

    def __init__(self, **config: Any) -> None:
        hangar = {"hangar": {"space_base": 1, **{name: 3 for name in CLASSES if name != "space_base"}}}
        create = {"players": {"ana": hangar, "bia": hangar, "caio": hangar}, "config": config}
        begun = RULES.initial(Input("create", "g", "operator", "operator", "create_game", create, "", 0, 1))
        assert not isinstance(begun, Refusal), begun
        self.state: State = begun[0]
        self.dice = SeededDice()
        self.at = 0
        self.seq = 1
        self.documents = Documents()
        self.events: list[Event] = list(begun[1])
        """Events of the last command."""
        self.told: list[Event] = []
        """Events of all commands."""
        self.refusal: Refusal | None = None
        self._tell()

    @property
    def canonical(self) -> dict[str, Any]:
        return RULES.encode(self.state)

    def give(self, **changes: Any) -> None:
        """Merge changes into the canonical state: maps key by key, anything else replaced. Views learn it of craft."""
        self.state = RULES.decode(_merged(self.canonical, changes))
        if self.state.phase == RUNNING:
            fields = changes.get("craft", {}).items()
            self.documents.write(Write("craft", name, "public", dict(changed)) for name, changed in fields)

    def say(self, actor: str, type_: str, /, role: Role | None = None, **payload: Any) -> str:
        """Judge one command: the state is as before until the events are applied, and the events have their form."""
        at = payload.pop("at", self.at + 1)
        self.seq += 1
        who: Role = role or ("operator" if actor == "operator" else "clock" if actor == "clock" else "player")
        command = Input(f"i{self.seq}", "g", actor, who, type_, payload, "", at, self.seq)
        before = canonical(RULES.encode(self.state))
        answer = RULES.decide(self.state, command, self.dice)
        assert canonical(RULES.encode(self.state)) == before, "decide changed the state"
        self.at = max(self.at, at)
        if isinstance(answer, Refusal):
            assert answer.code in RULES.errors or answer.code in COMMON_CODES, answer
            assert answer.detail
            self.refusal, self.events = answer, []
            return answer.code
        self.events = [event for event in answer if event.type != RESOLVED]
        for event in self.events:
            self.state = RULES.evolve(self.state, event)
        self._tell()
        again = RULES.encode(self.state)
        assert RULES.encode(RULES.decode(again)) == again, "the codec lost something"
        return "accepted"

    def done(self, actor: str, type_: str, /, **payload: Any) -> None:
        """A command that is accepted."""
        assert self.say(actor, type_, **payload) == "accepted", self.refusal

    def clock(self, until: int) -> list[Event]:
        """Apply what is due up to and with this time; all its events."""
        told: list[Event] = []
        while (due := RULES.due(self.state)) is not None and due.at <= until:
            self.done("clock", due.type, at=due.at, **due.payload)
            told += self.events
        self.at = max(self.at, until)
        return told

    def agree(self, number: int) -> None:
        """Ana challenges bia, and they agree on a battle at START."""
        self.done("ana", "issue_challenge", challenged="bia")
        self.done("bia", "accept_challenge", challenge=1, number=number, time=START)
        self.done("ana", "agree_time", challenge=1, time=START)

    def deploy(self, name: str, fleet: Sequence[tuple[str, str]] = FLEET, mines: Sequence[list[int]] = ()) -> None:
        """Deploy a fleet from the top of the front rank on."""
        self.done(name, "deploy", **deployment("C" if name == "ana" else "D", fleet, mines))

    def of(self, type_: str) -> list[Mapping[str, Any]]:
        """Data of the events of a type in the last command."""
        return [event.data for event in self.events if event.type == type_]

    def view(self, name: str) -> dict[str, Any]:
        """What somebody sees."""
        viewer = self.documents.viewer(name)
        return RULES.view(self.documents.of(viewer), viewer)

    def advice(self, name: str, **question: Any) -> Any:
        """The answer to a question of a player; the code if it is refused."""
        told = RULES.advise(self.view(name), question)
        return told.code if isinstance(told, Refusal) else told

    def _tell(self) -> None:
        self.told += self.events
        for event in self.events:
            assert fault(RULES.events[event.type].data, event.data, event.type) is None
            self.documents.write(RULES.project(event))


def deployment(side: str, fleet: Sequence[tuple[str, str]] = FLEET, mines: Sequence[list[int]] = ()) -> dict[str, Any]:
    """The payload of a legal deployment."""
    rear, front = (1, 2) if side == "C" else (13, 12)
    craft = [{"id": name, "class": kind, "at": [front, row]} for row, (name, kind) in enumerate(fleet, 1)]
    return {"base": [rear, 5], "craft": craft, "mines": [list(mine) for mine in mines]}


def running(
    mines: Sequence[list[int]] = (),
    *,
    fleet: Sequence[tuple[str, str]] = FLEET,
    enemy_mines: Sequence[list[int]] = (),
    **config: Any,
) -> Room:
    """A battle that has just started; `mines` are ana's."""
    room = Room(**config)
    room.agree(len(fleet))
    room.deploy("ana", fleet, mines)
    room.deploy("bia", fleet, enemy_mines)
    room.done("ana", "ready")
    room.done("bia", "ready")
    room.clock(START)
    return room


def _merged(whole: Any, changes: Any) -> Any:
    if isinstance(whole, dict) and isinstance(changes, dict):
        return {**whole, **{key: _merged(whole.get(key), value) for key, value in changes.items()}}
    return changes
