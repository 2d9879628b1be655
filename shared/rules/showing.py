"""What a game says of its pages: periods, parts of its view, sentences and tables, as data (docs/decisions/0007, 0023).

The host shows, closes and proves any game by these words alone; it knows no game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shared.rules.shapes import Json


class Sentence(NamedTuple):
    """How a page tells one event: the first sentence of its type whose `when` equals the event's data there.

    `text` names fields of the data in braces, with what they are: `{x}` as it stands; `{x:team}` (a side, see Parts),
    `{x:place}` and `{x:player}` the name behind an id, or the names of a list of ids; `{x:border}` the two places of
    `a:b`; `{x:time}` a time in UTC milliseconds; `{x:span}` so many seconds; `{x:duel}` a number, or how long a list
    is, with that noun
    (`{x:duel|duels}` if its plural is not one `s` longer).
    """

    text: str
    when: Mapping[str, Json] = {}


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the view that the gateway serves under a path of its own: the kinds of document it is made of.

    A game that many play names those `of_players`: kinds whose documents have the ids of players, of which everybody
    who plays has a public one of the first kind. Such a page is shown some players at a time.
    """

    name: str
    kinds: tuple[str, ...]
    summary: str
    of_players: tuple[str, ...] = ()


class Closing(NamedTuple):
    """How an operator closes the open period early: a command whose payload is these fields of the game's view."""

    command: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Period:
    """What a game is played in: turns, rounds, years (docs/decisions/0007-periods-and-parts-of-a-view.md).

    `name` is the word for one, the field of the game's view that holds the number of the open one, and the beginning
    of the labels of its resolutions: `turn:12` for one that has a single resolution, `round:2:attack:5` for one of
    several. Numbers never fall. `deadline` is the field of the view with its deadline, `closings` says by phase how it
    is closed. `opening` is the event that opens one, where the first is opened by something later than the creation.
    """

    name: str
    deadline: str
    closings: Mapping[str, Closing]
    opening: str | None = None

    def number_of(self, label: str) -> int | None:
        """The number of the period that a resolution belongs to; None for one that is in none, like `setup`."""
        name, number = [*label.split(":"), ""][:2]
        return int(number) if name == self.name and number.isdecimal() else None


class Piece(NamedTuple):
    """A kind of thing that stands in places by number: its name in the view, what one is called (`army|armies` if its
    plural is not one `s` longer), and the sign that draws it, one of shared.maps.symbols.PIECES, as of marks."""

    kind: str
    word: str
    sign: str


class Mark(NamedTuple):
    """What distinguishes a place: a field of it that is neither null nor false, true or the side that it names.

    `of_sides`: it is a field of sides instead, each of which names a place there.
    """

    field: str
    word: str
    sign: str
    of_sides: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """A picture of the map, and the columns of a table that says the same.

    Places are coloured by owner, or shaded by `amount`, a field of theirs with a number from 0. What stands in them is
    a field of a place with numbers by side and kind (`{"2": {"tank": 1}}`), or a section of the view in which
    each thing names its place, its side and its `kind` (the fields are called as Parts.place and Parts.side are);
    `pieces` is that field or section, `kinds` says what is drawn of it, in order. `word` is a field of a place that is
    null or names the one thing on it.
    """

    name: str
    title: str
    amount: str | None = None
    pieces: str | None = None
    kinds: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    word: str | None = None


CONTROL = Layer("control", "Control")
"""Who owns what."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the sections of a game's view are, so that the pages of the host can show any game.

    `places` is the section of what is owned, each entry with a field `owner`, and `place` the word for one; `sides` the
    section of the owners, `side` the word for one. An owner is named by the id of its side, or by its field `side_key`.
    `side_kinds` are the kinds of document that sides are made of, `side_colour` a field of theirs with the colour that
    pictures give them, `#RRGGBB`. `players` is the section of accounts by their id.
    `counts` are numbers of a place at the opening of the period, shown and summed by owner while it is open; the last
    of them decides between sides with as many places. `unshown` are fields of the game that mean nothing to a reader.
    `layers` are the pictures of the map, the first the one that is shown if none is named. None: the game has no such
    section.
    """

    places: str | None = None
    place: str = "place"
    sides: str | None = None
    side: str = "side"
    side_key: str | None = None
    side_kinds: tuple[str, ...] = ()
    side_colour: str | None = None
    players: str = "players"
    counts: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = (CONTROL,)


class Column(NamedTuple):
    """A column of a sheet: its heading, and how a cell is told from the data of its row, as events are."""

    heading: str
    told: Sequence[Sentence]


class Sheet(NamedTuple):
    """A table that a game shows on its page, of what its viewer sees. Names of places and sides are put in by the host.

    Rows come in the order in which they are shown; `more` counts those that are left out. A sheet without rows and a
    column that says nothing are not shown.
    """

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Json]]
    more: int = 0


class Sheets(NamedTuple):
    """What the page of a game shows besides map, standing and report: made from the view of documents of `kinds`."""

    kinds: tuple[str, ...] = ()
    of: Callable[[Mapping[str, Json]], Sequence[Sheet]] = lambda _: ()
