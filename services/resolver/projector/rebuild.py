"""A rebuild: a new generation is filled from the beginning of the journal beside the live one, and shown at the end.

Processes that share the partitions each fill their own, and go on from the checkpoints after a crash. Once a partition
of the new generation stands where the live one stands, it leads: whoever keeps it writes every batch there first. So
what is shown never goes back, whoever shows it and when: that may be done once all partitions lead, which is noted
for each in a document.
"""

from collections.abc import Iterable

from services.resolver.projector.partitions import Keeper
from shared.documents import Document, Documents
from shared.faults import point
from shared.log import PARTITIONS, Log
from shared.views import generations, ids

POLL_SECONDS = 0.05
"""Wait for the records of a journal that is read anew; they are there, but may have to be fetched."""


class Rebuild:
    """Fills one generation."""

    def __init__(self, log: Log, documents: Documents, generation: int) -> None:
        self.generation = generation
        self._documents = documents
        self._keeper = Keeper(log, documents, generation)
        self._leading: set[int] = set()
        """The partitions of this process that lead."""
        self._failed: dict[int, str] = {}
        """Those that led until a batch could not be projected."""

    def lead(self, partitions: frozenset[int], live: Keeper) -> None:
        """To be called before each batch of the live generation: partitions that lead get it first, those too that
        another process filled."""
        self._leading &= partitions
        self._failed = {partition: reason for partition, reason in self._failed.items() if partition in partitions}
        if lacking := partitions - self._leading - self._failed.keys():
            self._leading |= self._led(self._noted(lacking), live)
        live.ahead = dict.fromkeys(self._leading, self._keeper)

    def step(self, partitions: frozenset[int], live: Keeper) -> bool:
        """Fold a batch; True once the new generation is the one that readers see."""
        self._give_up_failed()
        if filling := partitions - self._leading - self._failed.keys():
            self._keeper.keep(filling)
            self._keeper.step(POLL_SECONDS)
            point("projector.mid_rebuild")
            filled, shown = self._keeper.offsets(filling), live.offsets(filling)
            reached = {partition for partition in filling if filled[partition] >= shown[partition]}
            self._documents.write("checkpoints", [Document(self._note(partition), 1, {}) for partition in reached])
            self._leading |= reached
        if not self._complete(live):
            return False
        point("projector.before_flip")
        generations.activate(self._documents, self.generation)
        point("projector.after_flip")
        return True

    def waits(self, partitions: frozenset[int]) -> bool:
        """Whether nothing is to be done for these partitions; the rebuild waits for others."""
        return partitions <= self._leading | self._failed.keys()

    @property
    def stopped(self) -> dict[int, str]:
        """Partitions that cannot be filled, with the reason: the rebuild does not end before they are mended."""
        return {**self._keeper.stopped, **self._failed}

    def close(self) -> None:
        """Stop reading."""
        self._keeper.close()

    def _led(self, noted: set[int], live: Keeper) -> set[int]:
        """Those of the noted partitions that lead. A process that was asleep may note one when another has gone on with
        it already, which wrote its batches to the live generation alone: that one is filled further."""
        if not noted:
            return noted
        filled, shown = self._keeper.offsets(noted), live.offsets(noted)
        late = {partition for partition in noted if filled[partition] < shown[partition]}
        self._documents.delete("checkpoints", [self._note(partition) for partition in late])
        return noted - late

    def _give_up_failed(self) -> None:
        failed = {place: reason for place, reason in self._keeper.stopped.items() if place in self._leading}
        if failed:
            self._documents.delete("checkpoints", [self._note(partition) for partition in failed])
            self._leading -= failed.keys()
            self._failed |= failed

    def _complete(self, live: Keeper) -> bool:
        everything = range(PARTITIONS)
        if len(self._noted(everything)) < PARTITIONS:
            return False
        filled, shown = self._keeper.offsets(everything), live.offsets(everything)
        return all(filled[partition] >= shown[partition] for partition in everything)

    def _noted(self, partitions: Iterable[int]) -> set[int]:
        """Which of these partitions lead, wherever they are kept."""
        notes = {self._note(partition): partition for partition in partitions}
        return {notes[id] for id in self._documents.get("checkpoints", notes)}

    def _note(self, partition: int) -> str:
        return ids.leading(self.generation, partition)
