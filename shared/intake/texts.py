"""Texts of players stay out of the log: they are stored first, the event carries message id and salted hash."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from shared.canonical import canonical, sha256_hex
from shared.documents import Document, Documents
from shared.errors import Problem
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
    """Store the texts of a payload and return it with `message` and `hash` in their place.

    The salt follows from the message and its texts, so that a repeated request gives the same input. The document can
    be emptied by a moderator later; the hash in the log then stays without meaning and without harm.
    """
    texts = {name: payload[name] for name in command.texts if name in payload}
    salt = hmac.new(salt_key, canonical(["text", message, texts]), hashlib.sha256).hexdigest()[:32]
    kept = {name: item for name, item in payload.items() if name not in texts}
    body = {"actor": actor, "game": game, "type": command.type, "texts": texts, "salt": salt, "payload": kept}
    documents.write("messages", [Document(f"{game}|{message}", 1, body)])
    return {**kept, "message": message, "hash": sha256_hex(canonical({"salt": salt, "texts": texts}))}
