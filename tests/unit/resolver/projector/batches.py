"""Projecting records as the projector does, batch by batch."""

from collections.abc import Sequence

from services.resolver.projector.folding import Fold, whole_units
from shared.documents import Documents
from shared.log import Record
from shared.views.dump import lines
from shared.views.writer import ViewWriter

PARTITION = 3


def project(documents: Documents, records: Sequence[Record], generation: int = 1) -> None:
    """Fold one batch and write it, from the checkpoint that is stored."""
    writer = ViewWriter(documents)
    fold = Fold(generation, PARTITION, writer.checkpoint(generation, PARTITION))
    writer.write(fold.changes(records, lambda games: writer.heads(generation, games)))


def project_rest(documents: Documents, records: Sequence[Record], size: int = 10_000, generation: int = 1) -> None:
    """Project what follows the checkpoint, in batches of `size` records, as the loop cuts them."""
    writer = ViewWriter(documents)
    while True:
        checkpoint = writer.checkpoint(generation, PARTITION)
        offset = 0 if checkpoint is None else checkpoint["offset"]
        batch = [record for record in records if record.offset >= offset][:size]
        if not batch:
            return
        for unit in whole_units(batch):
            project(documents, unit, generation)


def dump(documents: Documents, generation: int = 1) -> list[bytes]:
    """Everything that readers can be shown."""
    return list(lines(documents, generation))
