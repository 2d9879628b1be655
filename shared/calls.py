"""Signed calls between services: the gateway vouches for actor and role with a key that both sides share.

Headers: Warledger-Actor, Warledger-Role, Warledger-Time (UTC ms) and Warledger-Signature, HMAC-SHA-256 over the path,
these three and the body. A call older or newer than a minute is refused, so that a recorded one is soon worth nothing;
one that was recorded at another path is worth nothing at once.
"""

import hmac
import re
from typing import NamedTuple, Protocol

from shared.rules.interface import Role
from shared.rules.shapes import ID

WINDOW_MS = 60_000
_TIME = re.compile(r"[0-9]{1,15}")


class Caller(NamedTuple):
    """On whose behalf a call is made."""

    actor: str
    role: Role


GATEWAY = Caller("gateway", "operator")
"""The gateway itself, which signs for several commands; whoever acts stands beside each."""


def call_headers(key: bytes, caller: Caller, path: str, body: bytes, now: int) -> dict[str, str]:
    """The headers of a call."""
    return {
        "Warledger-Actor": caller.actor,
        "Warledger-Role": caller.role,
        "Warledger-Time": str(now),
        "Warledger-Signature": _mac(key, path, caller.actor, caller.role, str(now), body),
    }


class Headers(Protocol):
    """The headers of a request; a mapping will do."""

    def get(self, name: str, default: str, /) -> str: ...


def read_call(key: bytes, headers: Headers, path: str, body: bytes, now: int) -> Caller | None:
    """Who is calling, or None for a call that is not signed by a service of ours or out of time."""
    actor, role = headers.get("Warledger-Actor", ""), headers.get("Warledger-Role", "")
    time, signature = headers.get("Warledger-Time", ""), headers.get("Warledger-Signature", "")
    if role not in ("player", "operator") or not ID.match(actor) or not _TIME.fullmatch(time):
        return None
    if not hmac.compare_digest(_mac(key, path, actor, role, time, body).encode(), signature.encode()):
        return None
    if abs(now - int(time)) > WINDOW_MS:
        return None
    return Caller(actor, "operator" if role == "operator" else "player")


def _mac(key: bytes, path: str, actor: str, role: str, time: str, body: bytes) -> str:
    return hmac.digest(key, f"{path}|{actor}|{role}|{time}|".encode() + body, "sha256").hex()
