"""What one batch of journal records changes in the views, folded in memory before anything is read or written."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DocumentKey = tuple[str, str, str]
"""Kind, audience, id."""


@dataclass(slots=True)
class Change:
    """What the batch makes of one document: the last value of each field.

    `fresh` drops what the document held before; `at` are the positions of the events that wrote it. Fields are
    after-values, so a change may be applied again to a document that holds a part of it already.
    """

    at: list[int]
    fields: dict[str, Any]
    fresh: bool
    gone: bool

    def first_after(self, n: int) -> int:
        """Position of the first event after `n` that wrote it; there must be one."""
        return self.at[bisect_right(self.at, n)]

    def write(self, n: int, fields: Mapping[str, Any], gone: bool) -> None:
        """Take one more write of the same document."""
        self.at.append(n)
        if gone:
            self.fields = {}
            self.fresh = self.gone = True
            return
        self.gone = False
        self.fields.update(fields)


@dataclass(slots=True)
class Stretch:
    """What one journal record adds for one audience: changes of its documents, and entries of its feed."""

    n: int = 0
    """Position of the last event that counts here."""
    changes: int = 0
    entries: list[Mapping[str, Any]] = field(default_factory=list)
    public: int = 0
    """Of operators, whose feed has all events: how many stand in the public feed alone."""
    places: list[int] = field(default_factory=list)
    """Of operators: which of the record's events their own entries are, counted from 1."""
    together: int = 0
    """Position of the record's last event, if its few entries for some audiences stand in one document; else 0."""

    @property
    def told(self) -> int:
        """How many entries it adds to the feed, wherever they stand."""
        return len(self.entries) + self.public


@dataclass(slots=True)
class GameChanges:
    """What the batch changes in the views of one game."""

    game: str
    head: int
    """Position of the head before the batch, 0 if there is none."""
    last: int
    """Position of the last event of the batch."""
    hold: int
    """The head must not move before the batch reaches this position: an interrupted batch has written up to it."""
    whole: bool
    """Whether the batch ends with the last part of a unit, so that the head may move."""
    facts: Mapping[str, Any]
    """Body of the head after the batch."""
    events: int = 0
    """How many events the batch has of this game."""
    unit: Mapping[str, Any] | None = None
    """What the next batch must know of a unit whose last part is still to come."""
    documents: dict[DocumentKey, Change] = field(default_factory=dict)
    stretches: dict[str, list[Stretch]] = field(default_factory=dict)
    """By audience, in order of the records."""
    judgements: dict[str, tuple[int, Mapping[str, Any]]] = field(default_factory=dict)
    """By input id: position of the last event that it holds, and body."""


@dataclass(slots=True)
class Changes:
    """What one batch of records of one partition changes."""

    generation: int
    partition: int
    offset: int
    """The next journal offset to read after the batch."""
    at: int
    """The last `at` seen, UTC milliseconds."""
    games: dict[str, GameChanges]
    open: Mapping[str, Mapping[str, Any]]
    """By game whose head has not reached the checkpoint before the batch: its facts, `hold`, and open unit."""
