"""A small table for tests of GXC: a game, its state, and every promise of the decider checked at each command."""

from collections.abc import Mapping
from typing import Any

from shared.canonical import canonical
from shared.dice import Script, Stream
from shared.rules.gxc import RULES
from shared.rules.gxc.state import State
from shared.rules.interface import RESOLVED, Event, Input, Refusal, Resolution, Role
from shared.rules.shapes import fault

DAY_MS = 86_400_000


class CountingStream(Stream):
    """A stream that tells draws of exchanges from the others."""

    __slots__ = ("_dice",)

    def __init__(self, dice: "CountingDice", seed: bytes, scope: str) -> None:
        super().__init__(seed, scope)
        self._dice = dice

    def contest(self, first: int, second: int, below: int) -> tuple[int, int]:
        before = self.draws
        left = super().contest(first, second, below)
        self._dice.exchanges += self.draws - before
        return left


class CountingDice:
    """Real dice from a fixed seed that count the exchanges."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.exchanges = 0
        self.scopes: list[str] = []

    def resolve(self, label: str, /) -> Resolution:
        return _Streams(self, f"{self._seed}|{label}".encode())

    def seal(self, label: str, /) -> Resolution:
        raise LookupError(label)


class _Streams:
    def __init__(self, dice: CountingDice, seed: bytes) -> None:
        self._dice = dice
        self._seed = seed

    def stream(self, scope: str, /) -> CountingStream:
        self._dice.scopes.append(scope)
        return CountingStream(self._dice, self._seed, scope)


class ScriptedDice:
    """Every scope draws from one script."""

    def __init__(self, *draws: int) -> None:
        self.script = Script(draws)

    def resolve(self, label: str, /) -> Resolution:
        return self

    def seal(self, label: str, /) -> Resolution:
        raise LookupError(label)

    def stream(self, scope: str, /) -> Script:
        return self.script


def territory(*neighbours: str, x: int = 0, y: int = 0, special: str | None = None) -> dict[str, Any]:
    """One territory of a creation."""
    return {"name": "", "neighbours": list(neighbours), "centroid": {"x": x, "y": y}, "special": special}


def creation(
    territories: Mapping[str, Any], teams: Mapping[str, list[str]], config: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The creation of a game without recruitment."""
    return {
        "map": {"territories": dict(territories)},
        "teams": {team: {"name": team, "territories": owned} for team, owned in teams.items()},
        "config": {"recruitment_turns": 0, **(config or {})},
        **more,
    }


class Game:
    """One game; `say` gives the code or `accepted`."""

    def __init__(self, create: Mapping[str, Any], seed: int = 1, *, checked: bool = True) -> None:
        """Without `checked` the state is not compared at every command: for games of many players."""
        self.checked = checked
        begun = RULES.initial(Input("create", "g", "operator", "operator", "create_game", create, "", 0, 1))
        assert not isinstance(begun, Refusal), begun
        self.state: State = begun[0]
        self.dice = CountingDice(seed)
        self.at = 0
        self.seq = 1
        self.events: list[Event] = list(begun[1])
        """Events of the last command."""
        self.refusal: Refusal | None = None
        for event in self.events:
            check_form(event)

    @property
    def canonical(self) -> dict[str, Any]:
        return RULES.encode(self.state)

    def give(self, **changes: Any) -> None:
        """Merge changes into the canonical state: maps key by key, anything else replaced."""
        self.state = RULES.decode(_merged(self.canonical, changes))

    def say(self, actor: str, type_: str, /, role: Role | None = None, **payload: Any) -> str:
        """Judge one command: the state is as before until the events are applied, and the events have their form."""
        at = payload.pop("at", self.at + 1)
        dice = payload.pop("dice", self.dice)
        self.seq += 1
        who: Role = role or ("operator" if actor == "operator" else "clock" if actor == "clock" else "player")
        command = Input(f"i{self.seq}", "g", actor, who, type_, payload, "", at, self.seq)
        before = canonical(RULES.encode(self.state)) if self.checked else b""
        answer = RULES.decide(self.state, command, dice)
        if self.checked:
            assert canonical(RULES.encode(self.state)) == before, "decide changed the state"
        self.at = max(self.at, at)
        if isinstance(answer, Refusal):
            assert answer.code in RULES.errors or answer.code in COMMON_CODES, answer
            assert answer.detail
            self.refusal, self.events = answer, []
            return answer.code
        assert [event.type for event in answer].count(RESOLVED) == (type_ == "close_turn")
        self.events = [event for event in answer if event.type != RESOLVED]
        for event in self.events:
            check_form(event)
            self.state = RULES.evolve(self.state, event)
        again = RULES.encode(self.state) if self.checked else {}
        if self.checked:
            assert RULES.encode(RULES.decode(again)) == again, "the codec lost something"
        return "accepted"

    def close(self, *draws: int) -> list[Event]:
        """The clock closes the turn at its deadline; with draws, by this script."""
        due = RULES.due(self.state)
        assert due is not None
        dice = ScriptedDice(*draws) if draws else self.dice
        assert self.say("clock", due.type, at=due.at, dice=dice, **due.payload) == "accepted"
        return self.events

    def settle(self, **places: str) -> None:
        """Players named `<team>_<n>` join, are placed and the game starts; all energize."""
        for player, place in places.items():
            assert self.say(player, "join", team=player.split("_")[0]) == "accepted"
            assert self.say(player, "place", territory=place) == "accepted"
        assert self.say("operator", "start_game") == "accepted"
        for player in places:
            assert self.say(player, "energize") == "accepted"

    def of(self, type_: str) -> list[Mapping[str, Any]]:
        """Data of the last command's events of one type."""
        return [event.data for event in self.events if event.type == type_]


COMMON_CODES = frozenset(
    {"malformed", "game_over", "not_authorised", "unknown_id", "wrong_phase", "wrong_turn", "not_active"}
)
"""Codes of ENG-5 that every game has."""


def check_form(event: Event) -> None:
    """The event is in the catalogue, in its form, and its canonical JSON stays below 256 KB."""
    assert fault(RULES.events[event.type].data, event.data, event.type) is None
    assert len(canonical(event.data)) < 256 * 1024
    if "operators" not in RULES.events[event.type].summary.lower():
        assert event.to, f"{event.type} must have an audience"
        assert "seq" not in event.data, f"{event.type} tells seq (GXC-100)"


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    return {
        key: _merged(old[key], new[key]) if key in old and key in new else {**old, **new}[key] for key in {**old, **new}
    }
