"""The map of a game as a drawing needs it: the map file that its creation named, from the public record of the game.

`territories` are those of a map file (shared.maps.model), the host's own form; whatever a game calls its places, they
stand under the ids of its map.
"""

from collections.abc import Mapping
from typing import Any

from services.gateway.reads import Reads
from shared.canonical import NotCanonical, parse
from shared.host_events import DATA_PART
from shared.maps.check import check_map
from shared.maps.model import Map, MapError
from shared.maps.zones import check_map_of_zones, map_of_places
from shared.rules.interface import PUBLIC
from shared.shelf import Shelf
from shared.views import Head

_FIRST_ENTRIES = 400
_KEPT = 64


class Boards:
    """Maps of games, a few kept in memory: the map of a game never changes."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._kept: Shelf[Map] = Shelf(_KEPT)

    def of(self, head: Head, territories: Mapping[str, Any]) -> Map | None:
        """The map with its outlines, else one of discs made of the territories as they are seen, else None.

        Raises HeadMoved.
        """
        kept = self._kept.get(head.game)
        if kept is not None:
            return kept
        found = self._from_record(head) or _of_discs(territories)
        if found is not None:
            self._kept.put(head.game, found)
        return found

    def _from_record(self, head: Head) -> Map | None:
        """The first data of the public record that is a map file."""
        texts: dict[str, str] = {}
        for entry in self._reads.views.feed(head, PUBLIC, {}, _FIRST_ENTRIES):
            if entry.type == DATA_PART:
                digest = entry.data["sha256"]
                texts[digest] = texts.get(digest, "") + entry.data["text"]
        for digest, text in texts.items():
            found = _in_data(text, digest)
            if found is not None:
                return found
        return None


def _in_data(text: str, digest: str) -> Map | None:
    """The map file, of territories or of zones, that some data of the record is; else None."""
    for check in (check_map, check_map_of_zones):
        try:
            return check(parse(text), digest)
        except (MapError, NotCanonical):
            continue
    return None


def _of_discs(territories: Mapping[str, Any]) -> Map | None:
    known = {id: item for id, item in territories.items() if isinstance(item, Mapping)}
    try:
        return map_of_places(known) if known else None
    except MapError:
        return None
