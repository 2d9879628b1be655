"""Simple bots for Exgenhoca Wars: each knows what its own account sees and decides by a seeded generator of its own."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

View = Mapping[str, Any]


class Choice(NamedTuple):
    """A command and its payload."""

    type: str
    payload: dict[str, Any]


def choose(view: View, reach: View | None, items: View | None, chance: random.Random) -> Choice | None:
    """What a bot does next, or None if it has nothing to do.

    `view` is what it sees of map and orders; `reach` and `items` are the answers to its questions of these names, None
    if the rules gave none.
    """
    own = view["players"][view["you"]["player"]]
    if own["pending"] == "swap":
        return Choice("resolve_swap", {"decline": True})
    if own["pending"] == "loss":
        return Choice("resolve_loss", {"territory": _least_useful(view, own["seat"])})
    if reach is None or reach["refusal"] is not None:
        return None
    allowed = sorted(name for name, target in reach["targets"].items() if target["allowed"])
    if not allowed:
        return None
    held = _held(view, own["seat"])
    target = max(allowed, key=lambda name: (_worth(view, held, name), chance.random()))
    return Choice("attack", {"target": target, "use": _use(items)})


def _held(view: View, seat: int) -> Counter[str]:
    """Continent -> territories of a seat."""
    return Counter(place["continent"] for place in view["territories"].values() if place["owner"] == seat)


def _worth(view: View, held: Counter[str], target: str) -> int:
    """How many per cent of its continent an attacker holds with it."""
    continent: str = view["territories"][target]["continent"]
    size: int = sum(place["continent"] == continent for place in view["territories"].values())
    return 100 * (held[continent] + 1) // size


def _least_useful(view: View, seat: int) -> str:
    """An own territory where little of the continent is held."""
    held = _held(view, seat)
    own: list[str] = [name for name, place in view["territories"].items() if place["owner"] == seat]
    return min(own, key=lambda name: (held[view["territories"][name]["continent"]], name))


def _use(items: View | None) -> dict[str, Any]:
    """Whatever helps at once; a won tie is used up only where it decides."""
    usable = Counter(item["effect"] for item in items["items"] if item["usable"]) if items else Counter[str]()
    use: dict[str, Any] = {}
    if usable["P1"]:
        use["plus5"] = True
    if usable["P6"]:
        use["tie"] = True
    if usable["P3"]:
        use["rerolls"] = min(2, usable["P3"])
    return use
