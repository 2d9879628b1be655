"""Names and ids of imported territories."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from shared.maps.model import MapError
from shared.maps.outlines import Area, Outlines
from shared.maps.reading import kind

LONGEST_NAME = 100
LONGEST_REMARK = 2000


def names_of(outlines: Outlines, name_property: str) -> list[str]:
    """Return the name of each area from its property `name_property`."""
    return [_name(outlines, area, name_property) for area in outlines.areas]


def ids_of(outlines: Outlines, names: Sequence[str], id_property: str | None) -> list[str]:
    """Return the id of each area: from `id_property`, else from its name; "id" also finds that beside them.

    Raises `MapError` if an area has none or two areas get the same.
    """
    found: dict[str, Area] = {}
    for area, name in zip(outlines.areas, names, strict=True):
        source = name if id_property is None else _identifier(outlines, area, id_property)
        territory_id = slug(source)
        if not territory_id:
            raise MapError(
                outlines.file,
                area.place,
                f"{source!r} gives no id; an id needs a Latin letter or digit, name a property that has them",
            )
        if territory_id in found:
            raise MapError(
                outlines.file,
                f"{area.place} (territory {territory_id!r})",
                f"has the same id as {found[territory_id].place}; ids must differ, name a property that does",
            )
        found[territory_id] = area
    return list(found)


def slug(text: str) -> str:
    """Return `text` as an id: letters without accents, lower case, anything else a hyphen, at most 64 characters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain.replace("'", "-")).strip("-")[:64].strip("-")


def _name(outlines: Outlines, area: Area, name_property: str) -> str:
    value = area.properties.get(name_property)
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= LONGEST_NAME:
        known = ", ".join(sorted(area.properties)) or "none"
        raise MapError(
            outlines.file,
            area.place,
            f"property {name_property!r} must be a name of 1 to {LONGEST_NAME} characters, is {kind(value)}; "
            f"properties here: {known}",
        )
    return value.strip()


def _identifier(outlines: Outlines, area: Area, id_property: str) -> str:
    value = area.properties.get(id_property)
    if value is None and id_property == "id":
        value = area.own_id
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise MapError(
            outlines.file, area.place, f"property {id_property!r} must be a text or an integer, is {kind(value)}"
        )
    return str(value)
