"""Records that somebody else put into the journal: a game is exported and decided again past them."""

from pathlib import Path

import pytest

from services.resolver.outcome import drafts
from shared.log import TURNS, Draft, Outcome, partition_of
from shared.log.sqlite import SqliteLog
from tests.unit.tools.test_private_inputs import play
from tests.unit.warledger.running import call


class Journal:
    """The journal of a game in two records, with one of somebody else's between them and one behind."""

    def __init__(self, data: Path, key: str | None = None) -> None:
        table = play(data, 2)
        self.data = data
        self.game = table.id
        self.events = len(table.journal)
        self.partition = partition_of(self.game)
        first, second = table.journal[:5], table.journal[5:]
        stray = [Draft(self.game if key is None else key, b"torn", {})]
        log = SqliteLog(data / "log")
        owner = log.own(self.partition, "test")
        ends = [
            owner.commit(Outcome(records, [], [], owner.marks()))
            for records in (drafts(TURNS, self.game, first), stray, drafts(TURNS, self.game, second), stray)
        ]
        log.close()
        self.skips = [f"--skip={TURNS}:{self.partition}:{ends[number] - 1}" for number in (1, 3)]
        self.ours = f"--skip={TURNS}:{self.partition}:{ends[0] - 1}"
        self.out = data / "export.jsonl"

    def called(self, command: str, *options: str) -> tuple[int, str]:
        out = ("--out", str(self.out)) if command == "export" else ()
        done = call(self.data, command, self.game, *out, *options)
        return done.exit_code, done.output


def test_what_stands_under_another_key_is_passed(tmp_path: Path) -> None:
    journal = Journal(tmp_path, key="somebody-else")
    assert journal.called("export") == (0, f"{journal.out}: {journal.events} events\n")
    assert call(tmp_path, "verify", str(journal.out)).exit_code == 0
    assert journal.called("replay")[0] == 0


@pytest.mark.parametrize("command", ["export", "replay"])
def test_what_stands_under_the_key_of_the_game_is_named_with_its_place(tmp_path: Path, command: str) -> None:
    journal = Journal(tmp_path)
    code, said = journal.called(command)
    topic, partition, offset = journal.skips[0].removeprefix("--skip=").split(":")
    assert code == 2
    assert f"{topic}, partition {partition}, offset {offset}: not a batch of events" in said


def test_what_stands_under_the_key_of_the_game_can_be_skipped(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal.called("export", *journal.skips) == (0, f"{journal.out}: {journal.events} events\n")
    assert call(tmp_path, "verify", str(journal.out)).exit_code == 0
    assert journal.called("replay", *journal.skips)[0] == 0


@pytest.mark.parametrize("command", ["export", "replay"])
def test_a_record_of_the_game_cannot_be_skipped(tmp_path: Path, command: str) -> None:
    journal = Journal(tmp_path)
    code, said = journal.called(command, *journal.skips, journal.ours)
    assert code == 1
    assert f"something of the game is missing: event 6 of {journal.game} follows event 0" in said


def test_what_is_no_place_of_a_record_is_said(tmp_path: Path) -> None:
    code, said = Journal(tmp_path).called("export", "--skip=orders:1:2")
    assert code == 2
    assert "orders:1:2 is no turns:PARTITION:OFFSET" in said
