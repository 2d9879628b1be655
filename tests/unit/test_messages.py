"""Texts of players: kept beside the log under their hash, removable for good."""

from pathlib import Path

from shared.documents.sqlite import SqliteDocuments
from shared.messages import NOTHING, Messages, Reference, hash_of, salt_of

KEY = b"k" * 32


def _said(message: str, text: str, author: str = "ana", game: str = "g1") -> tuple[Reference, dict[str, str], str]:
    texts = {"text": text}
    salt = salt_of(KEY, message, texts)
    return Reference(author, game, message, hash_of(salt, texts)), texts, salt


def test_what_is_kept_is_what_the_hash_is_of(tmp_path: Path) -> None:
    messages = Messages(SqliteDocuments(tmp_path))
    said, texts, salt = _said("m1", "meet at dawn")
    messages.keep(said, "chat", texts, salt)
    kept = messages.read([said])[said]
    assert (kept.texts, kept.salt, kept.removed_at) == (texts, salt, None)
    assert hash_of(salt, texts) == said.hash


def test_the_same_key_with_another_text_keeps_both_and_the_log_says_which(tmp_path: Path) -> None:
    messages = Messages(SqliteDocuments(tmp_path))
    for text in ("first", "second"):
        said, texts, salt = _said("m1", text)
        messages.keep(said, "chat", texts, salt)
    first, _, _ = _said("m1", "first")
    second, _, _ = _said("m1", "second")
    read = messages.read([first, second])
    assert (read[first].texts, read[second].texts) == ({"text": "first"}, {"text": "second"})


def test_a_removed_text_does_not_come_back_with_a_repeated_request(tmp_path: Path) -> None:
    messages = Messages(SqliteDocuments(tmp_path))
    said, texts, salt = _said("m1", "rude")
    messages.keep(said, "chat", texts, salt)
    assert messages.revision("g1") == 0
    assert messages.remove("ana", "g1", "m1", 77)
    messages.keep(said, "chat", texts, salt)
    kept = messages.read([said])[said]
    assert (kept.texts, kept.salt, kept.removed_at) == (None, None, 77)
    assert messages.revision("g1") == 1


def test_removing_what_was_never_kept_says_so(tmp_path: Path) -> None:
    messages = Messages(SqliteDocuments(tmp_path))
    assert not messages.remove("ana", "g1", "m1", 1)
    said, _, _ = _said("m1", "never sent")
    assert messages.read([said]) == {said: NOTHING}
    assert messages.revision("g1") == 0


def test_everything_of_one_author_goes_and_nothing_of_others(tmp_path: Path) -> None:
    messages = Messages(SqliteDocuments(tmp_path))
    mine = [_said(f"m{number}", "mine", game=game) for number, game in enumerate(("g1", "g1", "g2"))]
    # An author whose id begins like hers is somebody else.
    theirs = _said("m9", "theirs", author="ana2")
    for said, texts, salt in (*mine, theirs):
        messages.keep(said, "chat", texts, salt)
    assert messages.remove_all_of("ana", 5)
    read = messages.read([said for said, _, _ in (*mine, theirs)])
    assert [read[said].texts for said, _, _ in mine] == [None, None, None]
    assert read[theirs[0]].texts == {"text": "theirs"}
    assert (messages.revision("g1"), messages.revision("g2")) == (1, 1)
