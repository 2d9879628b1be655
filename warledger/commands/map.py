"""`warledger map`: maps from outline files, and pictures of maps and games."""

from pathlib import Path
from urllib.parse import quote

import click

from shared.maps.importer import DEFAULT_WIDTH, import_map, write_map
from shared.maps.model import MapError
from shared.maps.svg import render_svg
from shared.rules.interface import CONTROL
from warledger.local import gateway
from warledger.maps import map_named
from warledger.output import MALFORMED, fail, show, show_table


@click.group("map")
def map_group() -> None:
    """Maps."""


@map_group.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", required=True, help="Name of the map.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Map file to write.")
@click.option("--links", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Sea links and specials.")
@click.option("--licence", default="", help="Licence of the data.")
@click.option("--source", default="", help="Where the data comes from.")
@click.option("--layer", help="Object of a TopoJSON file, if it has several.")
@click.option("--name-property", default="name", show_default=True, help="Property with the name of an area.")
@click.option("--id-property", help="Property with the id of an area (default: made from the name).")
@click.option("--width", default=DEFAULT_WIDTH, show_default=True, help="Width of the sheet in map units.")
@click.option("--plan", is_flag=True, help="Coordinates are those of a plan, not longitude and latitude.")
def import_(
    file: Path,
    name: str,
    out: Path,
    links: Path | None,
    licence: str,
    source: str,
    layer: str | None,
    name_property: str,
    id_property: str | None,
    width: int,
    plan: bool,
) -> None:
    """Make a map of TopoJSON or GeoJSON: neighbours are areas with a common border."""
    try:
        made = import_map(
            file,
            links,
            name=name,
            licence=licence,
            source=source,
            layer=layer,
            name_property=name_property,
            id_property=id_property,
            width=width,
            plan=plan,
        )
        write_map(made, out)
    except MapError as error:
        fail(MALFORMED, str(error))
    data = {"file": str(out), "territories": len(made.territories), "sea_links": len(made.sea_links)}
    show(data, f"{out}: {len(made.territories)} territories, {len(made.sea_links)} sea links, sha256 {made.digest}")


@map_group.command("show")
@click.argument("what")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="SVG file to write (default: standard output)."
)
@click.option("--layer", help="Which picture of a game's map; one that it does not have is answered with those it has.")
@click.option("--table", is_flag=True, help="Of a game: what the picture shows as a table instead.")
def show_(what: str, out: Path | None, layer: str | None, table: bool) -> None:
    """Draw a map file, a supplied map (world, small-eight, small-twelve), or the present map of a game."""
    if table:
        _show_table(what, layer or CONTROL.name)
        return
    picture = _picture(what, layer)
    if out is None:
        click.echo(picture)
        return
    out.write_text(picture)
    show({"file": str(out), "bytes": len(picture.encode())}, f"{out}: {len(picture.encode())} bytes")


def _picture(what: str, layer: str | None) -> str:
    if layer is None:
        try:
            return render_svg(map_named(what), {}, {}, title=what)
        except MapError as error:
            if Path(what).exists():
                fail(MALFORMED, str(error))
    return str(gateway().get(f"/games/{what}/map{_query(layer)}", Accept="image/svg+xml"))


def _show_table(game: str, layer: str) -> None:
    told = gateway().get(f"/games/{game}/map{_query(layer)}")
    keys = [column.lower().replace(" ", "_") for column in told["columns"]]
    rows = [dict(zip(keys, row, strict=True)) for row in told["rows"]]
    show_table(rows, dict(zip(keys, told["columns"], strict=True)))


def _query(layer: str | None) -> str:
    return "" if layer is None else f"?layer={quote(layer, safe='')}"
