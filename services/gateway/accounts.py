"""Accounts: opaque ids, unique names, argon2id passwords, and nothing personal outside this store.

Collections of the accounts store: `accounts` (id -> name, e-mail address, password hash, role) and `names` (folded
name -> id of its account). A name is claimed before its account is written; a claim whose account never came is taken
over after CLAIM_MS.
"""

import secrets
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from services.gateway.names import note_change
from shared.clock import Clock, SystemClock
from shared.documents import Document, Documents
from shared.errors import Problem

AccountRole = Literal["player", "operator"]

NAME_LONGEST = 40
EMAIL_LONGEST = 254
PASSWORD_SHORTEST = 8
PASSWORD_LONGEST = 256
CLAIM_MS = 60_000
_HASHES_AT_ONCE = 2
"""Argon2 takes 64 MiB a hash; more at once than cores only costs memory."""
_WAITING = 2
"""Threads of a process that wait for a turn to hash; the others serve who sends no password."""
_AT_ONCE = {"Retry-After": "1"}


@dataclass(frozen=True, slots=True)
class Account:
    """One account as others of this service see it; the password hash stays in the store."""

    id: str
    name: str
    role: AccountRole
    email: str | None
    created_at: int


def plain_name(name: str) -> str:
    """The name as it is stored and shown: NFKC, outer spaces removed. Raises Problem `malformed`."""
    plain = unicodedata.normalize("NFKC", name).strip()
    if not 1 <= len(plain) <= NAME_LONGEST or not plain.isprintable():
        raise Problem("malformed", f"a name has 1 to {NAME_LONGEST} printable characters")
    return plain


def folded(name: str) -> str:
    """What makes a name unique: names that differ only in case or compatible characters are one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())


class Passwords:
    """Argon2id with a bound on hashes at once in this process."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turns = threading.BoundedSemaphore(_HASHES_AT_ONCE)
        self._seats = threading.BoundedSemaphore(_HASHES_AT_ONCE + _WAITING)
        self._decoy: str | None = None

    def hash(self, password: str) -> str:
        """The hash of a new password. Raises Problem `malformed` for one that is too short or too long."""
        if not PASSWORD_SHORTEST <= len(password) <= PASSWORD_LONGEST:
            raise Problem("malformed", f"a password has {PASSWORD_SHORTEST} to {PASSWORD_LONGEST} characters")
        with self._turn():
            return self._hasher.hash(self._bytes(password))

    def fits(self, hashed: str | None, password: str) -> bool:
        """Whether the password fits. Without a hash it takes as long and answers False: time tells no names."""
        with self._turn():
            if self._decoy is None:
                self._decoy = self._hasher.hash(secrets.token_bytes(16))
            try:
                fits = self._hasher.verify(hashed or self._decoy, self._bytes(password))
            except (VerificationError, InvalidHashError):
                return False
        return fits and hashed is not None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for a turn, if not too many wait already. Raises Problem `too_many_requests`."""
        if not self._seats.acquire(blocking=False):
            raise Problem("too_many_requests", "too many passwords are being checked; try again", headers=_AT_ONCE)
        try:
            with self._turns:
                yield
        finally:
            self._seats.release()

    def outdated(self, hashed: str) -> bool:
        """Whether the hash was made with weaker settings than today's."""
        return self._hasher.check_needs_rehash(hashed)

    @staticmethod
    def _bytes(password: str) -> bytes:
        return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


