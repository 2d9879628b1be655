"""The last map of a demo, one a layer: as a drawing where it can be drawn, and as a table that says the same."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shared.rules.interface import Layer
from warledger.api import Client, Refused

_NOT_THERE = "not_acceptable"
"""What the gateway says of a game whose places cannot be drawn, or that has none."""


def draw(client: Client, game: str, path: Path, layers: Sequence[Layer]) -> Iterator[str]:
    """Write the map as it stands to `path`, its further layers beside it under their names, and each as a table in
    text; say where they lie, or that there is none. Raises Refused for any other fault."""
    drawings, tables = [], []
    for layer in layers:
        file = path if layer is layers[0] else path.with_stem(f"{path.stem}-{layer.name}")
        address = f"/games/{game}/map?layer={layer.name}"
        drawing = _if_there(client, address, "image/svg+xml")
        if drawing is not None:
            file.write_text(str(drawing))
            drawings.append(str(file))
        table = _if_there(client, address, "application/json")
        if table is not None:
            beside = file.with_suffix(".txt")
            beside.write_text("".join(f"{line}\n" for line in _lines(table)))
            tables.append(str(beside))
    yield f"final map: {', '.join(drawings) or 'this game has none that can be drawn; its page shows tables'}"
    if tables:
        yield f"the same as tables: {', '.join(tables)}"


def _if_there(client: Client, address: str, form: str) -> Any:
    try:
        return client.get(address, Accept=form)
    except Refused as refused:
        if refused.code != _NOT_THERE:
            raise
        return None


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    """The columns of a layer one below the other."""
    rows = [[str(cell) for cell in row] for row in (table["columns"], *table["rows"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
