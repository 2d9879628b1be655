"""The working state of GXC (GXC-13 to GXC-18), shaped for speed; codec.py turns it into the canonical state.

Territories and teams are dense integers in canonical order, -1 standing for null. Players are columns over a number
given in order of arrival, which nothing that is seen depends on. What the rules write into every player at a close
(cleared orders, lost streaks, start locations) is kept such that nobody pays for what did not happen to her.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shared.rules.gxc.board import Board
from shared.rules.gxc.config import Config
from shared.rules.gxc.geography import Geography

NOBODY = -1
"""No territory, no team: null in the canonical state."""

LOBBY, RUNNING, ENDED = "lobby", "running", "ended"
ACTIVE, ELIMINATED, DISQUALIFIED = "active", "eliminated", "disqualified"
UNPLACED, OUT, EXPELLED = "unplaced", "out", "expelled"
PLAYER_STATUSES = (UNPLACED, ACTIVE, OUT, EXPELLED)
TEAM_STATUSES = (ACTIVE, ELIMINATED, DISQUALIFIED)
COMMANDER, IMPEACH, SPY = "commander", "impeach", "spy"
POLL_KINDS = (COMMANDER, IMPEACH, SPY)
PASSED, FAILED, VOID = "passed", "failed", "void"
POLL_RESULTS = (PASSED, FAILED, VOID)
RELIABILITY, CONQUER, EMPIRE = "reliability", "conquer", "empire"
BONUSES = (RELIABILITY, CONQUER, EMPIRE)


@dataclass(slots=True)
class Order:
    """GXC-17. `move_to` and `target` are territories or NOBODY; `attack` is 0 when there is no target.

    No NamedTuple: a close reads all fields of all orders, which takes twice as long from one.
    """

    move_to: int
    target: int
    attack: int
    defend: int
    seq: int
    revealed: tuple[Any, ...] = ()
    """What `orders_revealed` will say of the order as it was given; made with it: a twentieth of a close less."""
    near: int = NOBODY
    """Where the order acts, if that is a neighbour of its target: the map never changes, so a close need not look."""
    steps: int = 0
    """Of the shortest path to `move_to`, where it was looked for with the order, else 0: so a close need not look. It
    holds while the turn is open, for it leads over own territories, and no team that goes on loses one before."""


def order_of(
    board: Board, player: str, place: int, move_to: int, target: int, attack: int, defend: int, seq: int
) -> Order:
    """The order of a player as it was given where she stands at this place."""
    names, acts_on = board.names_of, place if move_to == NOBODY else move_to
    near = acts_on if target in board.neighbours[acts_on] else NOBODY
    return Order(move_to, target, attack, defend, seq, (player, names[move_to], names[target], attack, defend), near)


class BattlePlan(NamedTuple):
    """Where the text of a team's plan is kept (GXC-15)."""

    message: str
    hash: str | None
    author: str
    seq: int


class Players:
    """All players as columns (GXC-16); the number of a player is her place in every list."""

    __slots__ = (
        "canonical_cache",
        "decided_energies",
        "decided_places",
        "displaced",
        "energized_turn",
        "energy",
        "ids",
        "index",
        "location",
        "order",
        "past",
        "start",
        "status",
        "streak",
        "streak_of",
        "team",
    )

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.index: dict[str, int] = {}
        self.team: list[int] = []
        self.status: list[str] = []
        self.location: list[int] = []
        self.energy: list[int] = []
        self.start: list[int] = []
        """`turn_start_location`."""
        self.energized_turn: list[int] = []
        self.streak: list[int] = []
        self.streak_of: list[int] = []
        """The turn that `streak` was counted in; with a later closed turn without energize it is 0 (GXC-28)."""
        self.order: list[Order | None] = []
        self.past: list[Order | None] = []
        """Orders of turns that are over, not to be read: each is freed with the next one of its player instead of all
        at a close, which takes a fortieth less."""
        self.displaced: list[int] = []
        """All whose start may differ from their location, perhaps twice: what an opening has to write (GXC-70)."""
        self.canonical_cache: list[int] | None = None
        self.decided_places: Iterator[tuple[Mapping[str, Any], int, int]] = iter(())
        """Of the close that was decided last, to be folded next: data of each event of who stands elsewhere now, her
        number and territory. So nobody is looked up by id, which took four times as long among 100,000 as among 10,000.
        Other events, those of a journal for one, are not these objects: their players are looked up."""
        self.decided_energies: Iterator[tuple[Mapping[str, int], Sequence[int]]] = iter(())
        """The same of each part of `energies`: what it tells, and the numbers of its players."""

    def forget_decided(self) -> None:
        """Whatever is folded next was not decided by the last close, or is behind it."""
        self.decided_places, self.decided_energies = iter(()), iter(())

    def add(self, player: str, team: int) -> int:
        """A new player, unplaced; returns her number."""
        number = len(self.ids)
        self.index[player] = number
        self.ids.append(player)
        self.team.append(team)
        self.status.append(UNPLACED)
        self.location.append(NOBODY)
        self.energy.append(0)
        self.start.append(NOBODY)
        self.energized_turn.append(0)
        self.streak.append(0)
        self.streak_of.append(0)
        self.order.append(None)
        self.past.append(None)
        self.canonical_cache = None
        return number

    def canonical(self) -> list[int]:
        """Numbers of all players in the order of their ids (ENG-2). Not to be changed by the caller."""
        if self.canonical_cache is None:
            self.canonical_cache = sorted(range(len(self.ids)), key=self.ids.__getitem__)
        return self.canonical_cache


