"""The event log port: six topics of 12 partitions, appended to, read in order, and one atomic unit of outcome.

Words used by every adapter and caller:
- *record*: one entry of a topic's partition; its *offset* grows, not necessarily by one.
- *mark*: the next offset to read and the last `at` seen, per topic and partition. A mark names what comes next.
- `at`: UTC milliseconds at which the log took a record, never less than that of the record before it in its partition.
- *tick*: a record of an input topic without input; it only shows that time has passed.
- *ownership*: the right to write the outcome of one partition; taking it over fences the former owner.
- *committed*: readers see a commit whole or not at all.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

INPUT_TOPICS = ("orders", "trades", "votes")
"""Topics of inputs, in the order that breaks ties of `at` when they are merged."""
TURNS = "turns"
CHRONICLE = "chronicle"
DEAD_LETTERS = "dead-letters"
PARTITIONS = 12
MAX_RECORD_BYTES = 900_000


class TopicPartition(NamedTuple):
    """One partition of one topic."""

    topic: str
    partition: int


class Mark(NamedTuple):
    """Where a reader stands: the next offset to read, and the last `at` it has seen (0 at the start)."""

    offset: int
    at: int


START = Mark(0, 0)


class Draft(NamedTuple):
    """A record to be appended. `key` is the game id and chooses the partition; a draft has at most 900 KB."""

    key: str
    value: bytes
    headers: Mapping[str, str]


class Record(NamedTuple):
    """A record as it was read. `signer` is the key id of a valid signature, None if there is none (forged)."""

    topic: str
    partition: int
    offset: int
    at: int
    key: str
    value: bytes
    headers: Mapping[str, str]
    signer: str | None

    @property
    def tick(self) -> bool:
        """True for a genuine tick."""
        return self.signer == TICKS


TICKS = "ticks"
"""Key id that signs ticks."""


class Coordinates(NamedTuple):
    """Where an appended record stands, and its time."""

    topic: str
    partition: int
    offset: int
    at: int


class Outcome(NamedTuple):
    """One atomic unit: records of one partition's turns, chronicle and dead letters, and the marks reached by reading.

    `marks` has one entry per input topic of that partition. An outcome without records still moves the marks.
    """

    turns: Sequence[Draft]
    chronicle: Sequence[Draft]
    dead_letters: Sequence[Draft]
    marks: Mapping[str, Mark]


class LogError(Exception):
    """Base of what a log raises; not raised itself."""


class LogUnavailable(LogError):
    """The log cannot take or give records now (full, read-only, locked, away); nothing was appended. Try again."""


class AppendUnknown(LogUnavailable):
    """It is not known which of the records were appended: the log did not answer in time.

    Whoever sent them sends them again under the same ids; a second copy of an input is judged `input.repeated`.
    """


class AppendedInPart(AppendUnknown):
    """Some partitions do not take records now, while the log takes those of others: each draft has its own outcome.

    It is raised, too, when all drafts of a call were for such partitions. `outcomes`, in the order of the drafts: where
    it stands; LogUnavailable if it was not appended; AppendUnknown if nobody knows.
    """

    def __init__(self, outcomes: Sequence[Coordinates | LogUnavailable]) -> None:
        refused = [item for item in outcomes if isinstance(item, LogUnavailable)]
        super().__init__(f"{len(refused)} of {len(outcomes)} records were not acknowledged: {refused[0]}")
        self.outcomes = tuple(outcomes)


class LogDamaged(LogUnavailable):
    """What is stored of these partitions cannot be read; others can. It does not pass: somebody must mend it."""

    def __init__(self, message: str, places: Sequence[TopicPartition]) -> None:
        super().__init__(message)
        self.places = tuple(places)


class TooLarge(LogError):
    """A record over the limit; nothing was appended."""


class Fenced(LogError):
    """Another owner has taken the partition; this ownership is of no use any more, nothing was written by it."""


class CommitUnknown(LogError):
    """It is not known whether the commit happened; drop the partition's state and take it over again."""


class Ownership(Protocol):
    """The right to write one partition's outcome."""

    partition: int

    def marks(self) -> Mapping[str, Mark]:
        """Marks of the last commit, by input topic; START where there is none."""
        ...

    def commit(self, outcome: Outcome) -> int:
        """Write the outcome at once; returns the end offset of the partition's turns.

        Readers may see it a moment later (Kafka: the brokers are told that it is committed after we are). Raises
        Fenced, CommitUnknown or LogUnavailable (then nothing was written). Everything but LogUnavailable ends the
        ownership.
        """
        ...

    def held(self) -> bool:
        """False once another owner took the partition: an owner that has nothing to commit learns it only here.

        An adapter that cannot tell without a commit says True. Raises LogUnavailable.
        """
        ...

    def release(self) -> None:
        """Give the partition up; writes nothing."""
        ...


