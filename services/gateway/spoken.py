"""What players said: the texts behind messages of the views, for those who may see the events that speak of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.errors import Problem
from shared.messages import Kept, Messages, Reference

_REFERENCE = ("author", "message", "hash")
CONFIG = "config"
"""Section of every game's view that speaks of no text."""
_PLACE = re.compile(r"[0-9]{15}-[A-Za-z0-9_-]{1,64}\Z")


class Spoken:
    """Reads texts."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def revision(self, game: str) -> int:
        """Grows with every removal of a text of this game."""
        return self._messages.revision(game)

    def of(self, game: str, found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What is kept behind each object that names author, message and hash: `texts`, `salt`, `removed_at`."""
        references = [Reference(item["author"], game, item["message"], item["hash"]) for item in found]
        kept = self._messages.read(references)
        return [_shown(kept[reference]) for reference in references]

    def put_into(self, game: str, view: Mapping[str, Any]) -> None:
        """Put the texts into every object of a view that speaks of one."""
        sections = [item for name, item in view.items() if name != CONFIG]
        speaking = [item for section in sections for item in _speaking(section)]
        for item, shown in zip(speaking, self.of(game, speaking), strict=True):
            item.update(shown)


def place(text: str) -> str:
    """The query parameter `after` of a list of messages. Raises Problem `malformed`."""
    if text and not _PLACE.match(text):
        raise Problem("malformed", "after must be the `next` of the page before")
    return text


def _shown(kept: Kept) -> dict[str, Any]:
    return {"texts": kept.texts, "salt": kept.salt, "removed_at": kept.removed_at}


def _speaking(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if all(isinstance(value.get(name), str) for name in _REFERENCE):
            yield value
        else:
            for item in value.values():
                yield from _speaking(item)
    elif isinstance(value, list):
        for item in value:
            yield from _speaking(item)
