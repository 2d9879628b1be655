"""A rebuild: a new generation is filled from the beginning of the journal beside the live one, and shown at the end.

It goes on from its own checkpoints after a crash. It is done when every partition of the new generation stands where
the live one stands; processes that share the partitions each fill their own, and whichever sees that shows it.
"""

from collections.abc import Iterable

from services.resolver.projector.partitions import Keeper
from shared.documents import Documents
from shared.faults import point
from shared.log import PARTITIONS, Log
from shared.views import generations


class Rebuild:
    """Fills one generation."""

    def __init__(self, log: Log, documents: Documents, generation: int) -> None:
        self.generation = generation
        self._documents = documents
        self._keeper = Keeper(log, documents, generation)

    def step(self, partitions: Iterable[int], live: Keeper) -> bool:
        """Fold a batch; True once the new generation is the one that readers see."""
        self._keeper.keep(partitions)
        self._keeper.step(0)
        point("projector.mid_rebuild")
        everything = range(PARTITIONS)
        filled, shown = self._keeper.offsets(everything), live.offsets(everything)
        if any(filled[partition] < shown[partition] for partition in everything):
            return False
        point("projector.before_flip")
        generations.activate(self._documents, self.generation)
        point("projector.after_flip")
        return True

    @property
    def stopped(self) -> dict[int, str]:
        """Partitions that cannot be filled, with the reason: the rebuild does not end before they are mended."""
        return self._keeper.stopped

    def close(self) -> None:
        """Stop reading."""
        self._keeper.close()
