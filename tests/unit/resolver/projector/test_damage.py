"""A page of the journal that a disk has spoilt stops its partition; the views of every other game are kept."""

from pathlib import Path

from services.resolver.projector.loop import Projector
from shared.log import TURNS, Outcome, partition_of
from shared.log.sqlite import SqliteLog
from shared.views import Views
from tests.contract.log_house import draft
from tests.contract.sqlite_faults import damage
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records


def test_the_projector_stops_the_damaged_partition_alone(tmp_path: Path) -> None:
    sick, well = "g1", "g2"
    assert partition_of(sick) != partition_of(well)
    log = SqliteLog(tmp_path)
    for game in (sick, well):
        story = Story(game)
        story.created()
        owner = log.own(partition_of(game), "test")
        turns = [draft(game, record.value) for record in records([story])]
        owner.commit(Outcome(turns, [], [], owner.marks()))
    log.close()
    damage(tmp_path / "journal.db", f"turns_{partition_of(sick):02}")
    documents = MemoryDocuments()
    projector = Projector(log, documents, "test")

    for _ in range(4):
        assert projector.round(0)

    fault = projector.ready_fault() or ""
    assert f"{TURNS} {partition_of(sick)} cannot be read" in fault
    assert [head.game for head in Views(documents).games("", 10)] == [well]
    projector.close()
    log.close()
