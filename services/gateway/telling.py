"""Events as sentences and sheets as tables: the game says how each is told (interface.Sentence, interface.Sheet), this
puts the names in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from services.gateway.presenting import Cell, Table, moment
from shared.rules.interface import Json, Sentence, Sheet

MOST_NAMED = 8
"""Names of a list that are told; of a longer one the rest is counted."""
_FORMATTER = Formatter()


@dataclass(frozen=True, slots=True)
class Names:
    """Id -> name of what events speak of; whatever has no name is told by its id."""

    places: Mapping[str, str] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)

    def of(self, id: str) -> str:
        """The name of a thing of any kind."""
        return self.places.get(id) or self.teams.get(id) or self.players.get(id) or id


def told(sentences: Sequence[Sentence], data: Mapping[str, Json], names: Names) -> str | None:
    """The first sentence that fits the event's data, with its names; None if there is none."""
    for sentence in sentences:
        if all(data.get(name, ...) == value for name, value in sentence.when.items()):
            return _filled(sentence.text, data, names)
    return None


def table_of_sheet(sheet: Sheet, names: Names) -> Table:
    """A sheet with the names of what it speaks of."""
    columns = tuple(column.heading for column in sheet.columns)
    rows = [tuple(_cell(column.told, row, names) for column in sheet.columns) for row in sheet.rows]
    return Table(sheet.id, sheet.title, columns, rows, sheet.more)


def _cell(sentences: Sequence[Sentence], row: Mapping[str, Json], names: Names) -> Cell:
    """A number alone stays one, so that it is set as one."""
    text = told(sentences, row, names) or ""
    return int(text) if text.isascii() and text.isdigit() else text


def _filled(text: str, data: Mapping[str, Json], names: Names) -> str:
    parts = []
    for literal, name, what, _ in _FORMATTER.parse(text):
        parts.append(literal)
        if name is not None:
            parts.append(_shown(data.get(name), what or "", names))
    return "".join(parts)


def _shown(value: Any, what: str, names: Names) -> str:
    if what in ("team", "place", "player"):
        known = {"team": names.teams, "place": names.places, "player": names.players}[what]
        return _listed(value if isinstance(value, list | tuple) else [value], known)
    if what == "border":
        return _listed(str(value).split(":"), names.places)
    if what == "time":
        return moment(value).text if isinstance(value, int) else ""
    if what == "span":
        return _span(value)
    if what:
        return _counted(value if isinstance(value, int) else len(value), what)
    return str(value)


def _listed(ids: Sequence[Any], known: Mapping[str, str]) -> str:
    shown = [known.get(str(id), str(id)) for id in ids[:MOST_NAMED]]
    if len(ids) > MOST_NAMED:
        shown.append(f"{len(ids) - MOST_NAMED} more")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _span(seconds: int) -> str:
    """So many seconds, in the largest unit that leaves no rest."""
    for length, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds and seconds % length == 0:
            return _counted(seconds // length, noun)
    return _counted(seconds, "second")


def _counted(count: int, noun: str) -> str:
    one, _, many = noun.partition("|")
    return f"{count} {one}" if count == 1 else f"{count} {many or one + 's'}"
