"""What the command line finds on its own machine: settings, stores, and the local operator's token."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from shared.adapters import open_documents, open_log
from shared.commands import WRITERS
from shared.config import ConfigError, Settings, from_environment
from shared.documents import Documents
from shared.errors import Problem
from shared.log import TICKS, Log
from warledger.api import Client

OPERATOR_SECONDS = 366 * 86_400


def settings() -> Settings:
    """The settings of the installation named by --data or the environment."""
    return from_environment()


def gateway() -> Client:
    """A client of the gateway: with the token given, else with the local operator's if there is one."""
    found = settings()
    token = os.environ.get("WARLEDGER_TOKEN")
    path = found.keys / "operator.token"
    if token is None and path.exists():
        token = path.read_text().strip()
    return Client(found.urls["gateway"], token)


@contextmanager
def local_documents(found: Settings) -> Iterator[Documents]:
    """The local document store, closed afterwards."""
    documents = open_documents(found)
    try:
        yield documents
    finally:
        documents.close()


@contextmanager
def local_log(found: Settings) -> Iterator[Log]:
    """The local event log for reading, closed afterwards. It believes no signature: inputs read from it are forged."""
    log = open_log(found)
    try:
        yield log
    finally:
        log.close()


def known_keys(found: Settings) -> dict[str, bytes]:
    """The signing keys that this machine has, by key id."""
    keys = {}
    for name in (*WRITERS, TICKS):
        try:
            keys[name] = found.key(name)
        except ConfigError:
            continue
    return keys


def has_local_operator(found: Settings) -> bool:
    """Whether this machine has the token of its operator."""
    return (found.keys / "operator.token").exists()


def operator_made(documents: Documents) -> bool:
    """Whether a machine made its operator in this store."""
    return bool(documents.get("names", ["operator"]))


def anybody_known(documents: Documents) -> bool:
    """Whether this store has an account of anybody."""
    return bool(documents.find("names", "", limit=1))


def make_local_operator(documents: Documents, found: Settings) -> None:
    """Make an operator for the person at this machine, her token in a file that she alone can read; once."""
    if has_local_operator(found):
        return
    for number in range(1, 100):
        try:
            name = "operator" if number == 1 else f"operator-{number}"
            made = create_account(documents, name, "operator", None)
            break
        except Problem as problem:
            if problem.code != "name_taken":
                raise
    else:
        raise RuntimeError("the names operator, operator-2, ... are all taken")
    issued = issue_token(documents, made.id, made.role, seconds=OPERATOR_SECONDS)
    descriptor = os.open(found.keys / "operator.token", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(issued.token + "\n")
