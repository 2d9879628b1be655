"""Makes a map from an outline file: `warledger map import`."""

from __future__ import annotations

from pathlib import Path

from shared.maps.check import check_map
from shared.maps.geojson import read_geojson
from shared.maps.geometry import centre
from shared.maps.links import Links, read_links
from shared.maps.model import Map, MapError, Territory
from shared.maps.naming import ids_of, names_of
from shared.maps.outlines import Outlines
from shared.maps.projection import DEFAULT_CENTRE, Sheet, project
from shared.maps.reading import kind, read_json
from shared.maps.topology import read_topology

DEFAULT_WIDTH = 3600


def import_map(
    source_path: Path,
    links_path: Path | None = None,
    *,
    name: str,
    licence: str = "",
    source: str = "",
    layer: str | None = None,
    name_property: str = "name",
    id_property: str | None = None,
    width: int = DEFAULT_WIDTH,
    plan: bool = False,
    centre_longitude: int = DEFAULT_CENTRE,
) -> Map:
    """Read TopoJSON or GeoJSON at `source_path` and the links at `links_path`, and return the checked map.

    Neighbours are the areas with a common border and the sea links. `layer` names an object of a topology; ids come
    from `id_property`, or from the names; `width` is the sheet's, in map units; `plan` says that coordinates are no
    longitudes and latitudes; `licence` and `source` go before those of the links file; `centre_longitude` is the
    meridian in the middle of the sheet, in degrees. Raises `MapError`, which names the file, the place in it and the
    reason.
    """
    outlines = read_outlines(source_path, layer)
    names = names_of(outlines, name_property)
    ids = ids_of(outlines, names, id_property)
    links = Links() if links_path is None else read_links(links_path, ids)
    kept = [index for index, territory_id in enumerate(ids) if territory_id not in links.drop]
    # What is left out must not take room on the sheet.
    sheet = project(
        Outlines(outlines.file, tuple(outlines.areas[index] for index in kept), frozenset()),
        width,
        plan=plan,
        centre=centre_longitude,
    )
    neighbours = _neighbours(outlines, ids, links)
    territories = {}
    for place, index in sorted(enumerate(kept), key=lambda pair: ids[pair[1]]):
        territory_id, rings = ids[index], sheet.shapes[place]
        if not rings:
            raise MapError(
                outlines.file,
                f"{outlines.areas[index].place} (territory {territory_id!r})",
                f"is smaller than one map unit; make the map wider than {width} or leave the territory out",
            )
        x, y = centre(rings)
        territories[territory_id] = Territory(
            name=links.names.get(territory_id, names[index]),
            neighbours=tuple(sorted(neighbours[territory_id])),
            x=x,
            y=y,
            special=links.specials.get(territory_id),
        )
    made = Map(
        name=name,
        licence=licence or links.licence,
        source=source or links.source,
        width=sheet.width,
        height=sheet.height,
        wraps=sheet.wraps,
        territories=territories,
        sea_links=links.sea_links,
        shapes=_shapes(sheet, ids, kept),
    )
    return check_map(made.document(), str(source_path))


def read_outlines(path: Path, layer: str | None = None) -> Outlines:
    """Read an outline file of either form, which its `type` tells."""
    document = read_json(path)
    form = document.need("type")
    if form.value == "Topology":
        return read_topology(document, layer)
    if form.value == "FeatureCollection":
        return read_geojson(document)
    raise form.fault(f"must be Topology (TopoJSON) or FeatureCollection (GeoJSON), is {kind(form.value)}")


def write_map(made: Map, path: Path) -> None:
    """Write a map file: canonical JSON and a line feed."""
    path.write_bytes(made.canonical + b"\n")


def _shapes(sheet: Sheet, ids: list[str], kept: list[int]) -> dict[str, tuple[tuple[int, ...], ...]]:
    return {ids[index]: sheet.shapes[place] for place, index in enumerate(kept)}


def _neighbours(outlines: Outlines, ids: list[str], links: Links) -> dict[str, set[str]]:
    neighbours: dict[str, set[str]] = {territory_id: set() for territory_id in ids}
    for i, j in outlines.borders:
        neighbours[ids[i]].add(ids[j])
        neighbours[ids[j]].add(ids[i])
    for a, b in links.sea_links:
        if b in neighbours[a]:
            raise MapError(
                outlines.file,
                f"territory {a!r}",
                f"has a land border with {b!r}; the links file needs no sea link there",
            )
        neighbours[a].add(b)
        neighbours[b].add(a)
    return {
        territory_id: {neighbour for neighbour in found if neighbour not in links.drop}
        for territory_id, found in neighbours.items()
        if territory_id not in links.drop
    }
