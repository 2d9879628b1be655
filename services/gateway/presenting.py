"""From a public view to what a page shows: facts, a ranking and tables, for any game.

What is a place and who owns it is said by the game (interface.Parts). Words known here: an entry's `name` and
`status`, a place's `owner` and `label` (an English name beside one in another language), and `ranking`, a list of sides
in order or of objects with `rank` and the side; every game has them so.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.rules.interface import Parts

MOST_ROWS = 500
_COLOUR = re.compile("#[0-9A-Fa-f]{6}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
_TIMES = ("_at", "deadline")
"""Endings of names that hold times: ENG-12 and the rules' states name them so."""
_NAME_A_SIDE = ("winner",)
"""Fields of a game that name one of its sides, by a number in some games."""
_SILENT = ("scope", "draws", "part", "parts")
"""Fields of events that tell a reader nothing: where dice come from (ENG-8), and the cut of a large event."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, for the eye and for machines."""

    text: str
    machine: str


Cell = str | int | Moment


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `more` counts rows that are not shown."""

    id: str
    caption: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    more: int = 0


def moment(milliseconds: int) -> Moment:
    """A time in UTC, to the second unless it is that of a full minute. Any integer has one: a page shows what a journal
    holds, and what no calendar does is said so."""
    try:
        found = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        past = milliseconds < 0
        return Moment("before the year 1", _FIRST) if past else Moment("after the year 9999", _LAST)
    clock = "%H:%M:%S" if found.second else "%H:%M"
    return Moment(found.strftime(f"%A, %-d %B %Y, {clock} UTC"), found.strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20))


def words(name: str) -> str:
    """A field's name as words: `turn_deadline` -> `Turn deadline`."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def facts_of(view: Mapping[str, Any], parts: Parts) -> list[tuple[str, Cell]]:
    """The scalar fields of a view in its own order, times as moments; what is null or false says nothing."""
    sides = side_names(view, parts)
    return [
        (words(name), _named(sides, str(value) if name in _NAME_A_SIDE else _cell(name, value)))
        for name, value in view.items()
        if name not in parts.unshown and isinstance(value, str | int) and value is not False
    ]


def place_names(view: Mapping[str, Any], parts: Parts) -> dict[str, str]:
    """Id -> name of every place of the view, with its label beside it where that is another."""
    return {id: _labelled(id, item) for id, item in places_of(view, parts).items()}


def _labelled(id: str, place: Mapping[str, Any]) -> str:
    name, label = str(place.get("name") or id), place.get("label")
    return f"{name} ({label})" if label and label != name else name


def side_names(view: Mapping[str, Any], parts: Parts) -> dict[str, str]:
    """What an owner is named by -> name of the side."""
    return {id: str(item.get("name") or id) for id, item in sides_of(view, parts).items()}


def side_colours(view: Mapping[str, Any], parts: Parts) -> dict[str, str]:
    """What an owner is named by -> colour of the side, where a game names colours."""
    if parts.side_colour is None:
        return {}
    found = {id: item.get(parts.side_colour) for id, item in sides_of(view, parts).items()}
    return {id: colour for id, colour in found.items() if isinstance(colour, str) and _COLOUR.fullmatch(colour)}


def names_in(view: Mapping[str, Any], parts: Parts) -> dict[str, str]:
    """Id -> name of every place and side of the view."""
    return place_names(view, parts) | side_names(view, parts)


def count_in(things: Mapping[str, Mapping[str, Any]], id: str, name: str) -> Cell:
    """A number of a thing, empty if it is not seen."""
    value = things.get(id, {}).get(name)
    return value if type(value) is int else ""


def count_title(count: str) -> str:
    """What a column of counts is called: they are those of the opening, orders and dice may have changed them since."""
    return f"{words(count)} at the opening"


def owners_of(view: Mapping[str, Any], parts: Parts) -> dict[str, str | None]:
    """Place -> owner."""
    return {id: _owner(item) for id, item in places_of(view, parts).items()}


def places_of(view: Mapping[str, Any], parts: Parts) -> dict[str, Mapping[str, Any]]:
    """The places of a game's map, whatever the rules call them."""
    return _section(view, parts.places)


def sides_of(view: Mapping[str, Any], parts: Parts) -> dict[str, Mapping[str, Any]]:
    """The sides by what an owner names them by; who has no such name takes no part."""
    found = _section(view, parts.sides)
    key = parts.side_key
    return found if key is None else {str(item[key]): item for item in found.values() if item.get(key) is not None}


def _section(view: Mapping[str, Any], name: str | None) -> dict[str, Mapping[str, Any]]:
    found = None if name is None else view.get(name)
    if not isinstance(found, Mapping):
        return {}
    return {id: item for id, item in found.items() if isinstance(item, Mapping)}


