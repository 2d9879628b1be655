"""What a picture shows of places besides their owners: amounts, what stands in them, what distinguishes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Sign(NamedTuple):
    """A sign (shared.maps.symbols.PIECES), and the words for one and for several of what it draws."""

    name: str
    word: str
    plural: str


class Stack(NamedTuple):
    """What one side has in a place: a number for each kind of the overlay."""

    side: str
    counts: tuple[int, ...]


class Spot(NamedTuple):
    """What is shown of one place. `marks` are indices into those of the overlay, each with the side that it names,
    None where it names none; `word` names the one thing that stands there."""

    amount: int = 0
    stacks: tuple[Stack, ...] = ()
    marks: tuple[tuple[int, str | None], ...] = ()
    word: str = ""


@dataclass(frozen=True)
class Overlay:
    """A layer of a map, filled in. `shaded`: places are shaded by amount instead of coloured by owner.

    `worded`: what stands in a place has a word of its own. `spots` holds those places that have anything to show.
    """

    title: str
    shaded: bool = False
    worded: bool = False
    kinds: tuple[Sign, ...] = ()
    marks: tuple[Sign, ...] = ()
    spots: tuple[tuple[str, Spot], ...] = ()

    @property
    def amount_sign(self) -> Sign:
        """What parts an amount from the number of a place in the key."""
        return Sign("diamond", self.title.lower(), self.title.lower())

    @property
    def signs(self) -> tuple[Sign, ...]:
        """All that the picture draws."""
        return (*((self.amount_sign,) if self.shaded else ()), *self.marks, *self.kinds)

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings of `cells`."""
        amount = (self.title,) if self.shaded else ()
        pieces = (self.title,) if self.kinds or self.worded else ()
        return (*amount, *pieces, *(mark.word.capitalize() for mark in self.marks))

    def cells(self, spot: Spot | None, sides: Mapping[str, str]) -> tuple[str | int, ...]:
        """What the picture shows of a place, in words; `sides` are the names of sides."""
        shown = spot or Spot()
        amount = (shown.amount,) if self.shaded else ()
        pieces = (self._standing(shown, sides),) if self.kinds or self.worded else ()
        named = dict(shown.marks)
        marks = (_marked(named, number, sides) for number in range(len(self.marks)))
        return (*amount, *pieces, *marks)

    def said(self, spot: Spot | None, sides: Mapping[str, str]) -> Sequence[str]:
        """The same in phrases; what is not there is not said."""
        if spot is None:
            return ()
        phrases = [f"{self.title.lower()} {spot.amount}"] if self.shaded else []
        if spot.stacks or spot.word:
            phrases.append(self._standing(spot, sides))
        return [*phrases, *(self._phrase(number, side, sides) for number, side in spot.marks)]

    def _standing(self, spot: Spot, sides: Mapping[str, str]) -> str:
        stacks = [f"{sides.get(stack.side, stack.side)}: {', '.join(self._counted(stack))}" for stack in spot.stacks]
        return "; ".join([*((spot.word,) if spot.word else ()), *stacks])

    def _counted(self, stack: Stack) -> Iterator[str]:
        for kind, count in zip(self.kinds, stack.counts, strict=True):
            if count:
                yield f"{count} {kind.word if count == 1 else kind.plural}"

    def _phrase(self, number: int, side: str | None, sides: Mapping[str, str]) -> str:
        word = self.marks[number].word
        return word if side is None else f"{word} of {sides.get(side, side)}"


def _marked(named: Mapping[int, str | None], number: int, sides: Mapping[str, str]) -> str:
    if number not in named:
        return ""
    side = named[number]
    return "yes" if side is None else sides.get(side, side)
