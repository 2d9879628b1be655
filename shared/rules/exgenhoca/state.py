"""The working state of Exgenhoca Wars (EXG-13 to EXG-15), shaped for speed; codec.py turns it into the canonical state.

Territories and continents are dense integers in canonical order, players are referred to by seat, 1 to n; an owner is a
seat or NOBODY. How many territories of each continent a player holds is counted along with the owners.

`fork` gives a state that shares everything until it is written: `decide` lets events work on it and leaves the real
one alone. A player is written through `edit` alone, which copies a shared one first.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.exgenhoca.board import Board
from shared.rules.exgenhoca.config import Config
from shared.rules.exgenhoca.objectives import substitute_of

NOBODY = 0
"""No owner: null in the canonical state."""

LOBBY, RUNNING, ENDED = "lobby", "running", "ended"
ACTIVE, ELIMINATED = "active", "eliminated"
SWAP, LOSS = "swap", "loss"
CHOICES = (SWAP, LOSS)
OBJECTIVE, LAST_SURVIVOR, MAX_ROUNDS, NO_SURVIVOR = "objective", "last_survivor", "max_rounds", "nobody"
END_REASONS = (OBJECTIVE, LAST_SURVIVOR, MAX_ROUNDS, NO_SURVIVOR)
OFF, NEXT = "off", "next"


class Spread(NamedTuple):
    """At least `each` territories in at least `continents` continents."""

    continents: int
    each: int


class Objective(NamedTuple):
    """EXG-60. `continents` are numbers of continents; 0, empty and None ask for nothing."""

    id: str
    continents: tuple[int, ...]
    extra_continents: int
    min_total: int
    spread: Spread | None
    eliminate: int | None


class Item(NamedTuple):
    """A prize in an inventory with the rounds in which it may be used; `usable_to` None: no time limit."""

    effect: str
    usable_from: int
    usable_to: int | None

    def usable(self, round_: int) -> bool:
        return self.usable_from <= round_ and (self.usable_to is None or round_ <= self.usable_to)


class Window(NamedTuple):
    """First and last round of a penalty."""

    first: int
    last: int


class Penalties(NamedTuple):
    """EXG-15. The first five count penalties, an N4 as one."""

    minus_attack: int = 0
    minus_defence: int = 0
    fewer_attacks_next: int = 0
    skip_next: int = 0
    stored_continent_loss: int = 0
    no_repeat: Window | None = None
    continents_off: Window | None = None


class Policy(NamedTuple):
    """EXG-47. Territories are numbers; `sa_give` is in order of preference."""

    defence_plus5: str | tuple[int, ...] = OFF
    defence_rerolls: int = 0
    sa_give: tuple[int, ...] = ()


NO_PENALTIES = Penalties()
DEFAULT_POLICY = Policy()


class Player:
    """EXG-15. `inventory` is replaced, never changed in place."""

    __slots__ = (
        "attacked_this_round",
        "attacks_left",
        "attacks_made",
        "conquests",
        "cooldown",
        "counts",
        "counts_idle",
        "eliminated_at",
        "eliminated_by",
        "global_attacks",
        "id",
        "idle_row",
        "idle_total",
        "inventory",
        "objective",
        "passed",
        "penalties",
        "pending",
        "policy",
        "repeat_used",
        "seat",
        "status",
        "total",
    )

    def __init__(self, seat: int, id_: str, continents: int) -> None:
        self.seat = seat
        self.id = id_
        self.status = ACTIVE
        self.eliminated_at: tuple[int, int] | None = None
        """Round, and order within it."""
        self.eliminated_by: int | None = None
        self.objective: Objective | None = None
        self.attacks_left = 0
        self.global_attacks = 0
        self.attacks_made = 0
        self.repeat_used = False
        self.cooldown: dict[int, int] = {}
        """Territory -> last round in which it was attacked (EXG-25)."""
        self.attacked_this_round: set[int] = set()
        self.idle_row = 0
        self.idle_total = 0
        self.passed = False
        self.inventory: tuple[Item, ...] = ()
        self.penalties = NO_PENALTIES
        self.counts_idle = False
        self.pending: str | None = None
        self.policy = DEFAULT_POLICY
        self.conquests = 0
        self.counts = [0] * continents
        """Continent -> territories held there."""
        self.total = 0
        """Territories held."""

    def copy(self) -> "Player":
        """A player of her own values; what is only ever replaced is shared. Written out: every conquest copies two."""
        new = Player.__new__(Player)
        new.seat = self.seat
        new.id = self.id
        new.status = self.status
        new.eliminated_at = self.eliminated_at
        new.eliminated_by = self.eliminated_by
        new.objective = self.objective
        new.attacks_left = self.attacks_left
        new.global_attacks = self.global_attacks
        new.attacks_made = self.attacks_made
        new.repeat_used = self.repeat_used
        new.idle_row = self.idle_row
        new.idle_total = self.idle_total
        new.passed = self.passed
        new.inventory = self.inventory
        new.penalties = self.penalties
        new.counts_idle = self.counts_idle
        new.pending = self.pending
        new.policy = self.policy
        new.conquests = self.conquests
        new.total = self.total
        new.cooldown = self.cooldown.copy()
        new.attacked_this_round = self.attacked_this_round.copy()
        new.counts = self.counts.copy()
        return new

    @property
    def can_act(self) -> bool:
        """Whether the round waits for her attacks (EXG-49)."""
        return self.status == ACTIVE and not self.passed and (self.attacks_left > 0 or self.global_attacks > 0)


class State:
    """The whole game (EXG-13)."""

    __slots__ = (
        "attack_count",
        "board",
        "config",
        "end_reason",
        "index",
        "owner",
        "phase",
        "players",
        "points",
        "ranking",
        "round",
        "round_deadline",
        "round_opened_at",
        "shared",
        "token",
        "winner",
    )

    def __init__(self, board: Board, ids: list[str], config: Config) -> None:
        self.board = board
        self.config = config
        self.players = [Player(seat, id_, len(board.sizes)) for seat, id_ in enumerate(ids, 1)]
        """By seat; the player of seat s is number s - 1."""
        self.index: Mapping[str, int] = {id_: seat for seat, id_ in enumerate(ids, 1)}
        """Player id -> seat."""
        self.owner = [NOBODY] * len(board.ids)
        self.token: list[str | None] = [None] * len(board.ids)
        self.phase = LOBBY
        self.round = 0
        self.round_opened_at: int | None = None
        self.round_deadline: int | None = None
        self.attack_count = 0
        self.winner: int | None = None
        self.end_reason: str | None = None
        self.ranking: list[int] = []
        self.points: dict[int, int] = {}
        self.shared: list[bool] | None = None
        """By seat - 1, whether the player still is that of the state that was forked; None in the real state."""

    def fork(self) -> "State":
        """A state on which events may work without a trace in this one."""
        new = State.__new__(State)
        new.board = self.board
        new.config = self.config
        new.index = self.index
        new.phase = self.phase
        new.round = self.round
        new.round_opened_at = self.round_opened_at
        new.round_deadline = self.round_deadline
        new.attack_count = self.attack_count
        new.winner = self.winner
        new.end_reason = self.end_reason
        new.ranking = self.ranking
        new.points = self.points
        new.owner = self.owner.copy()
        new.token = self.token.copy()
        new.players = self.players.copy()
        new.shared = [True] * len(self.players)
        return new

    def edit(self, seat: int) -> Player:
        """The player of a seat, to be written."""
        shared = self.shared
        if shared is not None and shared[seat - 1]:
            shared[seat - 1] = False
            self.players[seat - 1] = self.players[seat - 1].copy()
        return self.players[seat - 1]

    def set_owner(self, territory: int, seat: int) -> None:
        """Give a territory to a seat or NOBODY, and count."""
        continent, before = self.board.continent[territory], self.owner[territory]
        if before:
            player = self.edit(before)
            player.counts[continent] -= 1
            player.total -= 1
        if seat:
            player = self.edit(seat)
            player.counts[continent] += 1
            player.total += 1
        self.owner[territory] = seat

    def territories_of(self, seat: int) -> list[int]:
        """The territories of a seat, canonical order."""
        return [territory for territory, owner in enumerate(self.owner) if owner == seat]

    def active(self) -> list[Player]:
        """Active players by seat."""
        return [player for player in self.players if player.status == ACTIVE]

    @property
    def starting(self) -> int:
        """Territories that everybody starts with (EXG-17)."""
        return self.config.shared_territories // len(self.players)

    @property
    def substitute(self) -> int:
        """G, the territories asked for in place of a rival (EXG-61)."""
        return substitute_of(self.config.objective_set, self.starting)


def objective_of(board: Board, given: Mapping[str, Any]) -> Objective:
    """An objective as state and events have it, in numbers."""
    spread = given["spread"]
    return Objective(
        given["id"],
        tuple(board.continent_index[item] for item in given["continents"]),
        given["extra_continents"],
        given["min_total"],
        None if spread is None else Spread(spread["continents"], spread["each"]),
        given["eliminate"],
    )