class Reader(Protocol):
    """Reads committed records of assigned partitions in offset order."""

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        """Read these partitions from these marks; replaces what was assigned."""
        ...

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        """The next records, at most `limit`, in offset order within each partition; waits at most `timeout` seconds.

        It may return earlier with nothing, when a position has passed what is no record. A record's `at` is the later
        of its own and the one before it. The SQLite adapter counts no `at` of a row whose signature fails; in Kafka
        the broker sets it. Raises LogUnavailable (the Kafka adapter when no broker gave word of an assigned partition
        for some seconds; poll again), LogDamaged for partitions that must be left out from then on: their records
        cannot be read, or their mark lies outside what is there (in SQLite a mark beyond the end waits).
        """
        ...

    def position(self, place: TopicPartition) -> int:
        """The next offset that a poll would give of an assigned partition; it also passes what is no record.

        So it reaches every committed `end`, where the offset of the last record may stay behind it (transaction
        markers take offsets in Kafka), if need be by polls that give nothing. Raises ValueError for a partition that
        is not assigned.
        """
        ...

    def end(self, place: TopicPartition) -> int:
        """The offset behind everything that is committed: no record below it is still to come."""
        ...

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """The offset behind everything that is written to each of these partitions, committed or not.

        It is beyond `end` while a transaction is open (Kafka), by whomever: what is committed behind the beginning of
        the oldest one is held back from all readers until that one ends. Raises LogUnavailable.
        """
        ...

    def close(self) -> None: ...


class Membership(Protocol):
    """Which partitions this process is to own, of those that a group shares."""

    def partitions(self) -> frozenset[int]:
        """The partitions assigned now; it waits for nothing, call it in every round.

        Empty before the first assignment, and while it cannot be known whether the last one still holds.
        """
        ...

    def fault(self) -> str | None:
        """Why no assignment is known; None while one is, be it of no partition."""
        ...

    def close(self) -> None:
        """Leave the group, so that others take the partitions over at once."""
        ...


class Log(Protocol):
    """The event log. Clients are made lazily: constructing a log touches nothing outside the process."""

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        """Append to a topic, signed by this process's key; durable when it returns, in the order of each partition.

        Concurrent appends share commits. Raises LogUnavailable or TooLarge, then nothing was appended; or
        AppendUnknown, then any of the drafts may be there, or come to be there for a little while yet; of
        AppendedInPart that is said draft by draft. Kafka raises them (partitions are written apart, and an answer may
        be lost); in SQLite it is all drafts or none.
        """
        ...

    def identity(self) -> str:
        """What tells this log from every other one: the same for all who open it, as long as it exists.

        A copy of a log in a folder is the same log. Raises LogUnavailable.
        """
        ...

    def check(self, topic: str) -> None:
        """Ask, without appending, whether the log can take records of this topic, as far as can be told so.

        Returns within a few seconds. Raises LogUnavailable.
        """
        ...

    def tick(self, places: Collection[TopicPartition]) -> None:
        """Append a tick to each of these partitions of input topics."""
        ...

    def own(self, partition: int, owner: str) -> Ownership:
        """Take the partition over: fences every earlier owner. `owner` names this process in reports.

        The committed `end` of its turns is then behind all that earlier owners committed: LogUnavailable is raised as
        long as somebody else's open transaction hides some of it (Kafka), and whoever wants it tries again.
        """
        ...

    def marks(self, partition: int) -> Mapping[str, Mark]:
        """Marks of the last commit that can be read, for reports: it fences nothing. START where there is none.

        Raises LogUnavailable.
        """
        ...

    def reader(self, group: str | None = None) -> Reader:
        """A reader of its own; `group` names whose lag is reported."""
        ...

    def membership(self, group: str, member: str, *, fenced: bool = True) -> Membership:
        """Take part in the sharing of partitions: one process alone gets all. Nothing begins before the first question.

        A member whose writes are `fenced` by ownership keeps its partitions while the group shares them out anew: who
        takes one over ends its writes. One whose writes are not loses all of them first, and the group decides after
        its next question; then no two members work on a partition, unless one was taken for dead.
        """
        ...

    def close(self) -> None: ...


def partition_of(key: str) -> int:
    """Partition of a key: Kafka's default, murmur2 of its UTF-8 bytes, modulo 12."""
    return (murmur2(key.encode()) & 0x7FFFFFFF) % PARTITIONS


def murmur2(data: bytes) -> int:
    """32-bit MurmurHash2 with Kafka's seed, as an unsigned integer (A. Appleby, public domain algorithm)."""
    multiplier = 0x5BD1E995
    mask = 0xFFFFFFFF
    value = (0x9747B28C ^ len(data)) & mask
    whole = len(data) & ~3
    for start in range(0, whole, 4):
        word = int.from_bytes(data[start : start + 4], "little") * multiplier & mask
        word = (word ^ word >> 24) * multiplier & mask
        value = value * multiplier & mask ^ word
    rest = data[whole:]
    if rest:
        value = (value ^ int.from_bytes(rest, "little")) * multiplier & mask
    value = (value ^ value >> 13) * multiplier & mask
    return value ^ value >> 15
