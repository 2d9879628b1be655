"""What the drawing shows, as rows: for whoever does not see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.maps.model import Map
from shared.maps.symbols import SPECIAL_NAMES
from shared.maps.zones import WATER


@dataclass(frozen=True)
class Row:
    """One territory; `owner` is a team id or None, `owner_name` "nobody" then, or "water"; `special` is "" for none.

    `waters` are those at its coast; of a water it is all that lies beside it.
    """

    territory_id: str
    name: str
    owner: str | None
    owner_name: str
    special: str
    land_neighbours: Sequence[str]
    sea_neighbours: Sequence[str]
    waters: Sequence[str]


def equal_table(board: Map, owners: Mapping[str, str | None], teams: Mapping[str, str]) -> list[Row]:
    """Return a row for each territory, by name; neighbours are names, by name.

    `owners` gives the team id of a territory (missing or None: nobody), `teams` the name of a team id.
    """
    coasts: dict[str, list[str]] = {}
    for water, beside in board.water.items():
        for other in beside:
            coasts.setdefault(other, []).append(water)
    by_sea = {(a, b) for link in board.sea_links for a, b in (link, link[::-1])}
    rows = []
    for territory_id, territory in board.territories.items():
        owner = owners.get(territory_id)
        neighbours = _by_name(board, territory.neighbours)
        names = {neighbour: board.territories[neighbour].name for neighbour in neighbours}
        nobody = "water" if territory_id in board.water else "nobody"
        waters = _by_name(board, board.water.get(territory_id, coasts.get(territory_id, ())))
        rows.append(
            Row(
                territory_id=territory_id,
                name=territory.name,
                owner=owner,
                owner_name=nobody if owner is None else teams.get(owner, owner),
                special="" if territory.special is None else SPECIAL_NAMES[territory.special],
                land_neighbours=[names[other] for other in neighbours if (territory_id, other) not in by_sea],
                sea_neighbours=[names[other] for other in neighbours if (territory_id, other) in by_sea],
                waters=[board.territories[other].name for other in waters],
            )
        )
    return _sorted(rows)


def table_of_places(
    places: Mapping[str, Mapping[str, object]], owners: Mapping[str, str | None], teams: Mapping[str, str]
) -> list[Row]:
    """Return the rows of places that need not have a spot on any map: nothing is drawn of them.

    What they lack of names, neighbours, kinds or specials is not told; else the rows are those of `equal_table`.
    """
    names = {id_: str(place.get("name") or id_) for id_, place in places.items()}
    waters = {id_ for id_, place in places.items() if place.get("kind") in WATER}
    rows = []
    for id_, place in places.items():
        found = place.get("neighbours")
        near = [str(other) for other in found] if isinstance(found, (list, tuple)) else []
        owner = owners.get(id_)
        nobody = "water" if id_ in waters else "nobody"
        by_land = [] if id_ in waters else [other for other in near if other not in waters]
        rows.append(
            Row(
                territory_id=id_,
                name=names[id_],
                owner=owner,
                owner_name=nobody if owner is None else teams.get(owner, owner),
                special=SPECIAL_NAMES.get(str(place.get("special")), ""),
                land_neighbours=_named(names, by_land),
                sea_neighbours=(),
                waters=_named(names, near if id_ in waters else [other for other in near if other in waters]),
            )
        )
    return _sorted(rows)


def _named(names: Mapping[str, str], ids: Iterable[str]) -> list[str]:
    return sorted(names.get(id_, id_) for id_ in ids)


def _sorted(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row.name.casefold(), row.territory_id))


def _by_name(board: Map, ids: Iterable[str]) -> list[str]:
    return sorted(ids, key=lambda other: (board.territories[other].name, other))