@dataclass(slots=True)
class Team:
    """GXC-15. Commanders and votes are kept by player id; territories are dense integers."""

    id: str
    name: str
    status: str = ACTIVE
    eliminated_at: tuple[int, int] | None = None
    """Turn and step (GXC-93)."""
    commander_ever: bool = False
    commanders: set[str] = field(default_factory=set)
    shield_used: bool = False
    shield_turns_left: int = 0
    protected: set[int] = field(default_factory=set)
    shield_votes: dict[str, str] = field(default_factory=dict)
    """Commander -> "yes" or "no"."""
    conquered_last_turn: bool = False
    conquests_total: int = 0
    empire: int = 0
    suspended_bonuses: set[str] = field(default_factory=set)
    battle_plan: BattlePlan | None = None
    polls: int = 0
    """Polls opened so far; the next one is `<team>-<polls + 1>`."""


@dataclass(slots=True)
class Poll:
    """GXC-18. `number` counts the polls of its team from 1."""

    id: str
    team: int
    number: int
    kind: str
    target: str
    opened_turn: int
    closes_turn: int
    votes: dict[str, str] = field(default_factory=dict)
    """Player -> "yes" or "no"."""
    result: str | None = None


class Nomination(NamedTuple):
    """What a nomination is for; a record of it holds the set of nominators."""

    team: int
    kind: str
    target: str


class State:
    """The whole game (GXC-13)."""

    __slots__ = (
        "assignments",
        "board",
        "clock_closed_at",
        "closed_turn",
        "config",
        "geography_cache",
        "nominations",
        "open_polls",
        "owner",
        "phase",
        "players",
        "polls",
        "ranking",
        "team_index",
        "teams",
        "turn",
        "turn_deadline",
        "turn_opened_at",
        "winner",
    )

    def __init__(self, board: Board, teams: list[Team], config: Config) -> None:
        self.board = board
        self.config = config
        self.teams = teams
        """In canonical order of their ids."""
        self.team_index = {team.id: number for number, team in enumerate(teams)}
        self.owner: list[int] = [NOBODY] * len(board.ids)
        """Territory -> team or NOBODY."""
        self.players = Players()
        self.assignments: dict[str, str] = {}
        """Player id -> team id, where `team_choice` is `assigned`."""
        self.phase = LOBBY
        self.turn = 0
        self.turn_opened_at: int | None = None
        self.turn_deadline: int | None = None
        self.clock_closed_at: int | None = None
        """Deadline at which the clock last closed a turn (GXC-106)."""
        self.closed_turn = 0
        """The turn that closed last; not in the canonical state, `turn` and `phase` tell it."""
        self.winner: str | None = None
        self.ranking: list[dict[str, Any]] = []
        self.nominations: dict[Nomination, list[str]] = {}
        """Nominators in canonical order."""
        self.polls: dict[str, Poll] = {}
        self.open_polls: dict[str, Poll] = {}
        """Those of `polls` without a result."""
        self.geography_cache: Geography | None = None

    @property
    def geography(self) -> Geography:
        """Groups and paths on the present owners, kept until an owner changes."""
        if self.geography_cache is None:
            self.geography_cache = Geography(self.board, self.owner)
        return self.geography_cache

    def streak(self, player: int) -> int:
        """Consecutive energized turns as the rules count them now (GXC-28, GXC-69)."""
        players = self.players
        return players.streak[player] if players.streak_of[player] >= self.closed_turn else 0

    def territories_of(self, team: int) -> list[int]:
        """The territories of a team, canonical order."""
        return [territory for territory, owner in enumerate(self.owner) if owner == team]

    def active(self, player: int) -> bool:
        return self.players.status[player] == ACTIVE
