"""Where the documents of an installation stand in MongoDB: servers, database, options. Passwords are shown nowhere."""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

DEFAULT_DATABASE = "warledger"
_EXPECTED = (
    "expected mongodb://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT] ...][/DATABASE][?OPTIONS], the database of 1 to 38 of"
    " a-z, A-Z, 0-9, - and _; in user and password every sign but letters and digits as %XX"
)
_SCHEMES = ("mongodb", "mongodb+srv")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_LONGEST_NAME = 38


@dataclass(frozen=True, slots=True)
class MongoPlace:
    """A MongoDB server or replica set, and the database of one installation."""

    url: str = field(repr=False)
    """As the driver takes it; may hold a password."""
    hosts: str
    """HOST:PORT of the servers that are asked first, as they may be shown."""
    database: str
    options: frozenset[str]
    """Names of the options that the URL sets, in lower case."""


def parse_place(url: str) -> MongoPlace:
    """Read a mongodb:// URL. Raises ValueError that says what was expected and repeats nothing of the URL."""
    try:
        parts = urlsplit(url)
        options = parse_qsl(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ValueError(_EXPECTED) from None
    account, _, hosts = parts.netloc.rpartition("@")
    database = parts.path.removeprefix("/") or DEFAULT_DATABASE
    if parts.scheme not in _SCHEMES or parts.fragment or "@" in account or not all(map(_is_host, hosts.split(","))):
        raise ValueError(_EXPECTED)
    if len(database) > _LONGEST_NAME or not _LETTERS.issuperset(database):
        raise ValueError(_EXPECTED)
    return MongoPlace(url, hosts, database, frozenset(name.lower() for name, _ in options))


def _is_host(text: str) -> bool:
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        return bool(text)
    return bool(host) and port.isascii() and port.isdigit() and 0 < int(port) < 65536
