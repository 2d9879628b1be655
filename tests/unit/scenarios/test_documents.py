"""The fold of writes into view documents."""

from shared.rules.interface import Document, Viewer, Write
from shared.scenarios.documents import Documents


def folded(*writes: Write) -> Documents:
    documents = Documents()
    documents.write(writes)
    return documents


def test_fields_that_a_write_does_not_name_keep_their_value() -> None:
    documents = folded(Write("player", "ana", "public", {"a": 1, "b": 2}), Write("player", "ana", "public", {"b": 3}))
    assert list(documents) == [Document("player", "ana", "public", {"a": 1, "b": 3})]


def test_documents_of_one_thing_for_several_audiences_are_apart() -> None:
    documents = folded(Write("player", "ana", "team:red", {"a": 1}), Write("player", "ana", "public", {"b": 2}))
    assert [(item.audience, item.fields) for item in documents] == [("public", {"b": 2}), ("team:red", {"a": 1})]


def test_a_document_written_again_after_it_was_gone_begins_empty() -> None:
    gone = Write("player", "ana", "public", {"a": 5}, gone=True)
    assert list(folded(Write("player", "ana", "public", {"a": 1}), gone)) == []
    again = folded(Write("player", "ana", "public", {"a": 1}), gone, Write("player", "ana", "public", {"b": 2}))
    assert list(again) == [Document("player", "ana", "public", {"b": 2})]


def test_the_fold_does_not_change_the_event_that_it_folds() -> None:
    first = Write("player", "ana", "public", {"a": 1})
    folded(first, Write("player", "ana", "public", {"a": 2}))
    assert first.fields == {"a": 1}


def test_a_viewer_gets_the_documents_of_her_audiences_and_an_operator_all() -> None:
    documents = folded(
        Write("member", "ana", "", {"audiences": ["team:red", "player:ana"]}),
        Write("x", "1", "public", {}),
        Write("x", "1", "team:red", {}),
        Write("x", "1", "team:blue", {}),
        Write("x", "1", "player:ana", {}),
    )
    ana = documents.viewer("ana")
    assert ana == Viewer("player", "ana", ("public", "team:red", "player:ana"))
    assert [item.audience for item in documents.of(ana)] == ["player:ana", "public", "team:red"]
    assert [item.audience for item in documents.of(documents.viewer("bia"))] == ["public"]
    assert [item.audience for item in documents.of(documents.viewer("public"))] == ["public"]
    assert len(documents.of(documents.viewer("operator"))) == 5
