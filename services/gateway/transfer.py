"""Accounts that move to another house, as lines of JSON: ids as the log names them, names, password hashes.

The file is for operators alone. It holds no tokens: whoever has a password logs in, others get a new token.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import orjson

from services.gateway.accounts import folded
from services.gateway.names import note_change
from shared.canonical import canonical
from shared.clock import Clock
from shared.documents import Document, Documents
from shared.rules.shapes import ID, Choice, Id, Integer, Maybe, Object, Text, fault

FORMAT = "warledger-accounts"
VERSION = 1
_FORM = Object(
    {
        "id": Id(),
        "name": Text(160),
        "role": Choice(("player", "operator")),
        "email": Maybe(Text(254)),
        "password": Maybe(Text(512)),
        "created_at": Integer(0),
    }
)


class BadAccounts(ValueError):
    """A file that holds no accounts; `line` counts from 1."""

    def __init__(self, line: int, said: str) -> None:
        super().__init__(f"line {line}: {said}")
        self.line = line


class Arrival(NamedTuple):
    """What became of one account of a file: `taken in`, `there already`, or why it was left out."""

    id: str
    name: str
    password: bool
    taken_in: bool
    said: str


def write_accounts(documents: Documents, wanted: Collection[str] | None = None) -> Iterator[bytes]:
    """The lines of a file of accounts, of `wanted` ids or of all.

    Operators that have no password are those of this machine; they stay.
    """
    yield canonical({"format": FORMAT, "version": VERSION}) + b"\n"
    for stored in documents.find("accounts", ""):
        body = stored.body
        if not ID.match(stored.id) or "name" not in body or (wanted is not None and stored.id not in wanted):
            continue
        if body["role"] == "operator" and body["password"] is None:
            continue
        fields = ("name", "role", "email", "password", "created_at")
        yield canonical({"id": stored.id, **{name: body[name] for name in fields}}) + b"\n"


def read_accounts(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The accounts of a file. Raises BadAccounts."""
    numbered = enumerate(lines, 1)
    if _json(*next(numbered, (1, b""))) != {"format": FORMAT, "version": VERSION}:
        raise BadAccounts(1, f'expected {{"format": "{FORMAT}", "version": {VERSION}}}')
    accounts = []
    for number, line in numbered:
        account = _json(number, line)
        if found := fault(_FORM, account):
            raise BadAccounts(number, found.replace("payload", "the account", 1))
        accounts.append(account)
    return accounts


def _json(number: int, line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except ValueError as error:
        raise BadAccounts(number, f"it is no JSON: {error}") from None


def take_in(documents: Documents, accounts: Iterable[dict[str, Any]], clock: Clock) -> list[Arrival]:
    """Make the accounts that are not there, with the ids that the log knows them by; changes none that is there."""
    arrivals = [_take_in(documents, account, clock) for account in accounts]
    if any(arrival.taken_in for arrival in arrivals):
        note_change(documents)
    return arrivals


def _take_in(documents: Documents, account: dict[str, Any], clock: Clock) -> Arrival:
    id, name = account["id"], account["name"]
    password = account["password"] is not None
    there = documents.get("accounts", [id]).get(id)
    if there is not None:
        known = there.body.get("name")
        said = "there already" if known == name else "removed here" if known is None else f"is {known} here"
        return Arrival(id, name, password, False, said)
    key = folded(name)
    if not documents.insert("names", Document(key, 1, {"account": id, "at": clock.now()})):
        holder = documents.get("names", [key]).get(key)
        if holder is not None and holder.body["account"] != id:
            return Arrival(id, name, password, False, f"the name is that of {holder.body['account']} here")
    body = {field: item for field, item in account.items() if field != "id"}
    documents.insert("accounts", Document(id, 1, body))
    return Arrival(id, name, password, True, "taken in")
