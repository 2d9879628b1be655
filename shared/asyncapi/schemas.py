"""JSON Schemas of what stands in the topics: inputs, batches of events, dead letters, and their headers.

Schemas of event data are those of shared/schemas, unchanged. They use only what JSON Schema 2020-12 and draft-07 have
in common, so the default schema format of AsyncAPI 3.0 takes them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from shared import schemas
from shared.commands import Ruleset, commands_of
from shared.events import HOST, split_type
from shared.host_events import HOST_EVENTS
from shared.log import INPUT_TOPICS, PARTITIONS
from shared.rules import GAMES
from shared.rules.interface import Command, EventType
from shared.rules.shapes import Object

Schema = dict[str, Any]

_ID: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
_COUNT: Schema = {"type": "integer", "minimum": 1}
_TRACEPARENT = "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$"


def reference(name: str) -> Schema:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed(properties: Mapping[str, Any], optional: Iterable[str] = (), **more: Any) -> Schema:
    """An object with exactly these properties, of which some may be missing."""
    required = [name for name in properties if name not in set(optional)]
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
        **more,
    }


def event_types() -> dict[str, EventType]:
    """Full name -> event type, of everything that is written now: the host's, then each game's."""
    catalogue: list[tuple[str, Mapping[str, EventType]]] = [(HOST, HOST_EVENTS)]
    catalogue += [(item.game, item.load().events) for item in GAMES]
    return {
        f"warledger.{game}.{event.name}.v{event.version}": event
        for game, events in catalogue
        for event in events.values()
    }


def stored_types() -> list[str]:
    """Full names of all event types that were ever written, those of the host first."""
    names = [path.stem for path in schemas.FOLDER.glob("*.json")]
    return sorted(names, key=lambda full: (split_type(full).game != HOST, full))


def audience(full: str) -> str:
    """Who may see an event: the head of its summary, up to the first full stop."""
    return str(schemas.stored(full)["description"]).partition(". ")[0].rstrip(".")


def is_public(full: str) -> bool:
    """Whether events of this type come into the chronicle: always, or in the cases that the summary tells."""
    head = audience(full)
    if head.startswith("As `"):
        name = split_type(full)
        return is_public(f"warledger.{name.game}.{head[4:].partition('`')[0]}.v1")
    return head.startswith("Public")


def component_schemas() -> dict[str, Schema]:
    """All schemas of the document, by name."""
    types = stored_types()
    return {
        "id": {**_ID, "description": "Id of a game, player, team, territory or input."},
        "batch": _batch("journalEvent", origins=True),
        "chronicleBatch": _batch("chronicleEvent", origins=False),
        "journalEvent": _event(types, {"type": "array", "items": {"type": "string"}}, _AUDIENCES),
        "chronicleEvent": _event(list(filter(is_public, types)), {"const": ["public"]}, "Always `public` alone."),
        "origin": _ORIGIN,
        "deadLetter": _DEAD_LETTER,
        **{command_type(command): _input(command, by) for topic in INPUT_TOPICS for command, by in commands(topic)},
        **{full: schemas.stored(full) for full in types},
    }


def command_type(command: str) -> str:
    """The CloudEvents type of a command."""
    return f"warledger.command.{command}.v1"


def commands(topic: str) -> list[tuple[str, Mapping[Ruleset, Command]]]:
    """The commands of an input topic: their type, and the form that each set of rules gives it."""
    return list(commands_of(topic).items())


_AUDIENCES = (
    "Who may see all of `data`: `public`, `team:<id>`, `player:<id>`, or another audience of the game; operators see "
    "every event, and one without audiences is theirs alone, or the journal's (`Journal.` in its description)."
)
_ORIGIN: Schema = {
    "type": "array",
    "minItems": 5,
    "maxItems": 5,
    "items": {"type": ["integer", "string", "null"]},
    "description": "[n, topic, partition, offset, traceparent]: where the input judged at position n stood. Envelope: "
    "it is not part of what is hashed.",
}
_DEAD_LETTER = closed(
    {
        "topic": {"enum": list(INPUT_TOPICS)},
        "partition": {"type": "integer", "minimum": 0, "maximum": PARTITIONS - 1},
        "offset": {"type": "integer", "minimum": 0},
        "reason": {"enum": ["forged", "unreadable"]},
        "detail": {"type": "string"},
    },
    description="Where a record stands that is no input, and why it was left aside.",
)


def _batch(event: str, *, origins: bool) -> Schema:
    where = {"type": "array", "items": reference("origin")} if origins else {"type": "array", "maxItems": 0}
    return closed(
        {
            "game": reference("id"),
            "events": {"type": "array", "items": reference(event)},
            "origins": {**where, "description": "In the first part alone; empty in the chronicle."},
            "part": {**_COUNT, "description": "This record is part `part` of `parts`."},
            "parts": {**_COUNT, "description": "Records that were written as one and belong together."},
        }
    )


def _event(types: Iterable[str], to: Schema, audiences: str) -> Schema:
    options = [
        closed(
            {
                "n": {**_COUNT, "description": "Position of the event within its game and topic, without gaps."},
                "type": {"const": full},
                "data": reference(full),
                "to": {**to, "description": audiences},
            },
            title=full,
        )
        for full in types
    ]
    return {"oneOf": options}


def _input(command: str, by: Mapping[Ruleset, Command]) -> Schema:
    forms = [schemas.json_schema(_travelling(item)) for item in by.values()]
    distinct = [form for index, form in enumerate(forms) if form not in forms[:index]]
    roles = sorted({role for item in by.values() for role in item.roles if role != "clock"})
    return closed(
        {
            "actor": {**_ID, "description": "Opaque id of an account."},
            "game": reference("id"),
            "id": {**_ID, "description": "Of the input; the same id again is a repetition."},
            "payload": distinct[0] if len(distinct) == 1 else {"anyOf": distinct},
            "role": {"enum": roles},
            "salt": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "type": {"const": command},
        },
        description=" ".join(dict.fromkeys(item.summary for item in by.values())),
    )


def _travelling(command: Command) -> Object:
    """The form of a payload in the topic: texts stay out, `message` and `hash` stand for them."""
    if not command.texts:
        return command.payload
    fields = {name: of for name, of in command.payload.fields.items() if name not in command.texts}
    return Object(fields, command.payload.optional - {"message", "hash", *command.texts})


def headers(type: str, source: str, subject: str | None, **more: Schema) -> Schema:
    """The headers of a record: CloudEvents 1.0 in binary mode, UTF-8; others may stand beside them."""
    known: dict[str, Schema] = {
        "ce_specversion": {"const": "1.0"},
        "ce_id": {"type": "string", "description": "Unique among the records of this source."},
        "ce_source": {"const": source},
        "ce_type": {"const": type},
        "content-type": {"const": "application/json"},
    }
    if subject is not None:
        known["ce_subject"] = {"type": "string", "description": subject}
    return {"type": "object", "properties": {**known, **more}, "required": list(known)}


TRACEPARENT: Schema = {
    "type": "string",
    "pattern": _TRACEPARENT,
    "description": "W3C Trace Context of the request that it comes from.",
}
