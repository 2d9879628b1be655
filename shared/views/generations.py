"""Generations of the views: which one readers see, the wish for a new one, and the end of an old one."""

from typing import NamedTuple

from shared.documents import STORES, Document, Documents
from shared.views import ids

REBUILD = "rebuild"
"""Checkpoint that asks for a generation; its position is the one asked for."""
LISTED = 50_000
"""Ids of an old generation that are held at a time."""
FORM = 7
"""What a generation is filled by. A higher number means that older views must be made anew, because they lack something
or hold what they should not.

2: operators' views hold nothing that is the journal's alone (0023); whoever plays a seat has notices of it (0022).
3: of GXC, energies and places stand on other shelves (`project_common.SHELVES`); those on the old ones would go stale.
4: of GXC, strengths of territories stand on three shelves, sizes of empires with the game.
5: of GXC, what closes leave of energies stands in one document a team, places of players in three.
6: counts of all audiences but players' stand in one document (`shared.views.counting`). Of GXC, owners stand with the
   strengths of all territories (`project_common.BOARD`), conquests of teams with the game.
7: of GXC, places and energies that closes of small games leave stand in one document (`project_common.STANDING`), the
   opening of a turn with the close before it, eliminations of teams with the game, and that players are out follows.
   Operators' feed does not hold again what is public, and few entries for several audiences stand in one document
   (`shared.views.chunks`).
"""


class Generations(NamedTuple):
    """The generation that readers see, and the one asked for that is not active yet."""

    active: int
    requested: int | None


def active(documents: Documents) -> int:
    """The generation that readers see."""
    found = documents.get("checkpoints", [ids.ACTIVE])
    return found[ids.ACTIVE].position if found else ids.FIRST_GENERATION


def request_rebuild(documents: Documents) -> int:
    """Ask the projector to fill a new generation beside the live one and to show it when it has caught up.

    Returns its number: the rebuild is done when `active` has reached it. Asked again meanwhile, it is the same one.
    """
    generation = active(documents) + 1
    documents.write("checkpoints", [Document(REBUILD, generation, {"form": FORM})])
    return generation


def renew(documents: Documents) -> int | None:
    """Ask for a new generation if the live one has an older form; returns its number. Empty views get the present one.

    To be called by a projector before it writes. A rebuild that is under way is left to itself.
    """
    found = documents.get("checkpoints", [REBUILD, ids.ACTIVE])
    live = found.get(ids.ACTIVE)
    if live is not None and live.body.get("form", 1) >= FORM:
        return None
    if live is None and not documents.find("checkpoints", ids.of_generation(ids.FIRST_GENERATION), limit=1):
        documents.write("checkpoints", [Document(ids.ACTIVE, ids.FIRST_GENERATION, {"form": FORM})])
        return None
    return request_rebuild(documents) if requested(documents) is None else None


def requested(documents: Documents) -> int | None:
    """The generation asked for that is not active yet."""
    return both(documents).requested


def both(documents: Documents) -> Generations:
    """Both in one read."""
    found = documents.get("checkpoints", [REBUILD, ids.ACTIVE])
    live = found[ids.ACTIVE].position if ids.ACTIVE in found else ids.FIRST_GENERATION
    wanted = found[REBUILD].position if REBUILD in found and found[REBUILD].position > live else None
    return Generations(live, wanted)


def activate(documents: Documents, generation: int) -> None:
    """Show a generation to readers from now on; its form is that of whoever asked for it."""
    asked = documents.get("checkpoints", [REBUILD]).get(REBUILD)
    body = asked.body if asked is not None and asked.position == generation else {}
    documents.write("checkpoints", [Document(ids.ACTIVE, generation, body)])


class Removal:
    """What is left of a generation that readers do not see any more, removed step by step.

    Its heads go first, so that no reader takes a part of it for the whole. Several may do it at once. Documents are
    removed by their ids, which are looked for once: a server may read a whole collection for each such look.
    """

    def __init__(self, documents: Documents, generation: int) -> None:
        self._documents = documents
        self._prefix = ids.of_generation(generation)
        self._collections = ["heads", *(name for name in STORES["views"] if name != "heads")]
        self._found: list[str] = []

    def step(self, most: int) -> bool:
        """Look what there is, or remove at most `most` documents; True once nothing is left."""
        if not self._collections:
            return True
        collection = self._collections[0]
        if self._found:
            self._documents.delete(collection, self._found[-most:])
            del self._found[-most:]
            return False
        self._found = self._documents.ids(collection, self._prefix, LISTED)
        if not self._found:
            del self._collections[0]
        return not self._collections
