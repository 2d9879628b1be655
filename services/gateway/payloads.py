"""JSON Schemas of the payloads of every command, made of the shapes that the intakes check with."""

from collections.abc import Iterator
from typing import Any

from shared import rules as registry
from shared.canonical import MAX_INTEGER
from shared.commands import CREATE_GAME, HOST_COMMANDS, REMINDERS
from shared.events import HOST
from shared.rules.interface import Command
from shared.schemas import json_schema

_SET_BY_THE_HOST = ("message", "hash")


def payload_schema(command: Command) -> dict[str, Any]:
    """The payload as a client sends it: texts themselves, without the id and hash that the host puts in their place."""
    schema: dict[str, Any] = _bounded(json_schema(command.payload))
    if command.texts:
        for name in _SET_BY_THE_HOST:
            schema["properties"].pop(name, None)
        for name, longest in command.texts.items():
            schema["properties"][name] = {"type": "string", "maxLength": longest}
        schema["required"] = sorted((set(schema["required"]) | set(command.texts)) - set(_SET_BY_THE_HOST))
    return schema


def command_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and schema of the body of each command that POST /games/{game}/commands takes, host's and games'."""
    newest = {item.game: item for item in registry.GAMES}
    tables = [(HOST, HOST_COMMANDS), *((game, item.load().commands) for game, item in newest.items())]
    for kind, commands in tables:
        for command in commands.values():
            if command.type != CREATE_GAME:
                yield f"command.{kind}.{command.type}", _command_schema(kind, command)


def creation_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and schema of the body of POST /games for each game, in its newest version."""
    for item in {item.game: item for item in registry.GAMES}.values():
        rules = item.load()
        create: dict[str, Any] = _bounded(json_schema(rules.create))
        create["properties"] = {name: {"anyOf": [form, _NAMED]} for name, form in create["properties"].items()}
        properties = {"id": _ID, "game": {"const": item.game}, "rules": {"type": "string"}, "create": create}
        properties["reminders"] = json_schema(REMINDERS)
        yield (
            f"create.{item.game}",
            {
                "title": f"{item.game}: create_game",
                "description": "A new game. Large data may be whole, or named by its SHA-256 if it was stored before.",
                "type": "object",
                "properties": properties,
                "required": ["game", "create"],
                "additionalProperties": False,
            },
        )


_ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
_NAMED = {
    "type": "object",
    "properties": {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
    "required": ["sha256"],
    "additionalProperties": False,
}


def _command_schema(kind: str, command: Command) -> dict[str, Any]:
    payload = payload_schema(command)
    return {
        "title": f"{kind}: {command.type}",
        "description": f"{command.summary} By: {' or '.join(sorted(command.roles))}.",
        "type": "object",
        "properties": {"type": {"const": command.type}, "payload": payload},
        "required": ["type", "payload"] if payload["required"] else ["type"],
        "additionalProperties": False,
    }


def _bounded(schema: Any) -> Any:
    """The schema with the bounds that every integer of a request has (shared/canonical.py)."""
    if isinstance(schema, list):
        return [_bounded(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bounded = {key: _bounded(item) for key, item in schema.items()}
    if schema.get("type") == "integer":
        bounded = {"minimum": -MAX_INTEGER, "maximum": MAX_INTEGER, **bounded}
    return bounded
