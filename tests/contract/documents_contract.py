"""Contract of the documents; an adapter's test class adds the fixtures `house`, `documents` and `outage`."""

import time
from abc import ABC, abstractmethod
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection

import pytest

from shared.documents import (
    COLLECTIONS,
    MAX_DOCUMENT_BYTES,
    STORES,
    Document,
    Documents,
    DocumentsUnavailable,
    DocumentTooLarge,
)
from tests.contract.processes import receive, running

PATIENCE = 60.0


class DocumentsHouse(ABC):
    """One set of document stores of an adapter; can be pickled, so that another process opens the same."""

    @abstractmethod
    def documents(self) -> Documents:
        """The documents, opened for this process."""


def document(id: str, position: int = 1, **body: object) -> Document:
    return Document(id, position, body)


def write_when_told(connection: Connection, house: DocumentsHouse) -> None:
    """In another process: write a document for each message received."""
    documents = house.documents()
    connection.send("ready")
    while (position := connection.recv()) is not None:
        documents.write("heads", [document("g1", position)])
    documents.close()


def write_forever(connection: Connection, house: DocumentsHouse) -> None:
    """In another process: raise the position of 200 documents together, again and again."""
    documents = house.documents()
    position = 0
    while True:
        position += 1
        documents.write("documents", [document(f"d{number}", position, text="x" * 500) for number in range(200)])
        connection.send(position)


