"""Reading at one head."""

from typing import Any

import pytest

from shared.documents import Document as Stored
from shared.rules.interface import Document
from shared.views import Counts, Head, HeadMoved, UnknownGame, Views, generations, ids
from shared.views.versions import Version, advance, at_head, body
from tests.unit.views.memory import MemoryDocuments


def _head(n: int, generation: int = 1) -> Head:
    return Head("g1", generation, n, 0, "toy", "1", 0)


def _put_head(documents: MemoryDocuments, game: str, n: int, generation: int = 1, kind: str = "toy") -> None:
    facts = {"game": game, "at": 0, "kind": kind, "rules": "1", "created_at": 0, "quarantined": False}
    documents.write("heads", [Stored(ids.head(generation, game), n, facts)])


def _put(documents: MemoryDocuments, kind: str, id: str, audience: str, now: Version, old: Version | None) -> None:
    key = ids.document(1, "g1", kind, audience, id)
    documents.write("documents", [Stored(key, now.n, body(now, old))])


def _put_feed(documents: MemoryDocuments, audience: str, *chunks: tuple[int, list[int]]) -> None:
    """Chunks as (number of the first entry, positions of the entries)."""
    for first, positions in chunks:
        entries = [{"n": n, "type": f"e{n}", "data": {}, "at": n} for n in positions]
        id = ids.feed_chunk(1, "g1", audience, first + len(positions) - 1)
        documents.write("feeds", [Stored(id, positions[-1], {"first": first, "entries": entries})])


@pytest.mark.parametrize(
    ("now", "old", "head", "seen"),
    [
        (Version(5, {"v": 2}), Version(3, {"v": 1}), 5, {"v": 2}),
        (Version(5, {"v": 2}), Version(3, {"v": 1}), 4, {"v": 1}),
        (Version(5, {"v": 2}), None, 4, None),
        (Version(5, {}, True), Version(3, {"v": 1}), 5, None),
        (Version(5, {"v": 2}), Version(3, {}, True), 4, None),
    ],
)
def test_a_reader_sees_the_newest_value_that_her_head_has_reached(
    now: Version, old: Version | None, head: int, seen: Any
) -> None:
    assert at_head(body(now, old), head) == seen


def test_a_reader_whose_head_was_overtaken_starts_again() -> None:
    with pytest.raises(HeadMoved):
        at_head(body(Version(9, {}), Version(5, {})), 4)


def test_a_write_keeps_the_last_value_that_the_head_has_reached() -> None:
    first = advance(None, Version(3, {"v": 1}), 2, 0)
    second = advance(first, Version(5, {"v": 2}), 5, 3)
    third = advance(second, Version(7, {"v": 3}), 6, 3)
    assert third == body(Version(7, {"v": 3}), Version(3, {"v": 1}), until=5)


def test_a_value_that_was_written_over_between_the_two_that_are_kept_is_not_taken_for_the_older_one() -> None:
    stored = body(Version(9, {"v": 3}), Version(3, {"v": 1}), until=5)
    assert at_head(stored, 4) == {"v": 1}
    with pytest.raises(HeadMoved):
        at_head(stored, 7)
    assert at_head(stored, 9) == {"v": 3}


def test_documents_come_by_kind_then_audience_then_id() -> None:
    documents = MemoryDocuments()
    keys = ("b", "1", "public"), ("a", "2", "public"), ("a", "1", "public"), ("a", "1", "team:red")
    for kind, id, audience in keys:
        _put(documents, kind, id, audience, Version(1, {"v": id}), None)
    _put(documents, "a", "3", "team:blue", Version(1, {}), None)
    views = Views(documents)
    found = views.documents(_head(1), ("a", "b"), ("public", "team:red"))
    assert [item[:3] for item in found] == [
        ("a", "1", "public"),
        ("a", "2", "public"),
        ("a", "1", "team:red"),
        ("b", "1", "public"),
    ]
    assert len(views.documents(_head(1), ("a", "b"), None)) == 5
    assert [item.id for item in views.page(_head(1), "a", "public", after="1", limit=1)] == ["2"]