def _owner(place: Mapping[str, Any]) -> str | None:
    owner = place.get("owner")
    return None if owner is None else str(owner)


def standing(view: Mapping[str, Any], parts: Parts) -> Table | None:
    """Sides by rank, or while the game runs by places, then by the last count as far as it is seen; None without."""
    sides = sides_of(view, parts)
    if not sides or parts.places is None:
        return None
    held: Counter[str] = Counter()
    sums: dict[str, Counter[str]] = {count: Counter() for count in parts.counts}
    for place in places_of(view, parts).values():
        if owner := _owner(place):
            held[owner] += 1
            for count, summed in sums.items():
                summed[owner] += _number(place.get(count))
    decides = sums[parts.counts[-1]] if parts.counts else Counter[str]()
    ranks = _ranks(view.get("ranking") or (), parts)
    strengths = {side: (held[side], decides[side]) for side in sides}
    order = sorted(sides, key=lambda side: (ranks.get(side, 0), -held[side], -decides[side], side))
    rows: list[tuple[Cell, ...]] = [
        (
            ranks.get(side) or 1 + sum(other > strengths[side] for other in strengths.values()),
            str(sides[side].get("name") or side),
            words(str(sides[side].get("status", ""))),
            held[side],
            *(sums[count][side] for count in parts.counts),
        )
        for side in order
    ]
    counts = [count_title(count) for count in parts.counts]
    by = " and ".join((parts.places, *(title.lower() for title in counts[-1:])))
    caption = "Final ranking" if ranks else f"Present standing, by {by}"
    columns = ("Rank", words(parts.side), "Status", words(parts.places), *counts)
    return Table("ranking", caption, columns, rows)


def _ranks(ranking: Sequence[Any], parts: Parts) -> dict[str, int]:
    """Side -> rank, from objects with a rank or from the order alone."""
    return {
        str(entry[parts.side] if isinstance(entry, Mapping) else entry): (
            int(entry["rank"]) if isinstance(entry, Mapping) else place
        )
        for place, entry in enumerate(ranking, 1)
    }


def table_of(name: str, things: Mapping[str, Any], names: Mapping[str, str]) -> Table | None:
    """A collection of things with ids as a table of their scalar fields; None if there is nothing to show."""
    rows = {id: item for id, item in things.items() if isinstance(item, Mapping)}
    columns = list(
        dict.fromkeys(
            key
            for id, item in rows.items()
            for key, value in item.items()
            if _scalar(value) and (key, str(value)) != ("id", id)
        )
    )
    if not rows or not columns:
        return None
    shown = [
        (id, *(_named(names, _cell(column, item.get(column))) for column in columns))
        for id, item in sorted(rows.items())[:MOST_ROWS]
    ]
    return Table(
        name, words(name), ("Id", *(words(column) for column in columns)), list(shown), max(0, len(rows) - MOST_ROWS)
    )


def event_line(
    name: str, data: Mapping[str, Any], named: Callable[[str], str], silent: Sequence[str] = ()
) -> str | None:
    """One event in a line: its name in words, its fields but those in `silent`, and how long its lists are.

    None for an event that is nothing but lists: a line cannot tell it.
    """
    fields, lists = [], []
    for key, value in data.items():
        if isinstance(value, list | dict):
            lists.append(_counted(len(value), words(key).lower()))
        elif key not in _SILENT and key not in silent and value not in ("", None):
            fields.append(f"{words(key).lower()} {_shown(_cell(key, value), named)}")
    if not fields:
        return None
    return f"{words(name)}: {', '.join(fields + lists)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what.removesuffix('s') if count == 1 else what}"


def _shown(cell: Cell, named: Callable[[str], str]) -> str:
    return cell.text if isinstance(cell, Moment) else named(str(cell))


def _cell(name: str, value: Any) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return moment(value) if name.endswith(_TIMES) and value > 10**11 else value
    return "" if value is None else str(value)


def _named(names: Mapping[str, str], cell: Cell) -> Cell:
    return names.get(cell, cell) if isinstance(cell, str) else cell


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int)


def _number(value: Any) -> int:
    return value if type(value) is int else 0


def is_empty(cells: Sequence[Cell]) -> bool:
    """Whether a column says nothing in any row."""
    return all(cell in ("", 0) for cell in cells)


def without_empty_columns(table: Table) -> Table:
    """The table without the columns that say nothing."""
    kept = [n for n in range(len(table.columns)) if not is_empty([row[n] for row in table.rows])]
    rows: list[tuple[Cell, ...]] = [tuple(row[n] for n in kept) for row in table.rows]
    return Table(table.id, table.caption, tuple(table.columns[n] for n in kept), rows, table.more)
