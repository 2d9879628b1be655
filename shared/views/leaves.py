"""The leaves of a resolution stand in documents of their own: feeds name them, and who reads a feed gets them whole.

An event has up to 3,000 of them, 200 kB. Where 100,000 players gave four inputs each, a close wrote 80 MB of leaves, in
their documents, in the public feed and in that of operators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.documents import Documents
from shared.host_events import LEAVES
from shared.views import ids
from shared.views.shapes import FeedEntry, Head
from shared.views.versions import HeadMoved, at_head

KIND = "leaves"
_FIELD = "leaves"


def leaves_id(data: Mapping[str, Any]) -> str:
    """Id of the document that an event of leaves is kept in, by its data."""
    return f"{ids.certificate_id(data['k'])}-{data['part']:06}"


def without_leaves(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of an event of leaves as feeds keep it."""
    return {name: value for name, value in data.items() if name != _FIELD}


def with_leaves(documents: Documents, head: Head, entries: Sequence[FeedEntry]) -> list[FeedEntry]:
    """Entries of a feed as they are shown. Raises HeadMoved where the generation is being removed."""
    wanted = {
        ids.document(head.generation, head.game, KIND, ids.PUBLIC, leaves_id(entry.data)): place
        for place, entry in enumerate(entries)
        if entry.type == LEAVES and _FIELD not in entry.data
    }
    shown = list(entries)
    if wanted:
        found = documents.get("documents", wanted)
        for id, place in wanted.items():
            fields = at_head(found[id].body, head.n) if id in found else None
            if fields is None:
                raise HeadMoved
            entry = shown[place]
            shown[place] = replace(entry, data={**entry.data, _FIELD: fields[_FIELD]})
    return shown
