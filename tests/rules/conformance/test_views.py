"""Documents, pages and the canonical state: laws that hold whatever a game shows."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

import pytest

from shared.canonical import canonical
from shared.rules.interface import Event, Registration, Sentence, sheets_of
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import again, deal, played, replay

WANTED_PAGES = {"map", "roster", "orders", "reports"}
"""Paths of the gateway."""


def _view(table: Table, name: str, kinds: tuple[str, ...] | None = None) -> dict[str, Any]:
    viewer = table.documents.viewer(name)
    documents = table.documents.of(viewer)
    return table.rules.view([item for item in documents if kinds is None or item.kind in kinds], viewer)


@games
def test_every_event_type_is_projected_and_an_unknown_one_is_no_silent_nothing(registered: Registration[Any]) -> None:
    with pytest.raises(KeyError):
        list(registered.load().project(Event("unheard_of", {})))


@games
@seeds
def test_every_kind_of_document_stands_on_a_page(registered: Registration[Any], seed: int) -> None:
    """But who may see what, and messages, which feeds tell of."""
    rules = registered.load()
    assert set(rules.pages) >= WANTED_PAGES
    listed = {kind for page in rules.pages.values() for kind in page.kinds}
    shown = {item.kind for item in played(registered, seed).documents if not {"author", "hash"} <= set(item.fields)}
    assert shown - listed == {"member"}


@games
@seeds
def test_each_page_is_a_part_of_the_whole_view(registered: Registration[Any], seed: int) -> None:
    table = played(registered, seed)
    actors = sorted({item.input.actor for item in table.journal if item.input.role == "player"})
    for name in ("public", "operator", *actors[:4]):
        whole = _view(table, name)
        for page in table.rules.pages.values():
            assert list(_missing(_view(table, name, page.kinds), whole)) == [], (name, page.name)


def _missing(part: Any, whole: Any, place: str = "") -> Any:
    """Places at which a part of a view says what the whole does not; null may stand for what it does not know."""
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        for key, value in part.items():
            if key in whole:
                yield from _missing(value, whole[key], f"{place}.{key}")
            elif value is not None:
                yield f"{place}.{key}"
    elif part not in (None, whole):
        yield place


@games
@seeds
def test_the_order_of_keys_in_a_state_means_nothing(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    state = rules.encode(replay(rules, registered, seed, 60).state)
    assert canonical(rules.encode(rules.decode(_turned(state)))) == canonical(state)


def _turned(value: Any) -> Any:
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(item) for item in value] if isinstance(value, list) else value


@games
@seeds
def test_sheets_tell_what_their_rows_hold_to_every_viewer(registered: Registration[Any], seed: int) -> None:
    """What a page shows of a game's own is made from documents that pages list, and changes nothing."""
    rules = registered.load()
    sheets = sheets_of(rules)
    assert set(sheets.kinds) <= {kind for page in rules.pages.values() for kind in page.kinds}
    table = deal(rules, seed)
    for number, judged in enumerate(again(table, played(registered, seed), 100)):
        if number % 10:
            continue
        for name in ("public", "operator", *{item.input.actor for item in judged if item.input.role == "player"}):
            view = _view(table, name, (*rules.pages["map"].kinds, *sheets.kinds))
            before = canonical(view)
            for sheet in sheets.of(view):
                named = {field for column in sheet.columns for field in _fields(column.told)}
                assert all(named <= set(row) for row in sheet.rows), sheet.id
            assert canonical(view) == before


def _fields(told: Sequence[Sentence]) -> set[str]:
    named = {field for sentence in told for _, field, _, _ in Formatter().parse(sentence.text) if field is not None}
    return named.union(*(sentence.when for sentence in told))
