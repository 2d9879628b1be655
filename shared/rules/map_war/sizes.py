"""How large what a player sends may be, so that each event that comes of it stays below 256 KB.

An item is stored with the defaults of what it leaves out, the worst of codes and its place: a short payload may make an
event of many times its length. Sizes are therefore counted of the event, each item as if it were faulty.
"""

from collections.abc import Mapping
from typing import Any

LARGEST = 240_000
"""Most characters of the items of an event; what else is in it and around it has less than 20,000."""
_NUMBER = 17
"""Characters of a number, with its comma."""
_FAULT = 50
"""Characters of the longest code and of the longest place, with quotes and commas."""
_FRAMES: Mapping[str, int] = {
    "claims": _FAULT + len('"",'),
    "conquests": _FAULT + len('{"advance":false,"support":[],"zone":""},'),
    "builds": _FAULT + len('{"structure":"","zone":""},'),
    "cancels": _FAULT + len('{"structure":"","zone":""},'),
    "moves": _FAULT + len('{"board":,"piece":},') + 2 * _NUMBER,
}
"""Characters of an item without the ids, words and lists in it; that of a move counts a ship, or the frame of `to`."""
_ZONE_OF_A_DEAL = len('"","":"",')
"""Characters of a zone in the terms and among the owners afterwards, without ids."""
_LONGEST_ID = 64


def fault_of_orders(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with the size of a submission of the right form."""
    size = sum(_FRAMES["claims"] + len(zone) for zone in payload.get("claims", ()))
    for item in payload.get("conquests", ()):
        size += _FRAMES["conquests"] + len(item["zone"]) + _NUMBER * len(item.get("support", ()))
    for name in ("builds", "cancels"):
        size += sum(_FRAMES[name] + len(item["structure"]) + len(item["zone"]) for item in payload.get(name, ()))
    size += sum(_FRAMES["moves"] + len(item.get("to", "")) for item in payload.get("moves", ()))
    if size <= LARGEST:
        return None
    frames = ", ".join(f"{frame} for each of {name}" for name, frame in _FRAMES.items())
    return (
        f"payload must be shorter: {frames}, {_NUMBER} for a piece that supports, and the length of zones and "
        f"structures may be {LARGEST} in all, not {size}"
    )


def fault_of_deal(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with the size of an offer of the right form."""
    zones = [zone for side in ("give", "get") for zone in payload.get(side, {}).get("zones", ())]
    frame = _ZONE_OF_A_DEAL + _LONGEST_ID
    size = sum(frame + 2 * len(zone) for zone in zones)
    if size <= LARGEST:
        return None
    return (
        f"payload must be shorter: {frame} for a zone and twice the length of its id may be {LARGEST} in all, "
        f"not {size}"
    )
