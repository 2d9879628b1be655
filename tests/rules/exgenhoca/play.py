"""A small table for tests of Exgenhoca Wars: every promise of the decider is checked at each command."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.canonical import canonical
from shared.dice import Script, Stream
from shared.rules.exgenhoca import RULES
from shared.rules.exgenhoca.state import State
from shared.rules.interface import RESOLVED, Event, Input, Refusal, Resolution, Role
from shared.rules.shapes import fault
from shared.scenarios.documents import Documents
from shared.scenarios.form import COMMON_CODES

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class SeededDice:
    """Real streams from a fixed seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.labels: list[str] = []

    def resolve(self, label: str, /) -> Resolution:
        self.labels.append(label)
        return _Streams(f"{self._seed}|{label}".encode())

    def seal(self, label: str, /) -> Resolution:
        return self.resolve(label)


class _Streams:
    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def stream(self, scope: str, /) -> Stream:
        return Stream(self._seed, scope)


class ScriptedDice:
    """Every scope draws from one script: dice as faces, other draws as they are."""

    def __init__(self, *draws: int | str) -> None:
        self.script = Script(draws)

    def resolve(self, label: str, /) -> Resolution:
        return self

    def seal(self, label: str, /) -> Resolution:
        return self

    def stream(self, scope: str, /) -> Script:
        return self.script


def faces(attack: str, defence: str) -> ScriptedDice:
    """The dice of one roll, `faces("345", "444")`."""
    return ScriptedDice(*(f"d{face}" for face in attack + defence))


class Game:
    """One game; `say` gives the code or `accepted`."""

    def __init__(
        self, players: Sequence[str] = ("ana", "bia", "caio"), seed: int = 1, map_: Any = None, **config: Any
    ) -> None:
        create = {"players": list(players), "map": map_, "config": config}
        begun = RULES.initial(Input("create", "g", "operator", "operator", "create_game", create, "", 0, 1))
        assert not isinstance(begun, Refusal), begun
        self.state: State = begun[0]
        self.dice = SeededDice(seed)
        self.at = 0
        self.seq = 1
        self.documents = Documents()
        self.told: list[Event] = []
        """Events of all commands."""
        self.events: list[Event] = list(begun[1])
        """Events of the last command."""
        self.refusal: Refusal | None = None
        self._tell()

    @property
    def canonical(self) -> dict[str, Any]:
        return RULES.encode(self.state)

    def player(self, name: str) -> dict[str, Any]:
        """A player in the canonical state."""
        found: dict[str, Any] = self.canonical["players"][name]
        return found

    def give(self, **changes: Any) -> None:
        """Merge changes into the canonical state: maps key by key, anything else replaced."""
        self.state = RULES.decode(_merged(self.canonical, changes))

    def own(self, **holdings: str) -> None:
        """Give these territories, named with spaces between, to these players and all others to nobody."""
        owners: dict[str, Any] = {item: {"owner": None, "token": None} for item in self.canonical["territories"]}
        for name, territories in holdings.items():
            seat = self.player(name)["seat"]
            owners.update({item: {"owner": seat, "token": None} for item in territories.split()})
        self.give(territories=owners)

    def say(self, actor: str, type_: str, /, role: Role | None = None, **payload: Any) -> str:
        """Judge one command: the state is as before until the events are applied, and the events have their form."""
        at = payload.pop("at", self.at + 1)
        dice = payload.pop("dice", self.dice)
        self.seq += 1
        who: Role = role or ("operator" if actor == "operator" else "clock" if actor == "clock" else "player")
        command = Input(f"i{self.seq}", "g", actor, who, type_, payload, "", at, self.seq)
        before = canonical(RULES.encode(self.state))
        answer = RULES.decide(self.state, command, dice)
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

    def attack(self, name: str, target: str, attack: str, defence: str, **use: Any) -> str:
        """An attack with these faces."""
        payload: dict[str, Any] = {"target": target}
        if use:
            payload["use"] = use
        return self.say(name, "attack", dice=faces(attack, defence), **payload)

    def start(self) -> None:
        assert self.say("operator", "start_game") == "accepted"

    def close(self) -> list[Event]:
        """An operator closes the round."""
        assert self.say("operator", "close_round", round=self.state.round) == "accepted"
        return self.events

    def of(self, type_: str) -> list[Mapping[str, Any]]:
        """Data of the events of a type in the last command."""
        return [event.data for event in self.events if event.type == type_]

    def view(self, name: str) -> dict[str, Any]:
        """What somebody sees."""
        viewer = self.documents.viewer(name)
        return RULES.view(self.documents.of(viewer), viewer)

    def _tell(self) -> None:
        self.told += self.events
        for event in self.events:
            assert fault(RULES.events[event.type].data, event.data, event.type) is None
            self.documents.write(RULES.project(event))


def running(**config: Any) -> Game:
    """A started game of ana, bia and caio in round 2, with three attacks each."""
    game = Game(**config)
    game.start()
    game.give(round=2, players={name: {"attacks_left": 3, "counts_idle": True} for name in ("ana", "bia", "caio")})
    return game


def _merged(whole: Any, changes: Any) -> Any:
    if isinstance(whole, dict) and isinstance(changes, dict):
        return {**whole, **{key: _merged(whole.get(key), value) for key, value in changes.items()}}
    return changes
