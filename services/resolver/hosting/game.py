"""A game as its host holds it: the working state of the rules and what the host itself must remember.

Everything here follows from the journal alone (`folding.fold`) and is part of a snapshot (`snapshots`).
"""

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services.resolver.hosting.judged_ids import JudgedIds
from services.resolver.hosting.tally import Tally
from shared.canonical import canonical
from shared.dice import leaf
from shared.log import Mark
from shared.rules.interface import Deadline, Rules

KEEP_MS = 48 * 3_600_000
"""Ids of judged inputs are kept this long by log time, and over two resolutions if that is longer (ENG-4).

Before the first turn and after the end of the game there are no two resolutions to wait for: time alone counts.
No setting: a journal judged with another value would not replay.
"""
FORGET_EVERY_MS = 3_600_000
"""Between certificates old ids are dropped once they are so much older than they must be: many at a time."""
SMALL_STATE_BYTES = 32_768
"""A canonical state so small, once a certificate sealed it, is kept for the snapshot that follows."""
LEAVES_AT_ONCE = 16_384
"""So many leaves are hashed, and sorted, before a close asks for them: of 400,000 inputs it took a second there."""
LEAVES_A_RUN = 256
"""So many are kept sorted as they come, which a close of few inputs would do: a thirtieth of one of 50 players."""


class DeciderFailed(Exception):
    """The rules raised, or broke the decider interface; the game must be folded again from the log.

    `cause` says what happened, for operators: it may quote secrets.
    """

    def __init__(self, game: str, cause: str) -> None:
        super().__init__(f"game {game}: {cause}")
        self.game = game
        self.cause = cause


class Chain(NamedTuple):
    """One seed chain of a game (ENG-7). `salt` is 32 hex digits; `key_id` names the master key it comes from."""

    game: str
    number: int
    salt: str
    key_id: str


class PrivateInput(NamedTuple):
    """An accepted private input that no certificate covers yet."""

    id: str
    hash: str
    actor: str


class Schedule(NamedTuple):
    """Local times (HH:MM) of an IANA zone at which what is open closes, on these days (`mon` to `sun`)."""

    zone: str
    times: tuple[str, ...]
    days: tuple[str, ...]


class Opening(NamedTuple):
    """What the clock closes next, by type and payload of its input, and since when (UTC milliseconds)."""

    type: str
    payload: Mapping[str, Any]
    at: int


class Quarantine(NamedTuple):
    """Why a game stands still since `at`, and the marks, by input topic, from which its inputs are not judged."""

    cause: str
    marks: Mapping[str, Mark]
    at: int


class CertifiedState(NamedTuple):
    """Canonical JSON of the rules' state as the certificate at position `n` of the journal sealed it."""

    n: int
    json: bytes


@dataclass(slots=True)
class Creation:
    """An accepted creation whose `game.created` is still to come, with the data parts journalled so far."""

    payload: Mapping[str, Any]
    id: str
    actor: str
    salt: str
    at: int
    seq: int
    parts: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class HostedGame:
    """One game in the hands of its host. `rules` is None while no creation was accepted."""

    id: str
    kind: str = ""
    rules: Rules[Any] | None = None
    state: Any = None
    n: int = 0
    """Position of the last journal event."""
    seq: int = 0
    """Number of the last judgement."""
    public_n: int = 0
    """How many events stand in the chronicle."""
    last_at: int = 0
    """Time of the last judged input, UTC milliseconds."""
    judged: JudgedIds = field(default_factory=JudgedIds)
    chain: Chain | None = None
    next_seed: int = 1
    """Index of the seed that the next resolution reveals, 1 to 1024; 1025 between the last one and the next chain."""
    sealed: dict[str, str] = field(default_factory=dict)
    """Commitments of the sealed resolutions that are not used yet, by label."""
    sealed_keys: dict[str, str] = field(default_factory=dict)
    """Keys of the sealed resolutions that were used, until the end of the game reveals them."""
    k: int = 0
    """Number of the last certificate."""
    previous: str = ""
    """SHA-256 of the chronicle line of the last certificate, "" before the first."""
    hashed_leaves: list[str] = field(default_factory=list)
    """Leaves of inputs accepted since the last resolution, in any order,"""
    unhashed: list[tuple[str, str]] = field(default_factory=list)
    """and id and hash of the others: folding a season drops nearly all of them at the next resolution."""
    private_apart: bool = False
    """Whether commands that the rules call private are certified apart from the digests."""
    private: list[PrivateInput] = field(default_factory=list)
    """Those accepted since the last resolution, in a game that certifies them apart."""
    resolved_at: tuple[int, int] = (0, 0)
    """Times of the last resolution but one and of the last."""
    begun: bool = False
    """Whether a judgement was made while the game had a deadline, or after a resolution: before, it is a lobby."""
    tally: Tally = field(default_factory=Tally)
    creation: Creation | None = None
    announced: int = 0
    """How many events of the creation are still to come; they announce what the state holds already."""
    schedule: Schedule | None = None
    quarantined: Quarantine | None = None
    reminders: tuple[int, ...] = ()
    """Seconds before a deadline at which those whom the game waits for are reminded, the most first."""
    opening: Opening | None = None
    """Kept in a game with reminders alone."""
    reminded: tuple[int, int] | None = None
    """Deadline and seconds of the last reminder."""
    certified_state: CertifiedState | None = field(default=None, repr=False, compare=False)
    """Kept from a certificate until the next snapshot, which then need not make it again; no part of it."""

    def canonical_state(self, rules: Rules[Any]) -> bytes:
        """Canonical JSON of the state of these rules, its own."""
        if self.certified_state is not None and self.certified_state.n == self.n:
            return self.certified_state.json
        return canonical(rules.encode(self.state))

    @property
    def leaves(self) -> list[str]:
        """Leaves of the inputs accepted since the last resolution, sorted as digests are made of them."""
        self.hash_leaves()
        self.hashed_leaves.sort()  # what was sorted before is one run of it
        return self.hashed_leaves

    def take_leaf(self, id: str, hash: str) -> None:
        """An input was accepted whose leaf stands in the next digest."""
        self.unhashed.append((id, hash))
        if len(self.unhashed) == LEAVES_AT_ONCE:
            self.hash_leaves()

    def hash_leaves(self) -> None:
        """Hash the leaves that wait. Who judges does so at each input: at a deadline all games of it would wait."""
        if not self.unhashed:
            return
        leaves, before = self.hashed_leaves, len(self.hashed_leaves)
        if len(self.unhashed) == 1:
            insort(leaves, leaf(*self.unhashed[0]), before - before % LEAVES_A_RUN)
        else:
            leaves += [leaf(id, hash) for id, hash in self.unhashed]
        self.unhashed.clear()
        if len(leaves) // LEAVES_AT_ONCE > before // LEAVES_AT_ONCE:
            leaves.sort()

    def due(self) -> Deadline | None:
        """The next deadline; None while there is none, no game yet, or a quarantine. Raises DeciderFailed."""
        if self.rules is None or self.quarantined is not None:
            return None
        try:
            return self.rules.due(self.state)
        except Exception as error:
            raise DeciderFailed(self.id, f"due raised {type(error).__name__}: {error}") from error

    def over(self) -> bool:
        """True once the game has ended. Raises DeciderFailed."""
        if self.rules is None:
            return False
        try:
            return self.rules.over(self.state)
        except Exception as error:
            raise DeciderFailed(self.id, f"over raised {type(error).__name__}: {error}") from error
