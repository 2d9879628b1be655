"""Reads map files and refuses what GXC calls `bad_map`, naming the territory and what would have been right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from shared.maps.links import special
from shared.maps.model import LARGEST_COORDINATE, TERRITORY_ID, Map, MapError, Ring, Territory
from shared.maps.naming import LONGEST_NAME, LONGEST_REMARK
from shared.maps.reading import TOP, Node, kind, parse_json, read_json

_LARGEST_SHEET = 100_000
Neighbours = Mapping[str, frozenset[str]]
"""Territory -> those it names."""
_TERRITORY_KEYS = ("name", "neighbours", "centroid", "special")
_PLACES = ("territories", "zones")
"""What games call the places of a map."""


def read_map(path: Path) -> Map:
    """Read the map file at `path`. Raises `MapError` if it cannot be read, is no JSON or no map."""
    return _map(read_json(path))


def parse_map(data: bytes, file: str) -> Map:
    """Read a map from the bytes of a map file; `file` is its name in refusals."""
    return _map(parse_json(data, file))


def check_map(document: object, file: str) -> Map:
    """Return the map that the JSON value `document` holds. Raises `MapError` if it is none."""
    return _map(Node(file, TOP, document))


def check_drawing(document: Mapping[str, object], file: str) -> None:
    """Raise `MapError` for what draws a map and is wrong, of what is there; rules do not read it.

    Its territories, or zones, are for the rules of its game to judge; here they are what shapes and sea links may name.
    """
    entries = {key: Node(file, key, value) for key, value in document.items()}
    for key, read in _SIMPLE.items():
        if key in entries:
            read(entries[key])
    territories = next((document[name] for name in _PLACES if name in document), None)
    neighbours = {key: _names_in(entry) for key, entry in territories.items()} if isinstance(territories, dict) else {}
    if "sea_links" in entries:
        _sea_links(entries["sea_links"], neighbours)
    if "shapes" in entries:
        _shapes(entries["shapes"], neighbours)


def _names_in(entry: object) -> frozenset[str]:
    """The neighbours that an entry of any form names."""
    named = entry.get("neighbours") if isinstance(entry, dict) else None
    found = named if isinstance(named, (list, tuple)) else ()
    return frozenset(item for item in found if isinstance(item, str))


def map_of_territories(territories: object, name: str = "map") -> Map:
    """Return the map of a game that was created without a map file, from its `map.territories` alone.

    It has no shapes; its sheet is as large as the centroids need. Raises `MapError` for what is `bad_map`.
    """
    found = _territories(Node(name, "territories", territories))
    return Map(
        name=name,
        width=max(1, *(territory.x for territory in found.values())),
        height=max(1, *(territory.y for territory in found.values())),
        territories=found,
    )


def _map(document: Node) -> Map:
    entries = document.fields(
        ("name", "width", "height", "territories"), ("licence", "source", "sea_links", "shapes", "wraps")
    )
    territories = _territories(entries["territories"])
    neighbours = {territory_id: frozenset(territory.neighbours) for territory_id, territory in territories.items()}
    return Map(
        name=_name(entries["name"]),
        licence=_remark(entries["licence"]) if "licence" in entries else "",
        source=_remark(entries["source"]) if "source" in entries else "",
        width=_side(entries["width"]),
        height=_side(entries["height"]),
        wraps=entries["wraps"].flag() if "wraps" in entries else False,
        territories=territories,
        sea_links=_sea_links(entries["sea_links"], neighbours) if "sea_links" in entries else (),
        shapes=_shapes(entries["shapes"], neighbours) if "shapes" in entries else {},
    )


def _name(node: Node) -> str:
    return node.text(LONGEST_NAME, 1)


def _remark(node: Node) -> str:
    return node.text(LONGEST_REMARK)


def _side(node: Node) -> int:
    return node.integer(1, _LARGEST_SHEET)


_SIMPLE: Mapping[str, Callable[[Node], object]] = {
    "name": _name,
    "licence": _remark,
    "source": _remark,
    "width": _side,
    "height": _side,
    "wraps": Node.flag,
}


def _territories(node: Node) -> dict[str, Territory]:
    entries = node.entries()
    if not entries:
        raise node.fault("is empty; a map needs at least one territory")
    territories = {territory_id: _territory(territory_id, entries[territory_id]) for territory_id in sorted(entries)}
    for territory_id, territory in territories.items():
        _check_edges(node.file, territory_id, territory, territories)
    return territories


def _territory(territory_id: str, node: Node) -> Territory:
    place = f"territory {territory_id!r}"
    if TERRITORY_ID.fullmatch(territory_id) is None:
        raise MapError(node.file, place, "an id must be 1 to 64 of A-Z, a-z, 0-9, _ and -")
    fields = {key: field.named(f"{place}: {key}") for key, field in node.named(place).fields(_TERRITORY_KEYS).items()}
    centroid = fields["centroid"].fields(("x", "y"))
    return Territory(
        name=fields["name"].text(LONGEST_NAME, 1),
        neighbours=_neighbours(fields["neighbours"]),
        x=centroid["x"].integer(-LARGEST_COORDINATE, LARGEST_COORDINATE),
        y=centroid["y"].integer(-LARGEST_COORDINATE, LARGEST_COORDINATE),
        special=None if fields["special"].value is None else special(fields["special"]),
    )


def _neighbours(node: Node) -> tuple[str, ...]:
    found: set[str] = set()
    for item in node.items():
        if not isinstance(item.value, str):
            raise item.fault(f"must be the id of a territory, is {kind(item.value)}")
        if item.value in found:
            raise node.fault(f"names {item.value!r} twice; each neighbour stands once")
        found.add(item.value)
    return tuple(sorted(found))


def _check_edges(file: str, territory_id: str, territory: Territory, all_of_them: Mapping[str, Territory]) -> None:
    for neighbour in territory.neighbours:
        if neighbour == territory_id:
            reason = "is its own neighbour; a neighbour is another territory"
        elif neighbour not in all_of_them:
            reason = f"has the neighbour {neighbour!r}, which the map does not have; add it or leave it out here"
        elif territory_id not in all_of_them[neighbour].neighbours:
            reason = (
                f"has the neighbour {neighbour!r}, which does not name it in turn; "
                f"add {territory_id!r} to the neighbours of {neighbour!r} or leave it out here"
            )
        else:
            continue
        raise MapError(file, f"territory {territory_id!r}", reason)


def _sea_links(node: Node, neighbours: Neighbours) -> tuple[tuple[str, str], ...]:
    links: set[tuple[str, str]] = set()
    for item in node.items():
        ends = [_territory_id(end, neighbours) for end in item.items()]
        if len(ends) != 2:
            raise item.fault(f"a sea link must name two territories, names {len(ends)}")
        a, b = sorted(ends)
        if b not in neighbours[a]:
            raise item.fault(f"links {a!r} and {b!r}, which are no neighbours; add each to the neighbours of the other")
        if (a, b) in links:
            raise item.fault(f"links {a!r} and {b!r} a second time; name each pair once")
        links.add((a, b))
    return tuple(sorted(links))


def _shapes(node: Node, neighbours: Neighbours) -> dict[str, tuple[Ring, ...]]:
    shapes: dict[str, tuple[Ring, ...]] = {}
    for territory_id, rings in sorted(node.entries().items()):
        _territory_id(Node(node.file, rings.place, territory_id), neighbours)
        shapes[territory_id] = tuple(_ring(ring) for ring in rings.items())
    return shapes


def _ring(node: Node) -> Ring:
    ring = node.value
    if (
        not isinstance(ring, (list, tuple))
        or len(ring) < 6
        or len(ring) % 2
        or not all(type(value) is int and -LARGEST_COORDINATE <= value <= LARGEST_COORDINATE for value in ring)
    ):
        raise node.fault(f"must be a list x0, y0, x1, y1, ... of 6 or more integers within ±{LARGEST_COORDINATE}")
    return tuple(ring)


def _territory_id(node: Node, neighbours: Neighbours) -> str:
    if not isinstance(node.value, str) or node.value not in neighbours:
        raise node.fault(f"names the territory {kind(node.value)}, which the map does not have")
    return node.value
