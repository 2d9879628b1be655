"""The working state of a War Room (SPB-13 to SPB-17, SPB-101), shaped for speed.

codec.py turns it into the canonical state.

Craft, mines, challenges (in book.py) and players are values that are replaced, never changed in place. `square` says
which living craft stands where, `mined` which live mines lie where; both follow from craft and mines.

`fork` gives a state that shares everything until it is written: `decide` lets events work on it and leaves the real one
alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shared.rules.space_battle.board import Square
from shared.rules.space_battle.book import Book
from shared.rules.space_battle.config import Config
from shared.rules.space_battle.gunnery import damages_of
from shared.rules.space_battle.tables import CraftClass

C, D = "C", "D"
SIDES = (C, D)
OTHER: Mapping[str, str] = {C: D, D: C}

ISSUED, ACCEPTED, REFUSED, WITHDRAWN, EXPIRED = "issued", "accepted", "refused", "withdrawn", "expired"
DEPLOYING, RUNNING, ENDED, CANCELLED = "deploying", "running", "ended", "cancelled"
STATUSES = (ISSUED, ACCEPTED, REFUSED, WITHDRAWN, EXPIRED, DEPLOYING, RUNNING, ENDED, CANCELLED)
OPEN = (ISSUED, ACCEPTED)
OF_BATTLE = (DEPLOYING, RUNNING, ENDED, CANCELLED)
"""Statuses of the challenge that became the battle (SPB-102)."""
PHASES = (DEPLOYING, RUNNING, ENDED)
BASE_DESTROYED, FLEET_DESTROYED, SURRENDER, DRAW = "base_destroyed", "fleet_destroyed", "surrender", "draw"
RESULTS = (BASE_DESTROYED, FLEET_DESTROYED, SURRENDER, DRAW, CANCELLED)


class Player(NamedTuple):
    """SPB-14: craft owned per class, all classes of the game; and experience."""

    hangar: Mapping[str, int]
    experience: int


class Challenge(NamedTuple):
    """SPB-13. Times are UTC milliseconds."""

    id: int
    challenger: str
    challenged: str
    status: str
    expires_at: int
    number: int | None = None
    proposed_time: int | None = None
    proposed_by: str | None = None
    staff_requested: bool = False
    start_time: int | None = None

    @property
    def open(self) -> bool:
        """Whether it waits for an answer or a time; it may expire."""
        return self.status in OPEN

    @property
    def players(self) -> tuple[str, str]:
        """Challenger, then challenged."""
        return self.challenger, self.challenged

    def side_of(self, player: str) -> str | None:
        """Which side somebody plays."""
        return C if player == self.challenger else D if player == self.challenged else None

    def player_of(self, side: str) -> str:
        """Who plays a side."""
        return self.challenger if side == C else self.challenged

    def other(self, player: str) -> str:
        """The other of the two."""
        return self.challenged if player == self.challenger else self.challenger


class Craft(NamedTuple):
    """SPB-15."""

    id: str
    side: str
    kind: CraftClass
    at: Square
    shots_left: int
    damage: int
    alive: bool


class Mine(NamedTuple):
    """SPB-16."""

    id: str
    side: str
    at: Square
    live: bool


class State:
    """The whole War Room."""

    __slots__ = (
        "battle",
        "challenges",
        "config",
        "craft",
        "damages",
        "forfeits",
        "lapsed",
        "mined",
        "mines",
        "move_no",
        "move_started_at",
        "moved_this_move",
        "phase",
        "players",
        "quiet_moves",
        "ready",
        "result",
        "square",
        "to_move",
        "warned",
        "winner",
    )

    def __init__(self, config: Config, players: Mapping[str, Player]) -> None:
        self.config = config
        self.damages = damages_of(config)
        """Class -> damage of its shot by distance, from distance 1 in place 1 on (SPB-52)."""
        self.players = dict(players)
        self.challenges = Book()
        self.battle: int | None = None
        """The challenge that became the battle."""
        self.phase: str | None = None
        self.ready: Mapping[str, bool] = {C: False, D: False}
        self.to_move: str | None = None
        self.move_no = 0
        self.move_started_at: int | None = None
        self.moved_this_move = False
        self.warned = False
        self.lapsed = False
        self.forfeits: Mapping[str, int] = {C: 0, D: 0}
        self.quiet_moves = 0
        self.result: str | None = None
        self.winner: str | None = None
        self.craft: dict[str, Craft] = {}
        self.mines: dict[str, Mine] = {}
        self.square: dict[Square, str] = {}
        """Square -> the living craft on it, from the start of the battle on."""
        self.mined: dict[Square, tuple[str, ...]] = {}
        """Square -> live mines on it, C's first, from the start of the battle on."""

    def fork(self) -> "State":
        """A state on which events may work without a trace in this one."""
        new = State.__new__(State)
        new.config = self.config
        new.damages = self.damages
        new.players = self.players
        new.challenges = self.challenges
        new.battle = self.battle
        new.phase = self.phase
        new.ready = self.ready
        new.to_move = self.to_move
        new.move_no = self.move_no
        new.move_started_at = self.move_started_at
        new.moved_this_move = self.moved_this_move
        new.warned = self.warned
        new.lapsed = self.lapsed
        new.forfeits = self.forfeits
        new.quiet_moves = self.quiet_moves
        new.result = self.result
        new.winner = self.winner
        new.craft = self.craft.copy()
        new.mines = self.mines
        new.square = self.square.copy()
        new.mined = self.mined
        return new

    @property
    def fought(self) -> Challenge | None:
        """The challenge that became the battle."""
        return None if self.battle is None else self.challenges[self.battle]

    def side_of(self, player: str) -> str | None:
        """Which side somebody plays in the battle; None without a battle or a part in it."""
        return None if self.battle is None else self.challenges[self.battle].side_of(player)

    def set_challenges(self, *challenges: Challenge) -> None:
        """Put challenges in their places; states that share the others keep theirs."""
        self.challenges = self.challenges.put(*challenges)
        for challenge in challenges:
            if challenge.status in OF_BATTLE:
                self.battle = challenge.id

    def set_player(self, name: str, player: Player) -> None:
        """Put a player in her place; states that share the others keep theirs."""
        self.players = {**self.players, name: player}

    def set_mine(self, mine: Mine) -> None:
        """Put a mine in its place."""
        self.mines = {**self.mines, mine.id: mine}
        self.lay_out_mines()

    def lay_out(self) -> None:
        """Find out which squares are taken and mined: when the battle starts, and when a state is read."""
        self.square = {craft.at: craft.id for craft in self.craft.values() if craft.alive}
        self.lay_out_mines()

    def lay_out_mines(self) -> None:
        """SPB-39: ids begin with the side, so that C's mine stands before D's."""
        mined: dict[Square, tuple[str, ...]] = {}
        for name in sorted(self.mines):
            if self.mines[name].live:
                at = self.mines[name].at
                mined[at] = (*mined.get(at, ()), name)
        self.mined = mined

    def living(self, side: str) -> list[Craft]:
        """Craft of a side that are not destroyed, canonical order."""
        return [craft for _, craft in sorted(self.craft.items()) if craft.side == side and craft.alive]
