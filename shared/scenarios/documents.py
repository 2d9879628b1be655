"""View documents in memory: the fold of `project` that the projector keeps on disk (shared/rules/interface.py)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import PUBLIC, Document, Viewer, Write

Key = tuple[str, str, str]
"""Kind, id and audience: what makes a document one."""


class Documents:
    """The documents of one game after the writes given so far."""

    __slots__ = ("_documents",)

    def __init__(self) -> None:
        self._documents: dict[Key, dict[str, Any]] = {}

    def write(self, writes: Iterable[Write]) -> None:
        """Apply writes in their order; a document that was gone and is written again begins empty."""
        for write in writes:
            key = (write.kind, write.id, write.audience)
            if write.gone:
                self._documents.pop(key, None)
            else:
                self._documents.setdefault(key, {}).update(write.fields)

    def __iter__(self) -> Iterator[Document]:
        """All documents in the order of kind, id and audience."""
        return (Document(*key, self._documents[key]) for key in sorted(self._documents))

    def of(self, viewer: Viewer) -> list[Document]:
        """The documents that a viewer may be shown: those of her audiences; all of them for an operator."""
        return [item for item in self if viewer.role == "operator" or item.audience in viewer.audiences]

    def viewer(self, name: str) -> Viewer:
        """`operator`, `public` for nobody in particular, else the player of that id with her audiences."""
        if name == "operator":
            return Viewer("operator", name)
        if name == "public":
            return Viewer("public", "")
        member: Mapping[str, Any] = self._documents.get(("member", name, ""), {})
        own = [audience for audience in member.get("audiences", ()) if audience not in PUBLIC]
        return Viewer("player", name, (*PUBLIC, *own))
