"""The classes of spacecraft (section 4 of the rules): the table as data, and what another table must be."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.config_values import fault_of_integer
from shared.rules.interface import Json
from shared.rules.shapes import Boolean, Integer, Keyed, Object, fault


class CraftClass(NamedTuple):
    """SPB-19: `move` squares a displacement, `shots` in all, full `power` of a shot, capacity of the `shield`.

    `cost` is for acquiring craft outside of the battle.
    """

    id: str
    move: int
    shots: int
    power: int
    shield: int
    cost: int
    base: bool = False


CLASSES: Mapping[str, CraftClass] = {
    row.id: row
    for row in (
        #           class          move shots power shield cost
        CraftClass("space_base", 0, 12, 100, 300, 500, base=True),
        CraftClass("scout", 6, 4, 20, 20, 40),
        CraftClass("fighter", 5, 6, 30, 30, 60),
        CraftClass("corvette", 4, 6, 40, 50, 90),
        CraftClass("frigate", 4, 8, 50, 70, 120),
        CraftClass("destroyer", 3, 8, 70, 90, 160),
        CraftClass("cruiser", 3, 10, 80, 120, 210),
        CraftClass("battleship", 2, 12, 100, 180, 300),
        CraftClass("dreadnought", 1, 14, 120, 240, 400),
    )
}
"""By id, in the order of the rules."""

COUNT = 9
MOST = 1_000_000
"""Largest number of a table; far beyond play, and sums stay small integers."""
NUMBERS = ("move", "shots", "power", "shield", "cost")
TABLE = Keyed(Object({**{name: Integer() for name in NUMBERS}, "base": Boolean()}, optional=frozenset({"base"})))


def classes_of(given: Mapping[str, Any]) -> Mapping[str, CraftClass]:
    """The classes of a table without fault, by id in canonical order."""
    return {
        name: CraftClass(
            id=name, base=given[name].get("base", False), **{number: given[name][number] for number in NUMBERS}
        )
        for name in sorted(given)
    }


def table_form(classes: Mapping[str, CraftClass]) -> dict[str, Json]:
    """The table as configuration and view have it."""
    return {
        name: {**{number: getattr(row, number) for number in NUMBERS}, "base": row.base}
        for name, row in classes.items()
    }


def base_of(classes: Mapping[str, CraftClass]) -> str:
    """The class that is the base."""
    return next(name for name, row in classes.items() if row.base)


def fault_of_table(place: str, given: Any) -> str | None:
    """SPB-20: nine classes, one of them the base, and integers that make sense."""
    if found := fault(TABLE, given, place):
        return found
    if len(given) != COUNT:
        return f"{place} must hold {COUNT} classes; there are {len(given)}"
    bases = [name for name in sorted(given) if given[name].get("base", False)]
    if len(bases) != 1:
        return f"{place} must have base true in one class; it has in {len(bases)}"
    for name in sorted(given):
        for number in NUMBERS:
            least = 1 if number == "power" and given[name]["shots"] else 0
            if found := fault_of_integer(f"{place}.{name}.{number}", given[name][number], least, MOST):
                return found
    return None