def test_a_document_of_several_games_comes_in_one_read() -> None:
    documents = MemoryDocuments()
    _put(documents, "game", "game", "public", Version(1, {"phase": "lobby"}), None)
    other = Head("g2", 1, 1, 0, "toy", "1", 0)
    found = Views(documents).one_each([_head(1), other], "game", "game", "public")
    assert found == {"g1": Document("game", "game", "public", {"phase": "lobby"})}


def test_somebody_outside_the_game_has_the_public_audience_and_her_own() -> None:
    documents = MemoryDocuments()
    fields = {"audiences": ["player:ana", "team:red"]}
    _put(documents, "member", "ana", "", Version(1, fields), None)
    views = Views(documents)
    assert views.audiences_of(_head(1), "ana") == ("player:ana", "public", "team:red")
    assert views.audiences_of(_head(1), "bia") == ("player:bia", "public")


def test_a_feed_gives_each_event_once_in_the_order_of_the_game() -> None:
    documents = MemoryDocuments()
    _put_feed(documents, "public", (1, [1, 4]), (3, [6]))
    _put_feed(documents, "team:red", (1, [2, 4]), (3, [9]))
    views = Views(documents)
    entries = views.feed(_head(8), ("public", "team:red"), {})
    assert [(entry.n, dict(entry.after)) for entry in entries] == [
        (1, {"public": 1, "team:red": 0}),
        (2, {"public": 1, "team:red": 1}),
        (4, {"public": 2, "team:red": 2}),
        (6, {"public": 3, "team:red": 2}),
    ]
    for count, entry in enumerate(entries, 1):
        rest = views.feed(_head(8), ("public", "team:red"), entry.after)
        assert [item.n for item in rest] == [item.n for item in entries[count:]]
        assert [item.n for item in views.feed(_head(8), ("public", "team:red"), entry.after, 1)] == [
            item.n for item in entries[count : count + 1]
        ]


def test_an_audience_without_any_change_counts_zero() -> None:
    assert Views(MemoryDocuments()).counters(_head(3), ["public"]) == {"public": Counts(0, 0)}


def test_games_are_listed_page_by_page_without_those_whose_creation_was_refused() -> None:
    documents = MemoryDocuments()
    for game, kind in (("a", "toy"), ("b", ""), ("c", "toy"), ("d", ""), ("e", "toy")):
        _put_head(documents, game, 1, kind=kind)
    views = Views(documents)
    assert [head.game for head in views.games(limit=2)] == ["a", "c"]
    assert [head.game for head in views.games("c", 2)] == ["e"]
    assert views.head("b") is None


def test_an_answer_is_made_again_when_its_head_was_overtaken() -> None:
    documents = MemoryDocuments()
    _put_head(documents, "g1", 1)
    heads: list[int] = []

    def answer(head: Head) -> int:
        heads.append(head.n)
        if head.n == 1:
            _put_head(documents, "g1", 2)
            raise HeadMoved
        return head.n

    assert Views(documents).read("g1", answer) == 2
    assert heads == [1, 2]


def test_an_answer_is_made_again_when_the_generation_changed_under_it() -> None:
    documents = MemoryDocuments()
    _put_head(documents, "g1", 1)
    _put_head(documents, "g1", 1, generation=2)

    def answer(head: Head) -> int:
        generations.activate(documents, 2)
        removal = generations.Removal(documents, 1)
        while not removal.step(100):
            pass
        return head.generation

    assert Views(documents).read("g1", answer) == 2


def test_a_game_that_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownGame):
        Views(MemoryDocuments()).read("g1", lambda head: head.n)


def test_ids_refuse_what_would_reach_into_another_prefix() -> None:
    with pytest.raises(ValueError, match="must not hold"):
        ids.document(1, "g1", "a|public", "team:red", "x")
