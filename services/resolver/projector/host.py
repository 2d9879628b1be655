"""What the events of the host write into views: the head's facts, kinds `host`, `certificate` and `leaves`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.events import JournalEvent, public_form, split_type
from shared.rules.interface import Write
from shared.views import ids
from shared.views.reader import CERTIFICATE, certificate_id

HOST_KIND = "host"
HOST_ID = "game"
LEAVES = "leaves"

Facts = dict[str, Any]


def no_facts(game: str) -> Facts:
    """Facts of a game that was not created (yet): a refused creation is judged too."""
    return {"game": game, "at": 0, "kind": None, "rules": None, "created_at": 0, "quarantined": False}


def facts_after(facts: Facts, name: str, data: Mapping[str, Any], at: int) -> Facts:
    """The facts of a game after an event of the host. `at` is the time of the input behind it."""
    if name == "game.created":
        return {**facts, "kind": data["rules"]["game"], "rules": data["rules"]["version"], "created_at": at}
    if name == "game.rules_changed":
        return {**facts, "rules": data["version"]}
    if name in ("game.quarantined", "game.released"):
        return {**facts, "quarantined": name == "game.quarantined"}
    return facts


def writes(event: JournalEvent, facts: Facts) -> Iterator[Write]:
    """The writes of an event of the host; `facts` are those after it."""
    name = split_type(event.type).name
    if name in _WRITES:
        yield from _WRITES[name](event, facts)


def _game(event: JournalEvent, facts: Facts) -> Iterator[Write]:
    shown = {key: facts[key] for key in ("kind", "rules", "created_at", "quarantined")}
    if "public" in event.to:
        yield Write(HOST_KIND, HOST_ID, ids.PUBLIC, shown)
    yield Write(HOST_KIND, HOST_ID, ids.OPERATORS, {**shown, split_type(event.type).name: event.data})


def _certified(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    public = public_form(event)
    if public is not None:
        yield Write(CERTIFICATE, certificate_id(public[1]["k"]), ids.PUBLIC, public[1])


def _leaves(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    public = public_form(event)
    if public is not None:
        data = public[1]
        yield Write(LEAVES, f"{certificate_id(data['k'])}-{data['part']:06}", ids.PUBLIC, data)


_WRITES: Mapping[str, Callable[[JournalEvent, Facts], Iterator[Write]]] = {
    "game.created": _game,
    "game.rules_changed": _game,
    "game.quarantined": _game,
    "game.released": _game,
    "game.moved": _game,
    "chain.started": _game,
    "resolution.certified": _certified,
    "resolution.leaves": _leaves,
}
