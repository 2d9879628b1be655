"""What a check finds, and what all of them know of the installation."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from shared.config import Settings

Level = Literal["fault", "note"]
FAULT: Level = "fault"
NOTE: Level = "note"
AWAY = "servers"
"""The check that servers which cannot be reached fail: what they hold was not looked at."""


class Finding(NamedTuple):
    """One thing that was found: where, whether it must be mended, what it is, and what to do about it."""

    check: str
    level: Level
    said: str
    help: str


@dataclass(slots=True)
class GameSurvey:
    """What the journal says of one game. `key_id` is that of its last chain, "" before its creation."""

    n: int = 0
    public_n: int = 0
    key_id: str = ""
    quarantined: str | None = None
    talked: bool = False
    """Whether an input that was judged here has its text in the message store."""
    talked_elsewhere: bool = False
    """Whether one was judged in the house that the game comes from."""


@dataclass(slots=True)
class Survey:
    """What one walk through the journal brought, and what was wrong with it."""

    games: dict[str, GameSurvey] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def talked(self) -> bool:
        """Whether any input has its text in the message store."""
        return any(game.talked for game in self.games.values())

    @property
    def talked_elsewhere(self) -> bool:
        """Whether texts of any game stayed in the house that it comes from."""
        return any(game.talked_elsewhere for game in self.games.values())


@dataclass(frozen=True, slots=True)
class Case:
    """What every check gets. `now` is UTC milliseconds."""

    settings: Settings
    now: int
    survey: Survey
