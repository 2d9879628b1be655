"""What a game brings so that its prices can be quoted (design, Layout: economy).

A quote is made from what everybody may know: the public documents of some kinds, read once into a table that serves
every question until one of them changes. Of who asks it needs nothing but the id.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from shared.rules.interface import Json, Refusal, Rules
from shared.rules.shapes import Object

Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class Pricing(Generic[Table]):
    """How prices of a game are quoted. `question` is the form of what is asked, `kinds` are kinds of documents."""

    kinds: tuple[str, ...]
    question: Object
    read: Callable[[Mapping[str, Any]], Table]
    """The table, from the view that somebody without a token has of the documents of these kinds."""
    quote: Callable[[Table, str, Mapping[str, Any]], dict[str, Json] | Refusal]
    """The price for an actor, with the rows that make it, each with its rule; the table is not changed."""


def pricing_of(rules: Rules[Any]) -> Pricing[Any] | None:
    """How prices are quoted under rules that have some (attribute `pricing`)."""
    found: Pricing[Any] | None = getattr(rules, "pricing", None)
    return found
