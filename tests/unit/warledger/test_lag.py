"""`warledger lag` as a user runs it: lines, JSON and exit codes."""

from pathlib import Path

import pytest

from shared.documents import Document
from shared.documents.sqlite import SqliteDocuments
from shared.log import TURNS, Draft, TopicPartition, partition_of
from shared.log.reading import Hold
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from shared.views import ids
from tests.unit.warledger.running import call, rows
from warledger import lagging

SIGNER = Signer("orders", b"k" * 32)


def order(data: Path, *games: str) -> None:
    """Append an input of each of these games, as the intake would."""
    log = SqliteLog(data / "log", SIGNER, Keyring({"orders": SIGNER.key}))
    log.append("orders", [Draft(game, b"{}", {}) for game in games])
    log.close()


def test_a_house_in_which_nothing_waits_is_not_behind(tmp_path: Path) -> None:
    SqliteDocuments(tmp_path / "docs").close()

    done = call(tmp_path, "lag", "--max-seconds", "0")

    assert done.exit_code == 0, done.output
    assert done.stdout == "resolver: 0 records behind, 0.0 seconds\nprojector: 0 records behind, 0.0 seconds\n"


def test_what_waits_is_told_by_partition_and_game_and_ends_with_1_when_it_waits_too_long(tmp_path: Path) -> None:
    order(tmp_path, "spring", "spring", "spring")

    waiting, resolver, projector = rows(tmp_path, "lag")

    assert waiting.pop("seconds") >= 0
    assert waiting == {
        "service": "resolver",
        "topic": "orders",
        "partition": partition_of("spring"),
        "records": 3,
        "at_least": False,
        "games": {"spring": 3},
        "held_back_since_offset": None,
    }
    assert (resolver["records"], projector["records"]) == (3, 0)
    assert call(tmp_path, "lag").exit_code == 0
    assert call(tmp_path, "lag", "--max-seconds", "0").exit_code == 1
    assert call(tmp_path, "lag", "--max-seconds", "3600").exit_code == 0


def test_a_line_of_text_names_the_games_that_wait_most(tmp_path: Path) -> None:
    games = sorted(game for game in map("g{}".format, range(10, 99)) if partition_of(game) == 5)[:7]
    order(tmp_path, games[6], *games)

    text = "".join(letter for letter in call(tmp_path, "lag").stdout if letter.isalnum())

    assert f"{games[6]}2{games[0]}1{games[1]}1{games[2]}1{games[3]}1and2moregames" in text
    assert "resolver8recordsbehind" in text


def test_of_many_it_says_at_least(tmp_path: Path) -> None:
    order(tmp_path, *["spring"] * 4)

    done = call(tmp_path, "lag", "--limit", "3")

    assert "resolver: at least 3 records behind" in done.stdout
    assert rows(tmp_path, "lag", "--limit", "3")[0]["at_least"] is True


def test_a_quarantined_game_is_not_waited_for(tmp_path: Path) -> None:
    order(tmp_path, "spring")
    documents = SqliteDocuments(tmp_path / "docs")
    documents.write("heads", [Document(ids.head(1, "spring"), 1, {"quarantined": True})])
    documents.close()

    assert rows(tmp_path, "lag")[0]["records"] == 0


def test_what_an_open_transaction_holds_back_is_named_and_waits_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteDocuments(tmp_path / "docs").close()
    monkeypatch.setattr(lagging, "holds", lambda *_: [Hold(TopicPartition(TURNS, 3), 10, 15)])

    done = call(tmp_path, "lag", "--max-seconds", "3600")

    assert done.exit_code == 1
    assert "turns, partition 3: held back by an open transaction since offset 10, nothing behind it" in done.stdout
    row = rows(tmp_path, "lag")[0]
    assert (row["service"], row["partition"], row["held_back_since_offset"]) == ("projector", 3, 10)
