"""Answers of any game to drafts with the largest integers that a body may hold: they can be written down as JSON."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from shared.canonical import MAX_INTEGER, canonical, parse
from shared.rules.interface import Refusal, Registration, Rules
from shared.rules.pricing import pricing_of
from shared.rules.shapes import Anything, Array, Boolean, Choice, Id, Integer, Keyed, Maybe, Object, OneOf, Shape, Text
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games
from tests.rules.conformance.play import again, deal, played
from tests.rules.conformance.test_advice import questions_of, views

LOOKED_EVERY = 20
LONG = 60
"""Entries of a list: so many of the largest integers are beyond 64 bits, whatever they are multiplied with."""
TRIES = 12
Ids = tuple[str, ...]


def enlarged(value: Any, shape: Shape | None, integer: int) -> Any:
    """What was said, with long lists and another integer in the place of its own: the nearest that its form takes."""
    match value:
        case bool() | str() | None:
            return value
        case int():
            return nearest(shape, integer)
        case Mapping():
            return {name: enlarged(item, inside(shape, name), integer) for name, item in value.items()}
    return ([enlarged(item, inside(shape, ""), integer) for item in value] * LONG)[:LONG]


def inside(shape: Shape | None, name: str) -> Shape | None:
    """The form of what has this name, or of every entry; None where it is not one form."""
    match shape:
        case Object(fields):
            return fields.get(name)
        case Array(of) | Keyed(of):
            return of
        case Maybe(of):
            return inside(of, name)
    return None


def nearest(shape: Shape | None, integer: int) -> int:
    """An integer, or the bound of its form that it is beyond."""
    match shape:
        case Integer(minimum, maximum):
            lowest, highest = (-MAX_INTEGER if minimum is None else minimum), (maximum or MAX_INTEGER)
            return max(lowest, min(integer, highest))
        case Maybe(of):
            return nearest(of, integer)
    return integer


def large(shape: Shape, random: Random, ids: Ids, drafts: list[Any]) -> Any:
    """A value of a form, with the largest integers that it takes; what may have any form is one of the drafts."""
    match shape:
        case Integer(_, maximum):
            return MAX_INTEGER if maximum is None else maximum
        case Boolean():
            return True
        case Text():
            return random.choice(ids)
        case Id(prefixes):
            return random.choice(("", *prefixes)) + random.choice(ids)
        case Choice(of):
            return random.choice(of)
        case Array(of, most):
            return [large(of, random, ids, drafts) for _ in range(LONG if most is None else min(LONG, most))]
        case Keyed(of):
            return {random.choice(ids): large(of, random, ids, drafts) for _ in range(3)}
        case Maybe(of):
            return large(of, random, ids, drafts)
        case OneOf(of):
            return large(random.choice(of), random, ids, drafts)
        case Anything():
            return random.choice(drafts)
        case Object(fields, optional):
            kept = [name for name in fields if name not in optional or random.random() < 0.5]
            return {name: large(fields[name], random, ids, drafts) for name in kept}


def ids_of(view: Mapping[str, Any]) -> Ids:
    """The ids of what a game is played on, and some that are none of it."""
    known = [id_ for value in view.values() if isinstance(value, Mapping) for id_ in value]
    return tuple(sorted({"1", "2", "nowhere", *known}))


def drafts_of(rules: Rules[Any], table: Table) -> list[Any]:
    """Every kind of thing that was said at a table, with the largest integers of its form and of a body."""
    said = {(item.input.type, *item.input.payload): item.input for item in table.journal}
    return [
        enlarged(dict(given.payload), shape, integer)
        for given in said.values()
        if given.type in rules.commands
        for shape in (rules.commands[given.type].payload, None)
        for integer in (MAX_INTEGER, -MAX_INTEGER)
    ]


def stopped(registered: Registration[Any], seed: int) -> Iterator[Table]:
    """A game as it is now and then while it is played."""
    table = deal(registered.load(), seed)
    for number, _ in enumerate(again(table, played(registered, seed))):
        if number % LOOKED_EVERY == 0:
            yield table


def check(answer: Mapping[str, Any] | Refusal, question: Mapping[str, Any]) -> bool:
    """Whether it is an answer, which must come back from JSON as it is: within 53 bits."""
    if isinstance(answer, Refusal):
        return False
    assert parse(canonical(answer)) == answer, question
    return True


@pytest.mark.slow
@games
def test_advice_on_the_largest_numbers_can_be_written_down(registered: Registration[Any]) -> None:
    rules: Rules[Any] = registered.load()
    random, answered = Random(1), set()
    for table in stopped(registered, 1):
        drafts = drafts_of(rules, played(registered, 1))
        for view in views(table):
            ids = ids_of(view)
            for kind, form in questions_of(rules).items():
                asked = [{**large(form, random, ids, drafts), "type": kind} for _ in range(TRIES)]
                asked += [{"type": kind, "payload": draft} for draft in drafts if "payload" in form.fields]
                for question in asked:
                    question.pop("player", None)
                    if check(rules.advise(view, question), question):
                        answered.add(kind)
    assert answered == set(questions_of(rules))


@games
def test_prices_of_the_largest_amounts_can_be_written_down(registered: Registration[Any]) -> None:
    rules: Rules[Any] = registered.load()
    pricing = pricing_of(rules)
    random, answered = Random(1), 0
    for table in stopped(registered, 1) if pricing is not None else ():
        assert pricing is not None
        view = next(views(table))
        prices = pricing.read(view)
        for name in sorted(view.get("players", view.get("nations", {}))):
            for _ in range(TRIES * TRIES):
                question = large(pricing.question, random, ids_of(view), [])
                answered += check(pricing.quote(prices, name, question), question)
    assert answered or pricing is None
