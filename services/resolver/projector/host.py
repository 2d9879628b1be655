"""What the events of the host write into views.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| host | game | public | kind and version of the rules, created_at, schedule |
| host | game | operators | the same, and what the quarantine says |
| chain | number | public | the commitments of a seed chain |
| leaves | certificate-part | public | sorted leaves of a resolution |
| certificate | number | public | the certificate as the chronicle has it |
| cover | input | its player | certificate and path that cover a private input |
| sealed | keys | public | keys of the sealed resolutions, once the game is over |
| ruling | label | public | an operator's ruling on a resolution |

Messages of players are in talk.py.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.events import CERTIFIED, JournalEvent, public_form
from shared.host_events import (
    CHAIN_STARTED,
    COVERED,
    CREATED,
    LEAVES,
    QUARANTINED,
    RELEASED,
    RULES_CHANGED,
    RULING,
    SCHEDULED,
    SEALED_REVEALED,
)
from shared.rules.interface import Write
from shared.views import ids
from shared.views.leaves import KIND as LEAVES_KIND
from shared.views.leaves import leaves_id
from shared.views.reader import CERTIFICATE, COVER

Facts = dict[str, Any]
"""The body of a head (shared/views/shapes.py)."""

_CHAIN_FIELDS = ("chain", "key_id", "salt", "seed0", "sealed")


def no_facts(game: str) -> Facts:
    """Facts of a game that was not created (yet): a refused creation is judged too."""
    return {"game": game, "at": 0, "kind": "", "rules": "", "created_at": 0, "quarantined": False}


def facts_after(facts: Facts, event: JournalEvent, at: int) -> Facts:
    """The facts of a game after an event of the host. `at` is the time of the input behind it."""
    if event.type == CREATED:
        return {**facts, "kind": event.data["kind"], "rules": event.data["rules"], "created_at": at}
    if event.type == RULES_CHANGED:
        return {**facts, "rules": event.data["to"]}
    if event.type in (QUARANTINED, RELEASED):
        return {**facts, "quarantined": event.type == QUARANTINED}
    return facts


def writes(event: JournalEvent, facts: Facts) -> Iterator[Write]:
    """The writes of an event of the host; `facts` are those after it."""
    if event.type in _WRITES:
        yield from _WRITES[event.type](event, facts)


def _shown(fields: Mapping[str, Any]) -> Iterator[Write]:
    """A write of the host's own document for everybody and for operators."""
    for audience in (ids.PUBLIC, ids.OPERATORS):
        yield Write("host", "game", audience, fields)


def _created(event: JournalEvent, facts: Facts) -> Iterator[Write]:
    yield from _shown({"kind": facts["kind"], "rules": facts["rules"], "created_at": facts["created_at"]})
    yield from _chain(event, facts)


def _chain(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    fields = {name: event.data[name] for name in _CHAIN_FIELDS}
    yield Write("chain", f"{event.data['chain']:06}", ids.PUBLIC, fields)


def _rules_changed(_event: JournalEvent, facts: Facts) -> Iterator[Write]:
    yield from _shown({"rules": facts["rules"]})


def _scheduled(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    yield from _shown({"schedule": dict(event.data)})


def _quarantine(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    quarantine = dict(event.data) if event.type == QUARANTINED else None
    yield Write("host", "game", ids.OPERATORS, {"quarantine": quarantine})


def _certified(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    form = public_form(event)
    if form is not None:
        yield Write(CERTIFICATE, ids.certificate_id(form[1]["k"]), ids.PUBLIC, form[1])


def _leaves(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    yield Write(LEAVES_KIND, leaves_id(event.data), ids.PUBLIC, event.data)


def _covered(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("k", "label", "leaf", "path")}
    yield Write(COVER, data["input"], event.to[0], fields)


def _sealed(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    yield Write("sealed", "keys", ids.PUBLIC, event.data)


def _ruling(event: JournalEvent, _facts: Facts) -> Iterator[Write]:
    yield Write("ruling", event.data["label"], ids.PUBLIC, event.data)


_WRITES: Mapping[str, Callable[[JournalEvent, Facts], Iterator[Write]]] = {
    CREATED: _created,
    CHAIN_STARTED: _chain,
    RULES_CHANGED: _rules_changed,
    SCHEDULED: _scheduled,
    QUARANTINED: _quarantine,
    RELEASED: _quarantine,
    CERTIFIED: _certified,
    LEAVES: _leaves,
    COVERED: _covered,
    SEALED_REVEALED: _sealed,
    RULING: _ruling,
}
