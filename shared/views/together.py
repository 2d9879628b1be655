"""Documents of many audiences that are stored as one (`shared.rules.interface.TOGETHER`): small closes write fewer.

The document stands under an audience that nobody has, and each of its fields begins with the audience that it is for.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from shared.rules.interface import TOGETHER, Document, Write
from shared.views import ids
from shared.views.changes import DocumentKey


def is_together(kind: str) -> bool:
    """Whether documents of this kind are stored as one."""
    return kind.startswith(TOGETHER)


def stored(write: Write) -> tuple[DocumentKey, dict[str, Any]]:
    """The key of the document that a write of such a kind goes to, and its fields there.

    Raises ValueError if the write removes a document, for those of other audiences would go with it.
    """
    if write.gone:
        raise ValueError(f"{write.kind} {write.id}: a document that is stored together with others cannot go")
    return (write.kind, ids.SHARED, write.id), {f"{write.audience}|{name}": it for name, it in write.fields.items()}


def apart(kind: str, id: str, fields: Mapping[str, Any], audiences: Container[str] | None) -> Iterator[Document]:
    """The documents of these audiences in one that is stored; None means all audiences."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in fields.items():
        audience, _, name = key.partition("|")
        if audiences is None or audience in audiences:
            found.setdefault(audience, {})[name] = value
    for audience in sorted(found):
        yield Document(kind, id, audience, found[audience])
