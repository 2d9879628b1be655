"""What a viewer may see is built up from a whitelist, and does not depend on the secrets of others (docs/design.md)."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from shared.canonical import canonical
from shared.rules.interface import Document, Registration
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import again, deal, played, say
from tests.rules.conformance.players import Fork, Move, player_of

DEEPEST = 80
"""Moves before the longest of the games that differ in secrets."""


def viewers(table: Table) -> list[str]:
    players = sorted({item.input.actor for item in table.journal if item.input.role == "player"})
    return ["public", "operator", *players]


@games
@seeds
def test_kinds_and_fields_that_a_view_does_not_know_stay_out_of_it(registered: Registration[Any], seed: int) -> None:
    """A document or a field that is added later, or by mistake, is not shown before the view names it."""
    rules = registered.load()
    table = played(registered, seed)
    for name in viewers(table):
        viewer = table.documents.viewer(name)
        documents = table.documents.of(viewer)
        strange = [Document("unheard_of", item.id, item.audience, {"secret": "leak"}) for item in documents[:3]]
        grown = [item._replace(fields={**item.fields, "unheard_of": "leak"}) for item in documents]
        assert canonical(rules.view([*grown, *strange], viewer)) == canonical(rules.view(documents, viewer)), name


@games
@seeds
def test_a_view_does_not_change_the_documents_it_is_made_of(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    table = played(registered, seed)
    before = canonical([list(item) for item in table.documents])
    for name in viewers(table):
        viewer = table.documents.viewer(name)
        rules.view(table.documents.of(viewer), viewer)
    assert canonical([list(item) for item in table.documents]) == before


@games
@seeds
def test_an_event_is_written_for_nobody_who_may_not_see_it(registered: Registration[Any], seed: int) -> None:
    """What is public comes from a public event, what is a team's from one that the team may see."""
    rules = registered.load()
    for judgement in played(registered, seed).journal:
        for event in judgement.events:
            for write in rules.project(event):
                if write.audience and "public" not in event.to:
                    assert write.audience in event.to, (event, write)
                assert not rules.events[event.type].journal_only, "what the journal alone holds is in no document"


@pytest.mark.slow
@games
def test_the_secrets_of_others_change_nothing_that_one_sees(registered: Registration[Any]) -> None:
    """Two games that differ in the secrets of one side, their content and number, look the same to everybody else."""
    told = [_compare(registered, seed, depth) for seed in range(40) for depth in (20, 45, DEEPEST)]
    assert sum(told) > 20


def _compare(registered: Registration[Any], seed: int, depth: int) -> bool:
    """Whether there was something to compare; raises AssertionError where a secret shows."""
    rules = registered.load()
    one, other = (_table(registered, seed, depth) for _ in range(2))
    fork = player_of(rules.game).fork(random.Random(seed), rules.encode(one.state))
    if fork is None:
        return False
    seen_of_one, seen_of_other = _seen(one, fork, fork.one), _seen(other, fork, fork.other)
    assert list(seen_of_one) == list(seen_of_other)
    for place, seen in seen_of_one.items():
        assert seen == seen_of_other[place], (seed, depth, place)
    return canonical(rules.encode(one.state)) != canonical(rules.encode(other.state))


def _table(registered: Registration[Any], seed: int, depth: int) -> Table:
    table = deal(registered.load(), seed)
    for _ in again(table, played(registered, seed, DEEPEST), depth):
        pass
    return table


def _seen(table: Table, fork: Fork, secrets: Sequence[Move]) -> dict[str, bytes]:
    """Everything that the viewers of a fork see and are told, by place."""
    at = table.journal[-1].input.at
    start = len(table.journal)
    for number, move in enumerate(secrets):
        say(table, f"secret{number}", move, at)
    seen = {f"view of {name} after the secrets": _view(table, name) for name in fork.viewers}
    for number, move in enumerate(fork.then):
        judged = say(table, f"then{number}", move, at)[-1]
        seen[f"answer {number}"] = canonical(judged.code)
        seen.update({f"view of {name} after {number}": _view(table, name) for name in fork.viewers})
    for name in fork.viewers:
        audiences = set(table.documents.viewer(name).audiences)
        events = [event for item in table.journal[start:] for event in item.events if audiences & set(event.to)]
        seen[f"events for {name}"] = canonical([[event.type, event.data] for event in events])
    return seen


def _view(table: Table, name: str) -> bytes:
    viewer = table.documents.viewer(name)
    return canonical(table.rules.view(table.documents.of(viewer), viewer))
