"""The drawing of a map in one of its layers, and the tables that say the same as all of them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from services.gateway import presenting
from services.gateway.layers import overlay_of, words_of
from services.gateway.presenting import Cell, Table
from services.gateway.spoken import CONFIG
from shared.maps.model import Map
from shared.maps.overlay import Overlay
from shared.maps.svg import render_svg
from shared.maps.table import Row, equal_table, table_of_places
from shared.rules.interface import Layer, Parts

View = Mapping[str, Any]
_Owners = tuple[tuple[str, str | None], ...]
_Value = TypeVar("_Value", str, str | None)
_Names = tuple[tuple[str, str], ...]


def drawing(board: Map, view: View, parts: Parts, layer: Layer, title: str, subtitle: str) -> str:
    """The SVG of a layer; the same picture is drawn once."""
    owners, sides = presenting.owners_of(view, parts), presenting.side_names(view, parts)
    shown = " – ".join(filter(None, (subtitle, layer.title if len(parts.layers) > 1 else "")))
    overlay = overlay_of(layer, view, parts)
    colours = presenting.side_colours(view, parts)
    return _svg(board, _fixed(owners), _fixed(sides), _fixed(colours), title, shown, overlay, words_of(parts))


def _fixed(found: Mapping[str, _Value]) -> tuple[tuple[str, _Value], ...]:
    return tuple(sorted(found.items()))


@lru_cache(maxsize=64)
def _svg(
    board: Map,
    owners: _Owners,
    sides: _Names,
    colours: _Names,
    title: str,
    subtitle: str,
    overlay: Overlay,
    words: tuple[str, str],
) -> str:
    return render_svg(board, dict(owners), dict(sides), title, subtitle, overlay, words, dict(colours))


def layer_view(board: Map | None, view: View, parts: Parts, layer: Layer) -> dict[str, Any]:
    """A layer as a table: what its drawing shows, a row a place, and which other layers there are; also of places that
    no map can be drawn of."""
    names, sides = presenting.names_in(view, parts), presenting.side_names(view, parts)
    overlay = overlay_of(layer, view, parts)
    spots = dict(overlay.spots)
    rows: list[list[str | int]] = [
        [
            row.territory_id,
            names.get(row.territory_id, row.name),
            row.owner_name,
            *overlay.cells(spots.get(row.territory_id), sides),
        ]
        for row in _rows(board, view, parts)
    ]
    return {
        "layer": layer.name,
        "title": layer.title,
        "layers": [other.name for other in parts.layers],
        "columns": ["id", presenting.words(parts.place), "Owner", *overlay.columns],
        "rows": rows,
    }


def tables(view: View, parts: Parts, board: Map | None) -> list[Table]:
    """The equal table of the map with all its layers, drawn or not; of a game without places each collection of its
    view."""
    names = presenting.names_in(view, parts)
    places, sides = presenting.places_of(view, parts), presenting.side_names(view, parts)
    if not places:
        collections = ((name, found) for name, found in view.items() if isinstance(found, Mapping) and name != CONFIG)
        found = (presenting.table_of(name, things, names) for name, things in collections)
        return [presenting.without_empty_columns(table) for table in found if table]
    cells = _cells_of_layers(view, parts, sides)
    found_rows = _rows(board, view, parts)
    rows: list[tuple[Cell, ...]] = [
        (
            names.get(row.territory_id, row.name),
            row.owner_name,
            *(presenting.count_in(places, row.territory_id, count) for count in parts.counts),
            *(of_place.get(row.territory_id, "") for of_place in cells.values()),
            row.special,
            ", ".join(row.land_neighbours),
            ", ".join(row.sea_neighbours),
            ", ".join(row.waters),
        )
        for row in found_rows
    ]
    counts = (presenting.count_title(count) for count in parts.counts)
    by_land = "Neighbours by land" if any(row.sea_neighbours or row.waters for row in found_rows) else "Neighbours"
    beside = (by_land, "Neighbours by sea", "Beside the waters")
    columns = (presenting.words(parts.place), "Owner", *counts, *cells, "Special", *beside)
    return [presenting.without_empty_columns(Table("places", f"All {parts.places}", columns, rows))]


def _rows(board: Map | None, view: View, parts: Parts) -> list[Row]:
    owners, sides = presenting.owners_of(view, parts), presenting.side_names(view, parts)
    if board is None:
        return table_of_places(presenting.places_of(view, parts), owners, sides)
    return equal_table(board, owners, sides)


def _cells_of_layers(view: View, parts: Parts, sides: Mapping[str, str]) -> dict[str, dict[str, Cell]]:
    """Heading -> place -> what the layers show of it; a mark of several layers is told once."""
    found: dict[str, dict[str, Cell]] = {}
    for layer in parts.layers:
        overlay = overlay_of(layer, view, parts)
        for id_, spot in overlay.spots:
            for heading, cell in zip(overlay.columns, overlay.cells(spot, sides), strict=True):
                found.setdefault(heading, {})[id_] = cell
    return found
