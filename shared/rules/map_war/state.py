"""The working state of Map War 3 (MAP-14 to MAP-18), shaped for speed; codec.py turns it into the canonical state.

Zones are dense integers in canonical order with a column for each field; nations are named by id. What stands in a
column or a table is replaced, never changed in place: `fork` copies the tables alone, and a nation is written through
`edit`, which copies a shared one first.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.rules.map_war.board import Board
from shared.rules.map_war.config import Config
from shared.rules.map_war.stations import Stations
from shared.rules.map_war.tables import NOTHING_BUILT, Levels

START, ORDERS, FIX, ENDED = "start", "orders", "fix", "ended"
PHASES = (START, ORDERS, FIX, ENDED)
PLAYER, NPC, RULERLESS, BARBARIA = "player", "npc", "rulerless", "barbaria"
NATION_KINDS = (PLAYER, NPC, RULERLESS, BARBARIA)
BARBARIANS = "barbaria"
"""Id of the nation Barbaria (MAP-105)."""
BARBARIAN_COLOR = "#C0C0C0"
ACTIVE, ELIMINATED = "active", "eliminated"
CHOOSING, PLAYING, LEFT_OUT = "choosing", "playing", "left_out"
PLAYER_STATUSES = (CHOOSING, PLAYING, LEFT_OUT)
ARMY, SHIP = "army", "ship"
AGREEMENT, EXCHANGE, SALE = "agreement", "exchange", "sale"
OFFERED, RUNNING, DONE, VOID = "offered", "active", "done", "void"
DEAL_STATUSES = (OFFERED, RUNNING, DONE, VOID)


class Stocks(NamedTuple):
    """Currency, resources, food and technology in cents."""

    currency: int = 0
    resources: int = 0
    food: int = 0
    technology: int = 0


class Construction(NamedTuple):
    """MAP-112: the level that is being built, instalments paid, and how many there are."""

    level: int
    step: int
    steps: int


class Piece(NamedTuple):
    """MAP-17. The zone of an army aboard is the ship's (MAP-105)."""

    id: int
    kind: str
    nation: str
    zone: int
    aboard: int | None
    moved_turn: int


class Deal(NamedTuple):
    """MAP-18. `giver` and `taker` are `a` and `b` of an agreement, `from` and `to` of the others."""

    id: int
    kind: str
    giver: str
    taker: str
    status: str
    terms: Mapping[str, Any]
    """`good` of an agreement; `give` and `get` of an exchange; of a sale `good` and `amount`, or `zone`."""
    until_turn: int | None = None
    accepted_seq: int | None = None
    begun_turn: int | None = None
    """Turn in which an agreement began to be in force, and was told to all (MAP-83, MAP-97)."""
    ends_turn: int | None = None
    """Last turn in which it counts, once a side has ended it (MAP-74)."""


class Nation:
    """MAP-16. `submission` is replaced, never changed in place."""

    __slots__ = (
        "color",
        "currency_last_turn",
        "decaying",
        "eliminated_turn",
        "founded_turn",
        "hungry",
        "id",
        "kind",
        "missed",
        "name",
        "ownerless_since",
        "player",
        "status",
        "stocks",
        "submission",
    )

    def __init__(self, id_: str, kind: str, player: str | None, name: str, color: str, founded_turn: int) -> None:
        self.id = id_
        self.kind = kind
        self.player = player
        self.name = name
        self.color = color
        self.founded_turn = founded_turn
        """Turn in which it began; its orders are waited for from the next (MAP-106)."""
        self.stocks = Stocks()
        self.hungry = False
        self.ownerless_since: int | None = None
        self.decaying = False
        self.missed = 0
        self.status = ACTIVE
        self.eliminated_turn: int | None = None
        self.currency_last_turn = 0
        self.submission: Mapping[str, Any] | None = None

    def copy(self) -> "Nation":
        """A nation of its own values."""
        new = Nation(self.id, self.kind, self.player, self.name, self.color, self.founded_turn)
        new.stocks = self.stocks
        new.hungry = self.hungry
        new.ownerless_since = self.ownerless_since
        new.decaying = self.decaying
        new.missed = self.missed
        new.status = self.status
        new.eliminated_turn = self.eliminated_turn
        new.currency_last_turn = self.currency_last_turn
        new.submission = self.submission
        return new

    @property
    def protected(self) -> bool:
        """MAP-68: it cannot be attacked before its decay has begun."""
        return self.kind == RULERLESS and not self.decaying

    @property
    def faulty(self) -> bool:
        """Whether its submission has faults (MAP-80)."""
        return self.submission is not None and bool(self.submission["faults"])


