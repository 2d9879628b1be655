"""The working state of FORCES (FOR-15 to FOR-17), shaped for speed; codec.py turns it into the canonical state.

Zones are dense integers in canonical order; an owner is a seat or NOBODY. What a seat owns, what that brings
and the free land are counted along with the changes.

`fork` gives a state on which events may work without a trace in the real one.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.forces.board import Board
from shared.rules.forces.config import Config
from shared.rules.forces.tables import NONE, Counts

NOBODY = 0
"""No owner: null in the canonical state."""

LOBBY, PICKING, CAPITALS, YEAR, ENDED = "lobby", "picking", "capitals", "year", "ended"
PHASES = (LOBBY, PICKING, CAPITALS, YEAR, ENDED)
OPEN_PHASES = (PICKING, CAPITALS, YEAR)
"""Phases that `close_phase` closes."""
ACTIVE, ELIMINATED = "active", "eliminated"
LAST_PLAYER, NO_PLAYER = "last_player", "nobody"
ENDINGS = (LAST_PLAYER, NO_PLAYER, "capitals", "income", "zones", "cash")
"""FOR-101."""


class Submission(NamedTuple):
    """FOR-21: the two lists as they were submitted, never changed; `seq` is the number of the judgement."""

    purchases: tuple[Mapping[str, Any], ...] = ()
    moves: tuple[Mapping[str, Any], ...] = ()
    seq: int = 0


class Player:
    """FOR-17. `joined` counts the accepted joins; the last two are counted along, not told by the canonical state."""

    __slots__ = (
        "capital",
        "credits",
        "eliminated_year",
        "id",
        "income",
        "joined",
        "last_income",
        "seat",
        "status",
        "submission",
        "zones",
    )

    def __init__(self, id_: str, joined: int) -> None:
        self.id = id_
        self.joined = joined
        self.seat = 0
        """0 in the lobby, where nobody has one."""
        self.status = ACTIVE
        self.eliminated_year: int | None = None
        self.credits = 0
        self.capital: int | None = None
        self.submission: Submission | None = None
        self.last_income = 0
        self.zones = 0
        """Land zones owned."""
        self.income = 0
        """Sum of their incomes."""

    def copy(self) -> "Player":
        new = Player(self.id, self.joined)
        new.seat = self.seat
        new.status = self.status
        new.eliminated_year = self.eliminated_year
        new.credits = self.credits
        new.capital = self.capital
        new.submission = self.submission
        new.last_income = self.last_income
        new.zones = self.zones
        new.income = self.income
        return new


class State:
    """The whole game."""

    __slots__ = (
        "board",
        "condition",
        "config",
        "deadline",
        "factory",
        "forces",
        "free",
        "opened_at",
        "owner",
        "phase",
        "pick_index",
        "picked",
        "players",
        "ranking",
        "seats",
        "winner",
        "year",
    )

    def __init__(self, board: Board, config: Config) -> None:
        self.board = board
        self.config = config
        self.phase = LOBBY
        self.year: int | None = None
        self.opened_at: int | None = None
        """When the open pick, phase or year was opened."""
        self.deadline: int | None = None
        self.pick_index = 0
        self.owner = [NOBODY] * len(board.ids)
        self.factory = list(board.factory)
        self.picked = [False] * len(board.ids)
        """Whether a zone was picked once: its start Forces stand there no more (FOR-25, FOR-102)."""
        self.forces: list[dict[int, list[int]]] = [{} for _ in board.ids]
        """Zone -> seat -> combat Forces, those with any alone."""
        self.players: dict[str, Player] = {}
        """By id, in the order of joining."""
        self.seats: list[Player] = []
        """By seat; the player of seat s is number s - 1. Empty in the lobby."""
        self.free = len(board.land_zones)
        """Land zones without an owner."""
        self.winner: list[int] = []
        self.condition: str | None = None
        self.ranking: list[list[int]] = []

    def fork(self) -> "State":
        """A state of its own values, but for the map and what is only ever replaced."""
        new = State.__new__(State)
        new.board, new.config = self.board, self.config
        new.phase, new.year = self.phase, self.year
        new.opened_at, new.deadline = self.opened_at, self.deadline
        new.pick_index = self.pick_index
        new.owner, new.factory, new.picked = self.owner.copy(), self.factory.copy(), self.picked.copy()
        new.forces = [{seat: counts.copy() for seat, counts in held.items()} for held in self.forces]
        new.players = {id_: player.copy() for id_, player in self.players.items()}
        new.seats = [new.players[player.id] for player in self.seats]
        new.free = self.free
        new.winner, new.condition, new.ranking = self.winner, self.condition, self.ranking
        return new

    def set_owner(self, zone: int, seat: int) -> None:
        """Give a land zone to a seat or NOBODY, and count."""
        before, income = self.owner[zone], self.board.income[zone]
        if before:
            self.seats[before - 1].zones -= 1
            self.seats[before - 1].income -= income
        else:
            self.free -= 1
        if seat:
            self.seats[seat - 1].zones += 1
            self.seats[seat - 1].income += income
        else:
            self.free += 1
        self.owner[zone] = seat

    def set_forces(self, zone: int, seat: int, counts: Counts) -> None:
        """Put just these combat Forces of a seat into a zone."""
        held = self.forces[zone]
        if any(counts):
            held[seat] = list(counts)
        else:
            held.pop(seat, None)

    def set_count(self, zone: int, seat: int, type_: int, count: int) -> None:
        """Let just so many Forces of one type of a seat stand in a zone; every move does so twice."""
        held = self.forces[zone]
        counts = held.get(seat)
        if counts is None:
            counts = held[seat] = list(NONE)
        counts[type_] = count
        if not count and not any(counts):
            del held[seat]

    def foreign_in(self, zone: int, seat: int) -> bool:
        """Whether combat Forces of others than this seat stand in a zone; everybody else is hostile (FOR-40)."""
        held = self.forces[zone]
        return len(held) > 1 or (len(held) == 1 and seat not in held)

    def forces_of(self, seat: int) -> int:
        """How many combat Forces a seat has."""
        return sum(sum(held[seat]) for held in self.forces if seat in held)

    def zones_of(self, seat: int) -> list[int]:
        """The zones of a seat, canonical order."""
        return [zone for zone, owner in enumerate(self.owner) if owner == seat]

    def active(self) -> list[Player]:
        """Active players by seat."""
        return [player for player in self.seats if player.status == ACTIVE]

    def owns_capital(self, player: Player) -> bool:
        """FOR-28, FOR-67; a capital that was never chosen is owned by nobody."""
        return player.capital is not None and self.owner[player.capital] == player.seat
