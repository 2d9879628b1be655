"""Bearer tokens: 256 random bits, shown once, stored as SHA-256, with a scope and an expiry.

A token reads `wl.<account>.<secret>`; its document is `<account>|<hash of the secret>`, so that all tokens of an
account are found by prefix. A check is cached in the process for at most CACHE_MS; a token revoked by this process is
refused at once, one revoked by another process after at most that time.
"""

import secrets
from dataclasses import dataclass
from typing import Literal

from services.gateway.accounts import AccountRole
from shared.canonical import sha256_hex
from shared.clock import Clock, SystemClock
from shared.documents import Document, Documents
from shared.errors import Problem
from shared.rules.interface import Role
from shared.rules.shapes import ID

Scope = Literal["read", "play", "operate"]
SCOPES: tuple[Scope, ...] = ("read", "play", "operate")

CACHE_MS = 2_000
DEFAULT_SECONDS = 30 * 86_400
LONGEST_SECONDS = 366 * 86_400
MOST_TOKENS = 100
"""Tokens of one account; beyond that the oldest goes."""
CHALLENGE = {"WWW-Authenticate": "Bearer"}
_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class Identity:
    """Who presents a token. `role` is operator only for an operator's token of scope `operate`."""

    account: str
    role: Role
    scope: Scope
    token: str
    """Id of the token's document, for its revocation; tells nothing about the secret."""

    def may(self, scope: Scope) -> bool:
        """Whether the token's scope covers this one."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token; `token` is shown once and is not stored."""

    token: str
    scope: Scope
    expires_at: int


class Tokens:
    """The tokens of the accounts store."""

    def __init__(self, documents: Documents, clock: Clock, cache_ms: int = CACHE_MS) -> None:
        self._documents = documents
        self._clock = clock
        self._cache_ms = cache_ms
        self._cache: dict[str, tuple[int, int, Identity]] = {}

    def issue(self, account: str, role: AccountRole, scope: Scope | None, seconds: int = DEFAULT_SECONDS) -> Issued:
        """Make a token. Without a scope it gets the widest that the role may have.

        Raises Problem `forbidden` for a scope beyond the role.
        """
        if scope == "operate" and role != "operator":
            raise Problem("forbidden", "the scope operate is for operators; a player may have read or play")
        granted: Scope = scope or ("operate" if role == "operator" else "play")
        now = self._clock.now()
        self._make_room(account, now)
        secret = secrets.token_urlsafe(32)
        expires_at = now + seconds * 1000
        body = {"scope": granted, "created_at": now, "expires_at": expires_at}
        if not self._documents.insert("tokens", Document(_id(account, secret), 1, body)):
            raise RuntimeError("256 random bits came twice: the random source of this machine is broken")
        return Issued(f"wl.{account}.{secret}", granted, expires_at)

    def check(self, token: str) -> Identity:
        """Who the token belongs to.

        Raises Problem `token_expired`, or `unauthenticated` if it is forged, revoked, or its account was deleted.
        """
        now, key = self._clock.now(), _key(token)
        if identity := self._cached(key, now):
            return identity
        id = _document_of(token)
        read = self._read(id) if id else None
        if read is None:
            raise Problem("unauthenticated", "the token is not valid; POST /tokens gives a new one", headers=CHALLENGE)
        if now >= read[0]:
            raise Problem("token_expired", "the token has expired; POST /tokens gives a new one", headers=CHALLENGE)
        if len(self._cache) >= _CACHED:
            self._cache.clear()
        self._cache[key] = (now, *read)
        return read[1]

    def at_hand(self, token: str) -> Identity | None:
        """Who the token belongs to, if a check is cached; None says nothing about the token."""
        return self._cached(_key(token), self._clock.now())

    def _cached(self, key: str, now: int) -> Identity | None:
        cached = self._cache.get(key)
        if cached is None:
            return None
        seen, expires_at, identity = cached
        if abs(now - seen) <= self._cache_ms and now < expires_at:
            return identity
        self._cache.pop(key, None)
        return None

    def revoke(self, identity: Identity) -> None:
        """Revoke the presented token."""
        self._documents.delete("tokens", [identity.token])
        self._forget(identity.account)

    def revoke_all(self, account: str, but: str | None = None) -> None:
        """Revoke every token of an account, but for the one with this document id."""
        if but is None:
            self._documents.delete_prefix("tokens", f"{account}|")
        else:
            others = [found.id for found in self._documents.find("tokens", f"{account}|") if found.id != but]
            self._documents.delete("tokens", others)
        self._forget(account)

    def holder(self, id: str) -> Identity | None:
        """Whom the token with this document id belongs to now; None once it is revoked or expired. Not cached."""
        now = self._clock.now()
        read = self._read(id)
        return read[1] if read is not None and now < read[0] else None

    def _read(self, id: str) -> tuple[int, Identity] | None:
        account = id.partition("|")[0]
        stored = self._documents.get("tokens", [id]).get(id)
        holder = self._documents.get("accounts", [account]).get(account)
        if stored is None or holder is None or "deleted_at" in holder.body:
            return None
        scope: Scope = stored.body["scope"]
        operates = scope == "operate" and holder.body["role"] == "operator"
        identity = Identity(account, "operator" if operates else "player", scope, id)
        return int(stored.body["expires_at"]), identity

    def _make_room(self, account: str, now: int) -> None:
        held = self._documents.find("tokens", f"{account}|")
        live = sorted((t for t in held if int(t.body["expires_at"]) > now), key=lambda t: int(t.body["created_at"]))
        kept = {found.id for found in live[-(MOST_TOKENS - 1) :]}
        if gone := [found.id for found in held if found.id not in kept]:
            self._documents.delete("tokens", gone)

    def _forget(self, account: str) -> None:
        for key, (_, _, identity) in list(self._cache.items()):
            if identity.account == account:
                self._cache.pop(key, None)


def _key(token: str) -> str:
    """What a check is cached under."""
    return sha256_hex(token.encode("utf-8", "surrogatepass"))


def _document_of(token: str) -> str | None:
    prefix, _, rest = token.partition(".")
    account, _, secret = rest.partition(".")
    if prefix != "wl" or not ID.match(account) or not 1 <= len(secret) <= 128:
        return None
    return _id(account, secret)


def _id(account: str, secret: str) -> str:
    return f"{account}|{sha256_hex(secret.encode('utf-8', 'surrogatepass'))}"


def issue_token(
    documents: Documents,
    account: str,
    role: AccountRole,
    scope: Scope | None = None,
    seconds: int = DEFAULT_SECONDS,
) -> Issued:
    """Make a token from the command line. Raises Problem as Tokens.issue."""
    return Tokens(documents, SystemClock()).issue(account, role, scope, seconds)
