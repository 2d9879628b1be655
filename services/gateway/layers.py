"""The pictures of a game's map, as the game names them (interface.Parts.layers), filled in from what a viewer sees."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.gateway import presenting
from shared.errors import Problem
from shared.maps.overlay import Overlay, Sign, Spot, Stack
from shared.rules.interface import Layer, Mark, Parts

View = Mapping[str, Any]


def layer_named(parts: Parts, name: str | None) -> Layer:
    """The layer of this name, the first without one. Raises Problem `malformed`."""
    for layer in parts.layers:
        if name in (None, layer.name):
            return layer
    raise Problem("malformed", f"layer must be one of {', '.join(layer.name for layer in parts.layers)}")


def overlay_of(layer: Layer, view: View, parts: Parts) -> Overlay:
    """What the layer shows besides owners. A view that lacks a section or field shows nothing of it."""
    places = presenting.places_of(view, parts)
    amounts = {id_: _amount(place.get(layer.amount)) for id_, place in places.items()} if layer.amount else {}
    stacks = _stacks(layer.pieces, view, parts) if layer.pieces else {}
    marks = _marks(layer.marks, view, parts)
    words = {id_: str(place[layer.word]) for id_, place in places.items() if layer.word and place.get(layer.word)}
    spots = {
        id_: Spot(
            amounts.get(id_, 0),
            tuple(_in_order(layer, stacks.get(id_, {}))),
            tuple(marks.get(id_, ())),
            words.get(id_, ""),
        )
        for id_ in {**amounts, **stacks, **marks, **words}
        if id_ in places
    }
    return Overlay(
        layer.title,
        layer.amount is not None,
        layer.word is not None,
        tuple(_sign(piece.word, piece.sign) for piece in layer.kinds),
        tuple(_sign(mark.word, mark.sign) for mark in layer.marks),
        tuple(sorted((id_, spot) for id_, spot in spots.items() if spot != Spot())),
    )


def words_of(parts: Parts) -> tuple[str, str]:
    """What one place is called, and several."""
    return parts.place, parts.places or parts.place


def _sign(words: str, name: str) -> Sign:
    word, _, plural = words.partition("|")
    return Sign(name, word, plural or f"{word}s")


def _amount(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


Counts = dict[str, dict[str, int]]
"""Side -> kind -> number."""


def _stacks(name: str, view: View, parts: Parts) -> dict[str, Counts]:
    """Place -> what stands there, from a section of things or from a field of places."""
    found: dict[str, Counts] = {}
    things = view.get(name)
    if isinstance(things, Mapping):
        for thing in things.values():
            counts = found.setdefault(str(thing[parts.place]), {}).setdefault(str(thing[parts.side]), {})
            counts[thing["kind"]] = counts.get(thing["kind"], 0) + 1
        return found
    for id_, place in presenting.places_of(view, parts).items():
        found[id_] = {str(side): dict(counts) for side, counts in place.get(name, {}).items()}
    return found


def _in_order(layer: Layer, held: Counts) -> Iterator[Stack]:
    """Sides in the order of their letters, those with any."""
    for side in sorted(held):
        counts = tuple(_amount(held[side].get(piece.kind, 0)) for piece in layer.kinds)
        if any(counts):
            yield Stack(side, counts)


def _marks(marks: Sequence[Mark], view: View, parts: Parts) -> dict[str, list[tuple[int, str | None]]]:
    found: dict[str, list[tuple[int, str | None]]] = {}
    for number, mark in enumerate(marks):
        marked = _of_sides(mark, view, parts) if mark.of_sides else _of_places(mark, view, parts)
        for place, side in sorted(marked.items()):
            found.setdefault(place, []).append((number, side))
    return found


def _of_sides(mark: Mark, view: View, parts: Parts) -> dict[str, str | None]:
    """Place -> the side that names it."""
    sides = presenting.sides_of(view, parts).items()
    return {str(item[mark.field]): side for side, item in sides if item.get(mark.field) is not None}


def _of_places(mark: Mark, view: View, parts: Parts) -> dict[str, str | None]:
    """Place -> the side that it names, None if it is marked for itself."""
    places = presenting.places_of(view, parts).items()
    named = {id_: place.get(mark.field) for id_, place in places}
    return {id_: None if value is True else str(value) for id_, value in named.items() if value not in (None, False)}
