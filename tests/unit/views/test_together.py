"""Documents of many audiences that are stored as one: each reader gets those of her audiences, apart."""

from typing import Any

import pytest

from shared.documents import Document as Stored
from shared.rules import GAMES
from shared.rules.interface import Document, Registration, Write
from shared.views import Views, ids
from shared.views.shapes import Head
from shared.views.together import apart, is_together, stored
from shared.views.versions import Version, advance
from tests.unit.views.memory import MemoryDocuments

KIND = "all:standing"
ANA, BEN = Document(KIND, "s", "team:red", {"ana|streak": 3}), Document(KIND, "s", "team:blue", {"ben": [4, 2]})
BOTH = {f"{item.audience}|{name}": value for item in (ANA, BEN) for name, value in item.fields.items()}


def test_writes_for_all_audiences_go_to_one_document_and_are_told_apart_there() -> None:
    places = [stored(Write(*item)) for item in (ANA, BEN)]

    assert {key for key, _ in places} == {(KIND, ids.SHARED, "s")}
    assert places[0][1] | places[1][1] == BOTH


def test_a_reader_gets_those_of_her_audiences_alone_and_an_operator_all() -> None:
    assert list(apart(KIND, "s", BOTH, ("public", "team:red"))) == [ANA]
    assert list(apart(KIND, "s", BOTH, ("public", "team:re", ids.SHARED))) == []
    assert list(apart(KIND, "s", BOTH, None)) == [BEN, ANA]


def test_none_of_them_is_removed_for_the_others_would_go_with_it() -> None:
    with pytest.raises(ValueError, match="cannot go"):
        stored(Write(KIND, "s", "team:red", {}, gone=True))


def test_views_give_them_apart_at_the_head_that_is_read() -> None:
    documents = MemoryDocuments()
    before = advance(None, Version(3, {"team:red|ana": 1}), 3, 2)
    now = advance(before, Version(5, {"team:red|ana": 2, "team:blue|ben": 7}), 4, 3)
    documents.write("documents", [Stored(ids.document(1, "g1", KIND, ids.SHARED, "s"), 5, now)])
    views = Views(documents)

    def read(n: int, audiences: tuple[str, ...] | None) -> list[tuple[str, object]]:
        head = Head("g1", 1, n, 0, "toy", "1", 0)
        return [(item.audience, item.fields) for item in views.documents(head, (KIND,), audiences)]

    assert read(3, ("public", "team:red")) == [("team:red", {"ana": 1})]
    assert read(5, ("public", "team:red")) == [("team:red", {"ana": 2})]
    assert read(3, ("team:blue",)) == []
    assert read(5, None) == [("team:blue", {"ben": 7}), ("team:red", {"ana": 2})]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)
def test_no_page_reads_them_by_players(game: Registration[Any]) -> None:
    pages = game.load().pages.values()
    assert not any(is_together(kind) for page in pages for kind in page.of_players)
