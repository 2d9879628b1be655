"""What the command line reads from a journal."""

from pathlib import Path

from services.resolver.outcome import drafts
from shared.log import TURNS, Outcome, partition_of
from shared.log.sqlite import SqliteLog
from tests.unit.tools.test_private_inputs import play
from warledger.journals import actors


def test_actors_are_those_who_gave_commands_where_private_ones_are_covered_too(tmp_path: Path) -> None:
    """An `input.covered` names its input by id alone."""
    table = play(tmp_path, 2)
    log = SqliteLog(tmp_path / "log")
    owner = log.own(partition_of(table.id), "test")
    owner.commit(Outcome(drafts(TURNS, table.id, table.journal), [], [], owner.marks()))
    assert actors(log, table.id) == {"op", "ana", "bia"}
    log.close()
