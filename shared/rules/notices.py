"""Notices: which events of a game concern somebody herself, and what they tell her (docs/decisions/0022-notices.md).

A game says it as data, the attribute `notices` of its rules. The views derive every notice from one event of the
journal alone: it can hold nothing that its receiver may not read there, and the same journal gives the same notices.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shared.rules.interface import Event, Json, Rules, Sentence

EVERYBODY_NAMED = ""
"""`to` of a notice for all those whom the event is for, the public and operators left out."""
_PUBLIC = "public"
ADDRESS = re.compile(r"([a-z_]+:)\{([A-Za-z_.]+)\}\Z")


class Notice(NamedTuple):
    """What an event tells those whom it concerns.

    `code` is stable, and stands in one row of a game only. `to` is the audience, with a field of the event in braces:
    `seat:{defender}`, `player:{player}`. A field that is null makes no notice, a list one for each entry, an object one
    for each key; `{ranking.team}` takes a field of each entry of a list. The event must be public, or for that
    audience. `fields` are handed on; `sentences` speak of nothing else and address whoever reads them. `when` chooses
    events by values of fields.
    """

    code: str
    to: str
    fields: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    when: Mapping[str, Json] = {}


class Given(NamedTuple):
    """One notice of one event: its code, its audience and the fields that it hands on."""

    code: str
    audience: str
    data: Mapping[str, Json]


Notices = Mapping[str, Sequence[Notice]]
"""Event type -> its notices."""


def notices_of(rules: Rules[Any]) -> Notices:
    """The notices of a game, for rules that have any (attribute `notices`)."""
    found: Notices = getattr(rules, "notices", {})
    return found


def given_by(event: Event, notices: Notices) -> Iterator[Given]:
    """The notices that an event gives, in a fixed order, none twice to the same audience under the same code."""
    for row in notices.get(event.type, ()):
        if all(event.data.get(name, ...) == value for name, value in row.when.items()):
            data = {name: event.data[name] for name in row.fields if name in event.data}
            for audience in dict.fromkeys(_audiences(row.to, event)):
                yield Given(row.code, audience, data)


def sentences_by_code(notices: Notices) -> dict[str, tuple[Sentence, ...]]:
    """Code -> its sentences."""
    return {row.code: row.sentences for rows in notices.values() for row in rows}


def _audiences(to: str, event: Event) -> Iterator[str]:
    if to == EVERYBODY_NAMED:
        yield from (audience for audience in event.to if audience != _PUBLIC)
        return
    found = ADDRESS.match(to)
    if found is None:
        return
    for value in _values(event.data, found[2].split(".")):
        audience = f"{found[1]}{value}"
        if _PUBLIC in event.to or audience in event.to:
            yield audience


def _values(data: Json, path: Sequence[str]) -> Iterator[Json]:
    """What a path leads to: scalars, the entries of lists, the keys of objects; null leads nowhere."""
    if isinstance(data, list | tuple):
        for item in data:
            yield from _values(item, path)
    elif isinstance(data, Mapping):
        if path:
            yield from _values(data.get(path[0]), path[1:])
        else:
            yield from data
    elif data is not None and not path:
        yield data
