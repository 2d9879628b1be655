"""What the views give their readers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Verdict = Literal["accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Head:
    """How far the views of a game are. All reads of one answer use one head.

    `n` is the position of the last event that is seen, `at` the time of its record (UTC milliseconds): both tell how
    much secret traffic there was, so neither is shown to anybody but operators. The rest is public: `kind` is the
    game's rules (`gxc`), `rules` their version, `created_at` in UTC milliseconds. A game whose creation was refused
    has a stored head too, with empty `kind`, which `Views` keeps to itself.
    """

    game: str
    generation: int
    n: int
    at: int
    kind: str
    rules: str
    created_at: int
    quarantined: bool = False


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event as an outcome shows it: full type name and data."""

    type: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgementView:
    """What became of an input.

    `hash` is that of the judged input: another one than the receipt's means that the id was used for something else.
    `code`, `rule` and `detail` are None for an accepted input. `events` are the outcomes that the actor may see;
    `complete` is False if there were too many of them to keep here. `n` is for operators alone.
    """

    game: str
    input: str
    actor: str
    role: str
    type: str
    verdict: Verdict
    code: str | None
    rule: str | None
    detail: str | None
    hash: str
    at: int
    n: int
    events: tuple[SeenEvent, ...]
    complete: bool
    traceparent: str | None = None
    """Trace context that the input came with, for its sender and operators."""


class Counts(NamedTuple):
    """Counts of one audience: changes of its documents, and entries of its feed."""

    changes: int
    feed: int


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One event of a feed. `at` is the time of the input that brought it about, UTC milliseconds.

    `after` counts the feed entries of each audience of the reader up to and with this one: handed back to `feed`, it
    gives what follows. `n` is for operators alone. A judgement has the trace context of its input, for its sender.
    Of a notice `type` is its code, and `notice` its id in its game: the audience that got it, and its number there.
    """

    type: str
    data: Mapping[str, Any]
    at: int
    n: int
    after: Mapping[str, int]
    traceparent: str | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """The public form of a resolution's certificate; `k` counts the resolutions of a game from 1."""

    k: int
    fields: Mapping[str, Any]
