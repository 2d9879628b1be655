"""What every game's `view` begins with: the documents that one viewer may see, and whitelists of their fields."""

from collections.abc import Iterable, Mapping

from shared.rules.interface import Document, Json, Viewer

Kinds = Mapping[str, list[Document]]
"""Kind -> its documents, in the order in which they were given."""


def kinds_seen(documents: Iterable[Document], viewer: Viewer) -> Kinds:
    """Those for the viewer's audiences, for an operator all; a kind without any is absent."""
    kinds: dict[str, list[Document]] = {}
    for document in documents:
        if viewer.role == "operator" or document.audience in viewer.audiences:
            kinds.setdefault(document.kind, []).append(document)
    return kinds


def some(fields: Mapping[str, Json], names: Iterable[str]) -> dict[str, Json]:
    """The fields of a whitelist, in its order, as far as they are there."""
    return {name: fields[name] for name in names if name in fields}
