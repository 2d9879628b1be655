"""The last map of a demo as drawings, one a layer, for games that have one."""

from collections.abc import Sequence
from pathlib import Path

from shared.rules.interface import Layer
from warledger.api import Client, Refused

_NO_DRAWING = "not_acceptable"
"""What the gateway says of a game whose places cannot be drawn."""


def draw(client: Client, game: str, path: Path, layers: Sequence[Layer]) -> str:
    """Write the map as it stands to `path`, its further layers beside it under their names, and say so, or that there
    is none. Raises Refused for any other fault."""
    drawn = []
    for layer in layers:
        file = path if layer is layers[0] else path.with_stem(f"{path.stem}-{layer.name}")
        try:
            drawing = client.get(f"/games/{game}/map?layer={layer.name}", Accept="image/svg+xml")
        except Refused as refused:
            if refused.code != _NO_DRAWING:
                raise
            return "final map: this game has none that can be drawn; its page shows tables"
        file.write_text(str(drawing))
        drawn.append(str(file))
    return f"final map: {', '.join(drawn)}"
