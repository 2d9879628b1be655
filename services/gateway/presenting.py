"""From a public view to what a page shows: facts, a ranking and tables, for any game."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

MOST_ROWS = 500
_TIMES = ("_at", "_deadline", "deadline")
_SILENT = ("scope", "draws", "part", "parts", "turn")
_HIDDEN_FACTS = ("closed_turn",)
_PLACES = ("territories", "zones")


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
    """A time in UTC."""
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return Moment(found.strftime("%A, %-d %B %Y, %H:%M UTC"), found.strftime("%Y-%m-%dT%H:%M:%SZ"))


def words(name: str) -> str:
    """A field's name as words: `turn_deadline` -> `Turn deadline`."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def facts_of(view: Mapping[str, Any]) -> list[tuple[str, Cell]]:
    """The scalar fields of a view in its own order, times as moments; what is null or false says nothing."""
    teams = names_of(view, "teams")
    return [
        (words(name), _named(teams, _cell(name, value)))
        for name, value in view.items()
        if name not in _HIDDEN_FACTS and isinstance(value, str | int) and value is not False
    ]


def names_of(view: Mapping[str, Any], collection: str) -> dict[str, str]:
    """Id -> name of the things in a collection of the view."""
    found = view.get(collection)
    if not isinstance(found, Mapping):
        return {}
    return {id: str(item.get("name") or id) for id, item in found.items() if isinstance(item, Mapping)}


def place_names(view: Mapping[str, Any]) -> dict[str, str]:
    """Id -> name of every place of the view."""
    return {id: name for collection in _PLACES for id, name in names_of(view, collection).items()}


def names_in(view: Mapping[str, Any]) -> dict[str, str]:
    """Id -> name of every place and team of the view."""
    return place_names(view) | names_of(view, "teams")


def count_in(things: Mapping[str, Mapping[str, Any]], id: str, name: str) -> Cell:
    """A number of a thing, empty if it is not seen."""
    value = things.get(id, {}).get(name)
    return value if type(value) is int else ""


def owners_of(view: Mapping[str, Any]) -> dict[str, str | None]:
    """Territory (or zone) -> owner."""
    return {id: item.get("owner") for id, item in places_of(view).items()}


def places_of(view: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The places of a game's map, whatever the rules call them."""
    for name in _PLACES:
        found = view.get(name)
        if isinstance(found, Mapping):
            return {id: item for id, item in found.items() if isinstance(item, Mapping)}
    return {}


def standing(view: Mapping[str, Any]) -> Table | None:
    """Teams by rank, or while the game runs by territories, then energy as far as it is seen; None without teams."""
    teams = view.get("teams")
    if not isinstance(teams, Mapping) or not teams:
        return None
    held = Counter(owner for owner in owners_of(view).values() if owner)
    strength: Counter[str] = Counter()
    players: Counter[str] = Counter()
    for item in places_of(view).values():
        if owner := item.get("owner"):
            strength[owner] += _number(item.get("energy"))
            players[owner] += _number(item.get("players"))
    ranks = {entry["team"]: entry["rank"] for entry in view.get("ranking") or () if isinstance(entry, Mapping)}
    strengths = {team: (held[team], strength[team]) for team in teams}
    order = sorted(teams, key=lambda team: (ranks.get(team, 0), -held[team], -strength[team], team))
    rows: list[tuple[Cell, ...]] = [
        (
            ranks.get(team) or 1 + sum(other > strengths[team] for other in strengths.values()),
            str(teams[team].get("name") or team),
            words(str(teams[team].get("status", ""))),
            held[team],
            players[team],
            strength[team],
        )
        for team in order
    ]
    caption = "Final ranking" if ranks else "Present standing, by territories and energy"
    return Table("ranking", caption, ("Rank", "Team", "Status", "Territories", "Players", "Energy"), rows)


def table_of(name: str, things: Mapping[str, Any], names: Mapping[str, str]) -> Table | None:
    """A collection of things with ids as a table of their scalar fields; None if there is nothing to show."""
    rows = {id: item for id, item in things.items() if isinstance(item, Mapping)}
    columns = list(dict.fromkeys(key for item in rows.values() for key, value in item.items() if _scalar(value)))
    if not rows or not columns:
        return None
    shown = [
        (id, *(_named(names, _cell(column, item.get(column))) for column in columns))
        for id, item in sorted(rows.items())[:MOST_ROWS]
    ]
    return Table(
        name, words(name), ("Id", *(words(column) for column in columns)), list(shown), max(0, len(rows) - MOST_ROWS)
    )


def event_line(name: str, data: Mapping[str, Any], named: Callable[[str], str]) -> str | None:
    """One event in a line: its name in words, its fields, and of its lists how long they are.

    None for an event that is nothing but lists: a line cannot tell it.
    """
    fields, lists = [], []
    for key, value in data.items():
        if isinstance(value, list | dict):
            lists.append(_counted(len(value), words(key).lower()))
        elif key not in _SILENT and value not in ("", None):
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