class State:
    """The whole game (MAP-14)."""

    __slots__ = (
        "acquired_turn",
        "began_with",
        "board",
        "building",
        "config",
        "deadline",
        "deals",
        "home_of",
        "levels",
        "live_deals",
        "nations",
        "opened_at",
        "owner",
        "phase",
        "piece_points",
        "pieces",
        "pieces_made",
        "players",
        "pollution",
        "ranking",
        "riot_count",
        "shared",
        "stations",
        "turn",
        "winner",
    )

    def __init__(self, board: Board, config: Config) -> None:
        self.board = board
        self.config = config
        self.phase = START
        self.turn = 1
        self.opened_at: int | None = None
        """None before `start_game` (MAP-106)."""
        self.deadline: int | None = None
        self.winner: str | None = None
        self.ranking: list[str] = []
        self.began_with = 0
        """Player nations at the close of turn 1 (MAP-95)."""
        count = len(board.ids)
        self.owner: list[str | None] = [None] * count
        self.levels: list[Levels] = [NOTHING_BUILT] * count
        self.building: dict[int, Mapping[str, Construction]] = {}
        """Zone -> structure -> its construction; zones where nothing is being built are absent."""
        self.pollution = [0] * count
        self.acquired_turn: list[int | None] = [None] * count
        self.home_of: list[str | None] = [None] * count
        self.riot_count = [0] * count
        self.piece_points = [0] * count
        self.players: dict[str, str] = {}
        """Account -> whether it still chooses, plays, or was left out (MAP-106)."""
        self.nations: dict[str, Nation] = {}
        self.pieces: dict[int, Piece] = {}
        self.pieces_made = 0
        self.stations = Stations()
        self.deals: dict[int, Deal] = {}
        self.live_deals: dict[int, None] = {}
        """Deals that are offered or active, ascending."""
        self.shared: set[str] | None = None
        """Nations that still are those of the state that was forked; None in the real state."""

    def fork(self) -> "State":
        """A state on which events may work without a trace in this one."""
        new = State.__new__(State)
        new.board = self.board
        new.config = self.config
        new.phase = self.phase
        new.turn = self.turn
        new.opened_at = self.opened_at
        new.deadline = self.deadline
        new.winner = self.winner
        new.ranking = self.ranking
        new.began_with = self.began_with
        new.owner = self.owner.copy()
        new.levels = self.levels.copy()
        new.building = self.building.copy()
        new.pollution = self.pollution.copy()
        new.acquired_turn = self.acquired_turn.copy()
        new.home_of = self.home_of.copy()
        new.riot_count = self.riot_count.copy()
        new.piece_points = self.piece_points.copy()
        new.players = self.players.copy()
        new.nations = self.nations.copy()
        new.pieces = self.pieces.copy()
        new.pieces_made = self.pieces_made
        new.stations = self.stations.copy()
        new.deals = self.deals.copy()
        new.live_deals = self.live_deals.copy()
        new.shared = set(self.nations)
        return new

    def edit(self, nation: str) -> Nation:
        """A nation, to be written."""
        if self.shared is not None and nation in self.shared:
            self.shared.discard(nation)
            self.nations[nation] = self.nations[nation].copy()
        return self.nations[nation]

    def set_deal(self, deal: Deal) -> None:
        """Put a deal in the place of the one of its number."""
        self.deals[deal.id] = deal
        if deal.status in (OFFERED, RUNNING):
            self.live_deals[deal.id] = None
        else:
            self.live_deals.pop(deal.id, None)

    def live(self) -> list[Deal]:
        """Deals that are offered or active, by number."""
        return [self.deals[number] for number in self.live_deals]

    def zones_of(self, nation: str) -> list[int]:
        """The zones of a nation, canonical order."""
        return [zone for zone, owner in enumerate(self.owner) if owner == nation]

    def canonical_nations(self) -> Iterator[Nation]:
        """Nations by id (ENG-2)."""
        for id_ in sorted(self.nations):
            yield self.nations[id_]

    def player_nations(self) -> list[Nation]:
        """Active nations with a player, by id."""
        return [item for item in self.canonical_nations() if item.kind == PLAYER and item.status == ACTIVE]

    def waited_for(self) -> list[Nation]:
        """Player nations whose orders the turn needs (MAP-81, MAP-106)."""
        return [nation for nation in self.player_nations() if nation.founded_turn < self.turn or self.turn == 1]

    def set_piece(self, piece: Piece) -> None:
        """Put a piece in the place of the one of its number, with the armies aboard."""
        self._unlist(piece.id)
        self.pieces[piece.id] = piece
        if piece.kind == ARMY:
            self.stations.enter(piece.id, piece.zone, piece.aboard)
        for army in self.stations.aboard.get(piece.id, ()):
            self.pieces[army] = self.pieces[army]._replace(zone=piece.zone)

    def remove_piece(self, number: int) -> None:
        """Take a piece from the map."""
        self._unlist(number)
        del self.pieces[number]

    def _unlist(self, number: int) -> None:
        piece = self.pieces.get(number)
        if piece is not None and piece.kind == ARMY:
            self.stations.leave(piece.id, piece.zone, piece.aboard)

    def armies_in(self, zone: int) -> list[Piece]:
        """Armies on land in a zone, by id."""
        return [self.pieces[number] for number in self.stations.on_land.get(zone, ())]

    def aboard_of(self, ship: int) -> list[Piece]:
        """Armies aboard a ship, by id."""
        return [self.pieces[number] for number in self.stations.aboard.get(ship, ())]
