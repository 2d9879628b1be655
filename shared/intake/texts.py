"""Texts of players stay out of the log: they are stored first, the event carries message id and salted hash."""

from collections.abc import Mapping
from typing import Any

from shared.documents import Documents
from shared.errors import Problem
from shared.messages import Messages, Reference, hash_of, salt_of
from shared.rules.interface import Command


def check_lengths(command: Command, payload: Mapping[str, Any]) -> None:
    """Raise Problem `too_long` for a text over its limit in code points."""
    for name, limit in command.texts.items():
        text = payload.get(name)
        if isinstance(text, str) and len(text) > limit:
            raise Problem("too_long", f"payload.{name} has {len(text)} characters; at most {limit} are allowed")


def take_out(
    command: Command,
    payload: Mapping[str, Any],
    *,
    message: str,
    game: str,
    actor: str,
    salt_key: bytes,
    documents: Documents,
) -> dict[str, Any]:
    """Store the texts of a payload and return it with `message` and `hash` in their place."""
    texts = {name: payload[name] for name in command.texts if name in payload}
    salt = salt_of(salt_key, message, texts)
    reference = Reference(actor, game, message, hash_of(salt, texts))
    Messages(documents).keep(reference, command.type, texts, salt)
    kept = {name: item for name, item in payload.items() if name not in texts}
    return {**kept, "message": message, "hash": reference.hash}
