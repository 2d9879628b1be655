"""The last map of a demo as a drawing, for games that have one."""

from pathlib import Path

from warledger.api import Client, Refused

_NO_DRAWING = "not_acceptable"
"""What the gateway says of a game whose places cannot be drawn."""


def draw(client: Client, game: str, path: Path) -> str:
    """Write the map as it stands to `path`, and say so, or that there is none. Raises Refused for any other fault."""
    try:
        drawing = client.get(f"/games/{game}/map", Accept="image/svg+xml")
    except Refused as refused:
        if refused.code != _NO_DRAWING:
            raise
        return "final map: this game has none that can be drawn; its page shows tables"
    path.write_text(str(drawing))
    return f"final map: {path}"