class Accounts:
    """The accounts store."""

    def __init__(self, documents: Documents, clock: Clock, passwords: Passwords) -> None:
        self._documents = documents
        self._clock = clock
        self._passwords = passwords

    def create(self, name: str, role: AccountRole, password: str | None, email: str | None = None) -> Account:
        """Make an account; without a password it is used by tokens alone.

        Raises Problem `malformed` or `name_taken`.
        """
        plain = plain_name(name)
        hashed = None if password is None else self._passwords.hash(password)
        account = Account(f"u{secrets.token_hex(8)}", plain, role, email, self._clock.now())
        self._claim(plain, account.id)
        body = {"name": plain, "role": role, "email": email, "password": hashed, "created_at": account.created_at}
        if not self._documents.insert("accounts", Document(account.id, 1, body)):
            raise Problem("unavailable", "the new account's id exists; send the request again", headers=_AT_ONCE)
        return account

    def get(self, id: str) -> Account | None:
        """The account; None if there is none or it was deleted."""
        stored = self._stored(id)
        return None if stored is None else _account(stored)

    def log_in(self, name: str, password: str) -> Account | None:
        """The account whose name and password these are, else None."""
        key = folded(name)
        claim = self._documents.get("names", [key]).get(key) if key and len(key.encode()) <= 512 else None
        stored = self._stored(str(claim.body["account"])) if claim else None
        hashed = stored.body["password"] if stored else None
        if not self._passwords.fits(hashed, password) or stored is None:
            return None
        if self._passwords.outdated(str(hashed)):
            body = {**stored.body, "password": self._passwords.hash(password)}
            self._documents.replace("accounts", Document(stored.id, stored.position + 1, body), stored.position)
        return _account(stored)

    def change(self, id: str, changes: Mapping[str, Any]) -> Account:
        """Change `name`, `email` or `password`; a new password needs the present one as `old_password`.

        Raises Problem `not_found`, `bad_credentials`, `malformed`, `name_taken` or `unavailable`.
        """
        stored = self._stored(id)
        if stored is None:
            raise Problem("not_found", "the account was deleted")
        body = dict(stored.body)
        if "password" in changes:
            if not self._passwords.fits(body["password"], str(changes.get("old_password", ""))):
                raise Problem("bad_credentials", "old_password must be the present password")
            body["password"] = self._passwords.hash(str(changes["password"]))
        if "email" in changes:
            body["email"] = changes["email"]
        if "name" in changes:
            body["name"] = plain_name(str(changes["name"]))
        before, after = folded(str(stored.body["name"])), folded(str(body["name"]))
        if before != after:
            self._claim(str(body["name"]), id)
        done = self._documents.replace("accounts", Document(id, stored.position + 1, body), stored.position)
        if before != after:
            self._documents.delete("names", [before if done else after])
        if done and body["name"] != stored.body["name"]:
            note_change(self._documents)
        if not done:
            raise Problem("unavailable", "the account changed meanwhile; send the request again", headers=_AT_ONCE)
        return _account(Document(id, stored.position + 1, body))

    def remove(self, id: str) -> None:
        """Remove everything personal; the opaque id stays, because the log names it."""
        stored = self._stored(id)
        if stored is None:
            return
        body = {"role": stored.body["role"], "deleted_at": self._clock.now()}
        if not self._documents.replace("accounts", Document(id, stored.position + 1, body), stored.position):
            raise Problem("unavailable", "the account changed meanwhile; send the request again", headers=_AT_ONCE)
        self._documents.delete("names", [folded(str(stored.body["name"]))])
        note_change(self._documents)

    def _stored(self, id: str) -> Document | None:
        stored = self._documents.get("accounts", [id]).get(id)
        return None if stored is None or "deleted_at" in stored.body else stored

    def _claim(self, name: str, account: str) -> None:
        key, now = folded(name), self._clock.now()
        claim = {"account": account, "at": now}
        if self._documents.insert("names", Document(key, 1, claim)):
            return
        held = self._documents.get("names", [key]).get(key)
        free = held is not None and self._is_stale(key, held, now)
        if held is None or not free:
            raise Problem("name_taken", "this name is taken; choose another")
        if not self._documents.replace("names", Document(key, held.position + 1, claim), held.position):
            raise Problem("name_taken", "this name is taken; choose another")

    def _is_stale(self, key: str, held: Document, now: int) -> bool:
        owner = self._stored(str(held.body["account"]))
        used = owner is not None and folded(str(owner.body["name"])) == key
        return not used and now - int(held.body["at"]) > CLAIM_MS


def _account(stored: Document) -> Account:
    body = stored.body
    return Account(stored.id, str(body["name"]), body["role"], body["email"], int(body["created_at"]))


def create_account(documents: Documents, name: str, role: AccountRole, password: str | None) -> Account:
    """Make an account from the command line, the only way to make an operator. Raises Problem as Accounts.create."""
    return Accounts(documents, SystemClock(), Passwords()).create(name, role, password)
