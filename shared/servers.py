"""How the servers of log and documents are reached: their URLs, and what Kafka and MongoDB ask before they answer.

A password stands in a file and in no URL: what is in the environment is shown by process lists, logs and messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

from shared.documents.mongo_place import parse_place as parse_mongo_place
from shared.log.kafka_place import parse_place

LOG, DOCS = "WARLEDGER_LOG", "WARLEDGER_DOCS"
SECURITY = "WARLEDGER_KAFKA_SECURITY"
MECHANISM = "WARLEDGER_KAFKA_MECHANISM"
USER = "WARLEDGER_KAFKA_USER"
PASSWORD_FILE = "WARLEDGER_KAFKA_PASSWORD_FILE"
CA_FILE = "WARLEDGER_KAFKA_CA_FILE"
DOCS_PASSWORD_FILE = "WARLEDGER_DOCS_PASSWORD_FILE"

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")

_MONGO = ("mongodb", "mongodb+srv")
_FOLDER = "sqlite:///FOLDER (sqlite:////ABSOLUTE/FOLDER)"
_EXPECTED_LOG = f"expected {_FOLDER} or kafka://HOST:PORT[,HOST:PORT ...][/PREFIX]"
_EXPECTED_DOCS = f"expected {_FOLDER} or mongodb://[USER@]HOST:PORT[,HOST:PORT ...][/DATABASE][?OPTIONS]"


class ConfigError(ValueError):
    """A setting that cannot be used; the message names the variable, its value and what is expected."""


@dataclass(frozen=True, slots=True)
class KafkaSecurity:
    """How clients of Kafka prove who they are, and to whom. The password stays in its file until it is used."""

    protocol: str = "PLAINTEXT"
    mechanism: str = MECHANISMS[0]
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None

    def options(self) -> dict[str, Any]:
        """Options of kafka-python, the password among them. Raises ConfigError for a file that cannot be read."""
        found: dict[str, Any] = {"security_protocol": self.protocol}
        if self.protocol.startswith("SASL_") and self.password_file is not None:
            found["sasl_mechanism"] = self.mechanism
            found["sasl_plain_username"] = self.user
            found["sasl_plain_password"] = read_password(PASSWORD_FILE, self.password_file)
        if self.protocol.endswith("SSL") and self.ca_file is not None:
            if not self.ca_file.is_file():
                raise ConfigError(f"{CA_FILE}={str(self.ca_file)!r}: expected a file of certificates (PEM)")
            found["ssl_cafile"] = str(self.ca_file)
        return found


def kafka_security(environment: Mapping[str, str]) -> KafkaSecurity:
    """Read the settings of Kafka's security. Raises ConfigError for what does not fit together."""
    protocol = _one_of(environment, SECURITY, PROTOCOLS)
    mechanism = _one_of(environment, MECHANISM, MECHANISMS)
    user, password, ca = (environment.get(name, "") for name in (USER, PASSWORD_FILE, CA_FILE))
    if protocol.startswith("SASL_"):
        for name, value in ((USER, user), (PASSWORD_FILE, password)):
            if not value:
                raise ConfigError(f"{name} is not set; {SECURITY}={protocol} needs it")
    elif user or password:
        raise ConfigError(f"{SECURITY}={protocol} takes no user; expected SASL_SSL or SASL_PLAINTEXT")
    if ca and not protocol.endswith("SSL"):
        raise ConfigError(f"{SECURITY}={protocol} takes no {CA_FILE}; expected SASL_SSL or SSL")
    return KafkaSecurity(protocol, mechanism, user, _path(password), _path(ca))


def docs_password_file(environment: Mapping[str, str]) -> Path | None:
    """File of the password of the user that WARLEDGER_DOCS names."""
    return _path(environment.get(DOCS_PASSWORD_FILE, ""))


def check_log_url(url: str) -> str:
    """The URL of the log as it may be used. Raises ConfigError."""
    scheme = _split(url).scheme
    if scheme == "sqlite":
        folder_of(url, LOG)
    elif scheme == "kafka":
        try:
            parse_place(url)
        except ValueError as error:
            raise ConfigError(f"{LOG}={shown(url)!r}: {error}") from None
    else:
        raise ConfigError(f"{LOG}={shown(url)!r}: {_EXPECTED_LOG}")
    return url


def check_docs_url(url: str, password_file: Path | None) -> str:
    """The URL of the documents as it may be used. Raises ConfigError."""
    parts = _split(url)
    if parts.scheme == "sqlite":
        folder_of(url, DOCS)
        return url
    said = f"{DOCS}={shown(url)!r}"
    if parts.scheme not in _MONGO:
        raise ConfigError(f"{said}: {_EXPECTED_DOCS}")
    user = parts.netloc.rpartition("@")[0]
    if ":" in user:
        raise ConfigError(
            f"{said}: no URL may hold a password; write it into a file and name that, {DOCS_PASSWORD_FILE}"
        )
    try:
        parse_mongo_place(url)
    except ValueError:
        raise ConfigError(f"{said}: {_EXPECTED_DOCS}, the database of 1 to 38 letters, digits, - and _") from None
    if bool(user) != (password_file is not None):
        lacking = f"{DOCS_PASSWORD_FILE} is not set" if user else "the URL names no user for the password"
        raise ConfigError(f"{said}: {lacking}; a user in the URL and the file of the password go together")
    return url


def mongo_url(url: str, password_file: Path | None) -> str:
    """The URL with its password, for the client alone. Raises ConfigError for a file that cannot be read."""
    if password_file is None:
        return url
    parts = urlsplit(url)
    user, _, hosts = parts.netloc.rpartition("@")
    password = quote(read_password(DOCS_PASSWORD_FILE, password_file), safe="")
    return parts._replace(netloc=f"{user}:{password}@{hosts}").geturl()


def with_database(url: str, name: str) -> str:
    """The same server and options with another database."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def folder_of(url: str, variable: str) -> Path:
    """The folder of a `sqlite:///` URL. Raises ConfigError for any other."""
    parts = _split(url)
    if parts.scheme != "sqlite" or parts.netloc or not parts.path.strip("/"):
        raise ConfigError(f"{variable}={shown(url)!r}: expected {_FOLDER}")
    return Path(parts.path[1:]).absolute()


def shown(url: str) -> str:
    """A URL for messages: without a password."""
    before, mark, after = url.rpartition("@")
    scheme, slashes, user = before.partition("//") if "//" in before else ("", "", before)
    return f"{scheme}{slashes}{user.partition(':')[0]}{mark}{after}"


def read_password(variable: str, path: Path) -> str:
    """The first line of a file that holds a password. Raises ConfigError, which never tells what stands there."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"{variable}={str(path)!r}: {reason}; expected a file with the password") from None
    if not lines or not lines[0]:
        raise ConfigError(f"{variable}={str(path)!r}: the file is empty; expected the password in its first line")
    return lines[0]


def _split(url: str) -> SplitResult:
    """The parts of a URL; of what is none, such as an open bracket, all are empty."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _one_of(environment: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    value = environment.get(name, allowed[0])
    if value not in allowed:
        raise ConfigError(f"{name}={value!r}: expected one of {', '.join(allowed)}")
    return value


def _path(text: str) -> Path | None:
    return Path(text).absolute() if text else None
