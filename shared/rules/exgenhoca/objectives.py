"""Secret objectives as data: what they hold, both sets of the rules, and what a set by an organiser needs (section 13).

An objective is a conjunction (EXG-60). What it names of the map stays ids here; the state holds numbers (state.py).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.interface import Json
from shared.rules.shapes import ID, Array, Id, Integer, Keyed, Maybe, Object, Shape, fault

COMPACT, CLASSIC = "compact", "classic"
SETS = (COMPACT, CLASSIC)
CLASSIC_SUBSTITUTE = 24
"""Territories in place of a rival who is gone, in the board game's own cards."""
MOST_SEATS = 14
_MOST = 1_000_000

SPREAD = Object({"continents": Integer(1, _MOST), "each": Integer(1, _MOST)})
_FIELDS: Mapping[str, Shape] = {
    "continents": Array(Id()),
    "extra_continents": Integer(0, _MOST),
    "min_total": Integer(0, _MOST),
    "spread": Maybe(SPREAD),
    "eliminate": Maybe(Integer(1, MOST_SEATS)),
}
GIVEN = Keyed(Object(_FIELDS, frozenset(_FIELDS)))
"""Form of `objective_set` as data: objectives by id, whose fields may be missing."""
OBJECTIVE = Object({"id": Id(), **_FIELDS})
"""Form of an objective in state and events."""


class Numbers(NamedTuple):
    """What the sets of the rules ask for, by the number of territories that everybody starts with (EXG-62)."""

    g: int
    h: int
    m: int


def numbers_of(starting: int) -> Numbers:
    """G, H and M for so many starting territories each."""
    return Numbers(max(15, starting + 8), max(12, starting + 7), starting + 6)


def _objective(
    id_: str,
    continents: tuple[str, ...] = (),
    *,
    extra_continents: int = 0,
    min_total: int = 0,
    spread: Mapping[str, int] | None = None,
    eliminate: int | None = None,
) -> dict[str, Json]:
    return {
        "id": id_,
        "continents": list(continents),
        "extra_continents": extra_continents,
        "min_total": min_total,
        "spread": None if spread is None else dict(spread),
        "eliminate": eliminate,
    }


def _rivals() -> list[dict[str, Json]]:
    return [_objective(f"O{seat:02}", eliminate=seat) for seat in range(1, 7)]


def compact(starting: int) -> list[dict[str, Json]]:
    """The default set (EXG-62, EXG-63)."""
    g, h, m = numbers_of(starting)
    return [
        *_rivals(),
        _objective("O07", min_total=g),
        _objective("O08", min_total=h, spread={"continents": 4, "each": 2}),
        _objective("O09", ("africa", "south_america"), min_total=m),
        _objective("O10", ("europe", "oceania"), min_total=m),
        _objective("O11", ("europe", "south_america"), min_total=m),
        _objective("O12", ("north_america",), min_total=h),
        _objective("O13", ("africa", "oceania"), min_total=h),
        _objective("O14", ("asia",), min_total=m),
    ]


def classic() -> list[dict[str, Json]]:
    """The cards of the board game (EXG-62)."""
    return [
        *_rivals(),
        _objective("O07", min_total=24),
        _objective("O08", min_total=18),
        _objective("O09", ("asia", "south_america")),
        _objective("O10", ("europe", "oceania"), extra_continents=1),
        _objective("O11", ("europe", "south_america"), extra_continents=1),
        _objective("O12", ("africa", "north_america")),
        _objective("O13", ("north_america", "oceania")),
        _objective("O14", ("africa", "asia")),
    ]


def objectives_of(chosen: str | Mapping[str, Any], starting: int) -> list[dict[str, Json]]:
    """The objectives of a configuration in canonical order of their ids (EXG-19, EXG-64)."""
    if chosen == COMPACT:
        return compact(starting)
    if isinstance(chosen, str):
        return classic()
    return [_given(id_, chosen[id_]) for id_ in sorted(chosen)]


def substitute_of(chosen: str | Mapping[str, Any], starting: int) -> int:
    """Territories that take the place of a rival who is gone otherwise (EXG-61)."""
    return CLASSIC_SUBSTITUTE if chosen == CLASSIC else numbers_of(starting).g


def _given(id_: str, given: Mapping[str, Any]) -> dict[str, Json]:
    objective = {**_objective(id_), **given}
    objective["continents"] = sorted(objective["continents"])
    return objective


def fault_of_objectives(place: str, given: Any) -> str | None:
    """What is wrong with a set given as data, whatever the map; else None."""
    if isinstance(given, str):
        return f"{place} must be one of {', '.join(SETS)}, or an object of objectives by id"
    if found := fault(GIVEN, given, place):
        return found
    for id_, objective in given.items():
        if not ID.match(id_):
            return f"{place} has the key {id_!r}; keys must be ids"
        if not any(objective.get(name) for name in _FIELDS):
            return f"{place}.{id_} must ask for something; it is fulfilled by doing nothing"
        continents = objective.get("continents", [])
        if len(set(continents)) != len(continents):
            return f"{place}.{id_}.continents must name each continent once"
    return None


def fault_of_continents(objectives: list[dict[str, Json]], continents: Mapping[str, int]) -> str | None:
    """A continent that an objective names and the map does not have."""
    for objective in objectives:
        for name in objective["continents"]:
            if name not in continents:
                known = ", ".join(sorted(continents)) or "none"
                return f"objective {objective['id']} names the continent {name}, which must be one of the map: {known}"
    return None
