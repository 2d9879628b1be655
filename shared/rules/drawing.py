"""What a map file holds beside its graph: pictures need it, no rule reads it (docs/maps.md)."""

from collections.abc import Mapping

from shared.rules.shapes import Anything, Shape

DRAWING: Mapping[str, Shape] = {
    name: Anything() for name in ("height", "licence", "name", "sea_links", "shapes", "source", "width", "wraps")
}
"""Optional fields of the `map` of a creation; all games take a map file as it is."""