class DocumentsContract:
    """What every adapter does."""

    def test_nothing_is_there_before_the_first_write(self, documents: Documents) -> None:
        for collection in COLLECTIONS:
            assert documents.get(collection, ["a"]) == {}
            assert documents.find(collection, "") == []

    def test_every_collection_of_every_store_keeps_its_own(self, documents: Documents) -> None:
        for number, collection in enumerate(COLLECTIONS):
            documents.write(collection, [document("same id", number)])
        found = [documents.get(collection, ["same id"])["same id"].position for collection in COLLECTIONS]
        assert found == list(range(len(COLLECTIONS)))

    def test_an_unknown_collection_is_refused(self, documents: Documents) -> None:
        for call in (
            lambda: documents.get("document", ["a"]),
            lambda: documents.find("document", "a"),
            lambda: documents.write("document", [document("a")]),
        ):
            with pytest.raises(ValueError, match="collections: documents, feeds"):
                call()

    def test_a_document_is_read_as_it_was_written(self, documents: Documents) -> None:
        body: dict[str, object] = {
            "text": "é\U0001f600\n\0",
            "list": [1, -(2**53), None, True, []],
            "map": {"b": {}, "a": ""},
            "wide": [2**64 - 1, -(2**63)],
            "$set": {"a.b": 1, "": 2, "_id": 3, "position": 4},
        }
        documents.write("documents", [Document("a|é", 7, body)])
        assert documents.get("documents", ["a|é"]) == {"a|é": Document("a|é", 7, body)}

    def test_only_documents_that_exist_are_got(self, documents: Documents) -> None:
        documents.write("documents", [document("a"), document("b")])
        assert set(documents.get("documents", ["b", "c", "b"])) == {"b"}
        assert documents.get("documents", []) == {}

    def test_many_documents_are_got_at_once(self, documents: Documents) -> None:
        many = [document(f"d{number}", number, n=number) for number in range(2_100)]
        documents.write("documents", many)
        assert documents.get("documents", (each.id for each in many)) == {each.id: each for each in many}

    def test_an_empty_write_changes_nothing(self, documents: Documents) -> None:
        documents.write("documents", [])
        assert documents.find("documents", "") == []

    def test_a_later_position_replaces(self, documents: Documents) -> None:
        documents.write("documents", [document("a", 1, x=1), document("b", 1)])
        documents.write("documents", [document("a", 2, x=2)])
        assert documents.find("documents", "") == [document("a", 2, x=2), document("b", 1)]

    def test_what_is_called_absent_and_is_there_is_written_as_guarded_as_ever(self, documents: Documents) -> None:
        documents.write("documents", [document("a", 5, x=5), document("b", 5, x=5)])
        sent = [document("a", 6, x=6), document("b", 4, x=4), document("c", 1, x=1), document("d", 1)]
        documents.write("documents", sent, {"a", "b", "c"})
        assert documents.find("documents", "") == [sent[0], document("b", 5, x=5), *sent[2:]]

    @pytest.mark.parametrize("position", [5, 4, -1])
    def test_the_same_or_an_older_position_changes_nothing(self, documents: Documents, position: int) -> None:
        documents.write("documents", [document("a", 5, x="kept")])
        documents.write("documents", [document("a", position, x="late"), document("b", position)])
        assert documents.find("documents", "") == [document("a", 5, x="kept"), document("b", position)]

    def test_a_repeated_write_changes_nothing(self, documents: Documents) -> None:
        batch = [document(f"d{number}", number % 3 + 1, x=number) for number in range(50)]
        documents.write("documents", batch)
        before = documents.find("documents", "")
        documents.write("documents", batch)
        documents.write("documents", batch[::-1])
        assert documents.find("documents", "") == before

    def test_one_write_may_hold_a_document_more_than_once(self, documents: Documents) -> None:
        documents.write("documents", [document("a", 2, x="two"), document("a", 3, x="three"), document("a", 1, x="1")])
        assert documents.find("documents", "") == [document("a", 3, x="three")]

    def test_a_write_of_more_than_a_transaction_is_whole(self, documents: Documents) -> None:
        documents.write("documents", [document(f"{number:05}") for number in range(3_001)])
        assert [each.id for each in documents.find("documents", "")] == [f"{number:05}" for number in range(3_001)]

    def test_an_inserted_document_is_not_inserted_again(self, documents: Documents) -> None:
        assert documents.insert("names", document("ana", 1, x="first"))
        assert not documents.insert("names", document("ana", 9, x="second"))
        assert documents.find("names", "") == [document("ana", 1, x="first")]

    def test_replace_needs_the_expected_position(self, documents: Documents) -> None:
        documents.insert("accounts", document("ana", 3, x="old"))
        assert not documents.replace("accounts", document("ana", 4, x="no"), expected=2)
        assert not documents.replace("accounts", document("bia", 4), expected=3)
        assert documents.find("accounts", "") == [document("ana", 3, x="old")]
        assert documents.replace("accounts", document("ana", 4, x="new"), expected=3)
        assert documents.find("accounts", "") == [document("ana", 4, x="new")]

    def test_of_racing_inserts_one_succeeds(self, documents: Documents) -> None:
        with ThreadPoolExecutor(4) as pool:
            for number in range(10):
                won = list(pool.map(lambda me, n=number: documents.insert("names", document(f"n{n}", me)), range(4)))
                assert Counter(won) == {True: 1, False: 3}
                assert documents.get("names", [f"n{number}"])[f"n{number}"].position == won.index(True)

    def test_racing_replaces_lose_no_count(self, documents: Documents) -> None:
        documents.insert("limits", document("here", 0, count=0))

        def count_up(_: int) -> None:
            while True:
                now = documents.get("limits", ["here"])["here"]
                body = {"count": now.body["count"] + 1}
                if documents.replace("limits", Document("here", now.position + 1, body), expected=now.position):
                    return

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(count_up, range(40)))
        assert documents.get("limits", ["here"])["here"] == document("here", 40, count=40)

    def test_ids_are_listed_by_code_point(self, documents: Documents) -> None:
        ids = [
            "a",
            "a|",
            "a|1",
            "a|10",
            "a|2",
            "a|B",
            "a|b",
            "a|é",
            "a|\uffff",
            "a|\U00010000",
            "a|\U0010ffff",
            "a}",
            "b",
        ]
        documents.write("documents", [document(id) for id in reversed(ids)])
        assert [each.id for each in documents.find("documents", "")] == sorted(ids) == ids

    @pytest.mark.parametrize(
        ("prefix", "found"),
        [
            ("a|", ["a|1", "a|2", "a|é"]),
            ("a", ["a", "a|1", "a|2", "a|é", "aé"]),
            ("a|é", ["a|é"]),
            ("\ud7ff", ["\ud7ff", "\ud7ffx"]),
            ("z\U0010ffff", ["z\U0010ffff", "z\U0010ffff\U0010ffff", "z\U0010ffffa"]),
            ("%", []),
            ("_", []),
            ("a|3", []),
        ],
    )
    def test_find_lists_what_begins_with_the_prefix(self, documents: Documents, prefix: str, found: list[str]) -> None:
        ids = ["a", "a|1", "a|2", "a|é", "aé", "b", "b|1", "\ud7ff", "\ud7ffx", "\ue000", "z", "zz"]
        ids += ["z\U0010ffff", "z\U0010ffffa", "z\U0010ffff\U0010ffff", "{", "\U0010ffff"]
        documents.write("documents", [document(id) for id in ids])
        assert [each.id for each in documents.find("documents", prefix)] == sorted(found)
        assert documents.delete_prefix("documents", prefix) == len(found)
        assert [each.id for each in documents.find("documents", "")] == sorted(set(ids) - set(found))

    def test_a_prefix_of_last_code_points_has_no_end(self, documents: Documents) -> None:
        documents.write("documents", [document("\U0010ffff"), document("\U0010ffffa"), document("z")])
        assert [each.id for each in documents.find("documents", "\U0010ffff")] == ["\U0010ffff", "\U0010ffffa"]

    def test_find_goes_on_after_an_id_and_stops_at_its_limit(self, documents: Documents) -> None:
        documents.write("feeds", [document(f"g|{number}") for number in range(10)] + [document("h|0")])
        assert [each.id for each in documents.find("feeds", "g|", after="g|6")] == ["g|7", "g|8", "g|9"]
        assert [each.id for each in documents.find("feeds", "g|", after="g|", limit=2)] == ["g|0", "g|1"]
        assert documents.find("feeds", "g|", after="g|9") == documents.find("feeds", "g|", limit=0) == []

    def test_delete_tells_how_many_existed(self, documents: Documents) -> None:
        documents.write("tokens", [document("a"), document("b"), document("c")])
        assert documents.delete("tokens", ["a", "x", "c"]) == 2
        assert documents.delete("tokens", ["a"]) == documents.delete("tokens", []) == 0
        assert documents.find("tokens", "") == [document("b")]

    def test_a_deleted_document_can_come_back_at_any_position(self, documents: Documents) -> None:
        documents.write("documents", [document("a", 9)])
        documents.delete("documents", ["a"])
        documents.write("documents", [document("a", 1)])
        assert documents.find("documents", "") == [document("a", 1)]

    def test_delete_prefix_removes_many(self, documents: Documents) -> None:
        documents.write("documents", [document(f"1|{number}") for number in range(2_500)] + [document("2|0")])
        assert documents.delete_prefix("documents", "1|") == 2_500
        assert documents.delete_prefix("documents", "1|") == 0
        assert documents.find("documents", "") == [document("2|0")]

    @pytest.mark.parametrize("collection", ["documents", "judgements"])
    def test_ids_are_those_that_begin_with_the_prefix(self, documents: Documents, collection: str) -> None:
        wanted = [f"a|{number:04}" for number in range(1500)]
        documents.write(collection, [document(id) for id in [*wanted, "a", "b|1"]])
        assert sorted(documents.ids(collection, "a|", 2_000)) == wanted
        assert len(set(documents.ids(collection, "a|", 1_001)).intersection(wanted)) == 1_001
        assert documents.ids(collection, "a|", 0) == documents.ids(collection, "c|", 9) == []

    def test_the_largest_document_is_taken(self, documents: Documents) -> None:
        largest = document("i" * 512, 1, t="x" * (MAX_DOCUMENT_BYTES - len('{"t":""}')))
        documents.write("blobs", [largest])
        assert documents.get("blobs", [largest.id]) == {largest.id: largest}

    @pytest.mark.parametrize(
        "large",
        [document("a", 1, t="x" * MAX_DOCUMENT_BYTES), document("i" * 513), document("é" * 257)],
        ids=["body", "id", "id of wide characters"],
    )
    def test_a_document_that_is_too_large_leaves_no_trace_of_its_batch(
        self, documents: Documents, large: Document
    ) -> None:
        documents.insert("blobs", document("a", 0))
        with pytest.raises(DocumentTooLarge):
            documents.write("blobs", [*(document(f"d{number}") for number in range(1_001)), large])
        with pytest.raises(DocumentTooLarge):
            documents.insert("blobs", large)
        with pytest.raises(DocumentTooLarge):
            documents.replace("blobs", large, expected=0)
        assert documents.find("blobs", "") == [document("a", 0)]

    def test_an_unavailable_store_refuses_and_recovers(
        self, documents: Documents, outage: AbstractContextManager[None]
    ) -> None:
        documents.write("documents", [document("a", 1)])
        with outage:
            for call in (
                lambda: documents.write("documents", [document("a", 2)]),
                lambda: documents.insert("documents", document("b")),
                lambda: documents.replace("documents", document("a", 2), expected=1),
                lambda: documents.delete("documents", ["a"]),
                lambda: documents.delete_prefix("documents", ""),
            ):
                with pytest.raises(DocumentsUnavailable):
                    call()
        assert documents.find("documents", "") == [document("a", 1)]
        documents.write("documents", [document("a", 2)])
        assert documents.find("documents", "") == [document("a", 2)]

    def test_a_document_is_read_whole_while_it_is_written(self, documents: Documents) -> None:
        ids = [f"d{number}" for number in range(700)]

        def writes() -> None:
            for position in range(1, 7):
                documents.write("documents", [document(id, position, text=str(position) * 50) for id in ids])

        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(writes)
            seen = dict.fromkeys(ids, 0)
            while not writing.done():
                for id, position, body in documents.get("documents", ids).values():
                    assert body == {"text": str(position) * 50}
                    assert position >= seen[id]
                    seen[id] = position
            writing.result()

    def test_a_killed_writer_leaves_whole_documents_of_the_write_it_was_in(
        self, house: DocumentsHouse, documents: Documents
    ) -> None:
        with running(write_forever, house) as (process, connection):
            acknowledged = 0
            while acknowledged < 10:
                acknowledged = receive(connection)
            process.kill()
            process.join()
        stored = {each.id: each.position for each in documents.find("documents", "")}
        assert len(stored) == 200
        assert max(stored.values()) - min(stored.values()) <= 1
        assert min(stored.values()) >= acknowledged
        documents.write("documents", [document("next")])

    def test_what_another_process_wrote_is_seen_without_waiting(
        self, house: DocumentsHouse, documents: Documents
    ) -> None:
        with running(write_when_told, house) as (_, connection):
            assert receive(connection) == "ready"
            for position in range(1, 6):
                connection.send(position)
                deadline = time.monotonic() + PATIENCE
                while "g1" not in (found := documents.get("heads", ["g1"])) or found["g1"].position < position:
                    started = time.monotonic()
                    documents.wait("views", PATIENCE)
                    assert time.monotonic() - started < PATIENCE / 2
                    assert time.monotonic() < deadline
            connection.send(None)

    def test_waiting_without_news_ends(self, documents: Documents) -> None:
        for store in STORES:
            for _ in range(2):
                started = time.monotonic()
                documents.wait(store, 0.02)
                assert time.monotonic() - started < PATIENCE / 2
