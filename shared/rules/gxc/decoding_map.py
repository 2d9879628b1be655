"""The territories of a canonical state (GXC-14), read as columns like the players."""

from collections.abc import Mapping
from operator import lt
from typing import Any

from shared.rules.gxc.board import SPECIALS, Board
from shared.rules.gxc.canonical_form import TERRITORY
from shared.rules.gxc.creation import LARGEST_COORDINATE, fault_of_map
from shared.rules.shapes import ID, fault


def board_of(territories: Any) -> Board:
    """The map. Raises ValueError naming the path that is wrong."""
    if not isinstance(territories, Mapping):
        raise ValueError("territories must be an object")
    ids = sorted(territories)
    entries = [territories[item] for item in ids]
    try:
        return _columns(ids, entries)
    except (LookupError, TypeError, ValueError):
        _name_the_fault(territories)
        raise


def owners_of(territories: Mapping[str, Any], board: Board, team_index: Mapping[str, int]) -> list[int]:
    """Territory -> team or -1. Raises ValueError naming the territory."""
    lookup: dict[Any, int] = {None: -1, **team_index}
    owners = []
    for territory in board.ids:
        owner = territories[territory]["owner"]
        if owner not in lookup:
            raise ValueError(f"territories.{territory}.owner must be null or a team of the game, not {owner!r}")
        owners.append(lookup[owner])
    return owners


def _columns(ids: list[str], entries: list[Any]) -> Board:
    index = {item: number for number, item in enumerate(ids)}
    centroids = [entry["centroid"] for entry in entries]
    if {*map(len, entries)} - {len(TERRITORY.fields)} or {*map(len, centroids)} - {2} or not all(map(ID.match, ids)):
        raise ValueError("territories must have their fields and no others")
    x, y = [centroid["x"] for centroid in centroids], [centroid["y"] for centroid in centroids]
    names, special = [entry["name"] for entry in entries], [entry["special"] for entry in entries]
    if {*map(type, x), *map(type, y)} - {int} or max(map(abs, (*x, *y)), default=0) > LARGEST_COORDINATE:
        raise ValueError("centroids must be integers")
    if {*map(type, names)} - {str} or set(special) - {None, *SPECIALS}:
        raise ValueError("territories must have a name and a known special")
    neighbours = [tuple([index[item] for item in entry["neighbours"]]) for entry in entries]
    edges = {(one, other) for one, others in enumerate(neighbours) for other in others}
    if not all((other, one) in edges and one != other for one, other in edges):
        raise ValueError("edges must have two ends and lead both ways")
    if not all(all(map(lt, others, others[1:])) for others in neighbours):
        raise ValueError("neighbours must be in ascending order")
    return Board(ids, names, neighbours, list(zip(x, y, strict=True)), special)


def _name_the_fault(territories: Mapping[str, Any]) -> None:
    """Raise ValueError for the first territory that is wrong, with what would be right."""
    bare = {}
    for territory in sorted(territories):
        entry = territories[territory]
        if not ID.match(territory):
            raise ValueError(f"territories has the key {territory!r}; keys must be ids") from None
        if found := fault(TERRITORY, entry, f"territories.{territory}"):
            raise ValueError(found) from None
        bare[territory] = {key: value for key, value in entry.items() if key != "owner"}
    if found := fault_of_map(bare):
        raise ValueError(found.removeprefix("map.")) from None
    for territory, entry in bare.items():
        if list(entry["neighbours"]) != sorted(entry["neighbours"]):
            raise ValueError(f"territories.{territory}.neighbours must be in ascending order") from None
