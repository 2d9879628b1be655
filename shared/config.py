"""Settings of every process, read once from WARLEDGER_* variables (docs/operators.md lists them)."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.logs import LEVELS
from shared.servers import (
    DOCS,
    LOG,
    KafkaSecurity,
    check_docs_url,
    check_log_url,
    docs_password_file,
    folder_of,
    kafka_security,
    shown,
)
from shared.servers import ConfigError as ConfigError

SERVICES = ("gateway", "streams", "orders", "polls", "economy", "resolver", "projector")
"""Processes of one installation, in the order in which `warledger up` starts them."""

OUTER = ("gateway", "streams")
"""The processes that clients call."""

LEAST_BODY_BYTES = 262_144
"""Least limit of a body: every batch of commands between gateway and intake is shorter (shared/intake/batch.py)."""

_DEFAULT_PORTS = {
    "gateway": 8080,
    "streams": 8081,
    "orders": 8082,
    "polls": 8083,
    "economy": 8086,
    "resolver": 8084,
    "projector": 8085,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a process needs to know. Paths are absolute; ports are TCP ports on `host`; times are in the unit
    that their names say."""

    log: str
    docs: str
    keys: Path
    secret_file: Path
    host: str
    """Address at which gateway and streams listen."""
    inner_host: str
    """Address at which all other services listen: their metrics tell how much others send."""
    ports: Mapping[str, int]
    urls: Mapping[str, str]
    """Base URL at which the other services reach one of them."""
    workers: int
    threads: int
    wait_seconds: float
    """How long a write waits for its judgement before it is answered 202."""
    max_body_bytes: int
    max_streams: int
    logins_a_minute: int
    registrations_an_hour: int
    commands_a_minute: int
    """Of one account and process of the gateway; operators have no limit."""
    log_level: str
    """Least level of the log lines: debug, info, warning or error."""
    kafka: KafkaSecurity
    docs_password_file: Path | None

    @property
    def log_is_local(self) -> bool:
        """Whether the event log is a folder of this machine."""
        return self.log.startswith("sqlite:")

    @property
    def docs_is_local(self) -> bool:
        """Whether the document store is a folder of this machine."""
        return self.docs.startswith("sqlite:")

    @property
    def log_folder(self) -> Path:
        """Folder of the SQLite event log. Raises ConfigError for a log on servers."""
        return folder_of(self.log, LOG)

    @property
    def docs_folder(self) -> Path:
        """Folder of the SQLite document store. Raises ConfigError for a store on servers."""
        return folder_of(self.docs, DOCS)

    @property
    def log_name(self) -> str:
        """The event log in messages: its folder or its URL."""
        return str(self.log_folder) if self.log_is_local else shown(self.log)

    def key(self, name: str) -> bytes:
        """Read a key file (`<keys>/<name>.key`, hex of 32 bytes). Raises ConfigError."""
        return read_key(self.keys / f"{name}.key")

    def local_url(self, service: str) -> str:
        """Base URL of a service of this machine, whatever address the others use for it."""
        return f"http://{_reached(self.host if service in OUTER else self.inner_host)}:{self.ports[service]}"

    def check_keys(self, *names: str) -> None:
        """Read keys that a process will need, before it begins. Raises ConfigError."""
        for name in names:
            self.key(name)


def read_key(path: Path) -> bytes:
    """Read a file that holds a key of 32 bytes as hex. Raises ConfigError for a missing, open or broken one."""
    try:
        if path.stat().st_mode & 0o077:
            raise ConfigError(f"{path}: others may read this key; expected mode 600")
        key = bytes.fromhex(path.read_text().strip())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; `warledger up` makes the keys of a new installation") from None
    except ValueError as error:
        raise error if isinstance(error, ConfigError) else ConfigError(f"{path}: expected 64 hex digits") from None
    if len(key) != 32:
        raise ConfigError(f"{path}: expected 64 hex digits, found {2 * len(key)}")
    return key


KEY_NAMES = ("orders", "polls", "economy", "ticks", "salt", "calls")
"""Keys beside the master key: one a signing service, the salt key of all intakes, the key of calls between services."""


def make_keys(settings: Settings, has_log: Callable[[], bool] | None = None) -> list[Path]:
    """Make the keys of a new installation, each readable by its owner alone; returns the files made.

    Only an installation without a log gets keys: what is stored would count as forged under others. `has_log` says
    whether there is one; a log in a folder is looked at here. Raises ConfigError where there is and a key is missing.
    """
    missing = missing_keys(settings)
    if missing and (has_log() if has_log is not None else _has_files(settings)):
        advice = "put it back from the backup"
        if settings.secret_file in missing:
            advice += "; for a lost master key see `warledger game renew-chain --help`"
        if missing != [settings.secret_file]:
            advice += "; if there is none, `warledger up --new-keys` gives up what is not judged yet"
        if not settings.log_is_local:
            advice += "; an installation on several machines has the same keys on all of them: copy the folder"
        named = ", ".join(map(str, missing))
        raise ConfigError(f"{named}: the key is missing, and {settings.log_name} was written with it; {advice}")
    for path in missing:
        make_key(path)
    return missing


def missing_keys(settings: Settings) -> list[Path]:
    """Files of keys that are not there."""
    wanted = (settings.secret_file, *(settings.keys / f"{name}.key" for name in KEY_NAMES))
    return [path for path in wanted if not path.exists()]


def make_key(path: Path) -> None:
    """Make a key that its owner alone can read. Raises FileExistsError: a key that is there stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(os.urandom(32).hex() + "\n")


def _has_files(settings: Settings) -> bool:
    return any(path.stat().st_size for path in settings.log_folder.glob("*.db"))


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. Raises ConfigError for a value of a wrong form."""
    data = Path(environment.get("WARLEDGER_DATA", "data")).absolute()
    host = environment.get("WARLEDGER_HOST", "127.0.0.1")
    ports = {
        name: _integer(environment, f"WARLEDGER_{name.upper()}_PORT", default, 1, 65535)
        for name, default in _DEFAULT_PORTS.items()
    }
    inner_host = environment.get("WARLEDGER_INNER_HOST", "127.0.0.1")
    keys = Path(environment.get("WARLEDGER_KEYS", str(data / "keys"))).absolute()
    password_file = docs_password_file(environment)
    return Settings(
        log=check_log_url(environment.get(LOG, f"sqlite:///{data / 'log'}")),
        docs=check_docs_url(environment.get(DOCS, f"sqlite:///{data / 'docs'}"), password_file),
        keys=keys,
        secret_file=Path(environment.get("WARLEDGER_SECRET_FILE", str(keys / "master.key"))).absolute(),
        host=host,
        inner_host=inner_host,
        ports=ports,
        urls={
            name: environment.get(
                f"WARLEDGER_{name.upper()}_URL", f"http://{_reached(host if name in OUTER else inner_host)}:{port}"
            )
            for name, port in ports.items()
        },
        workers=_integer(environment, "WARLEDGER_WORKERS", 1, 1, 64),
        threads=_integer(environment, "WARLEDGER_THREADS", 8, 1, 256),
        wait_seconds=_integer(environment, "WARLEDGER_WAIT_MS", 2000, 0, 30_000) / 1000,
        max_body_bytes=_integer(environment, "WARLEDGER_MAX_BODY_BYTES", 8_000_000, LEAST_BODY_BYTES, 64_000_000),
        max_streams=_integer(environment, "WARLEDGER_MAX_STREAMS", 1000, 1, 100_000),
        logins_a_minute=_integer(environment, "WARLEDGER_LOGINS_A_MINUTE", 10, 1, 1_000_000),
        registrations_an_hour=_integer(environment, "WARLEDGER_REGISTRATIONS_AN_HOUR", 20, 1, 1_000_000),
        commands_a_minute=_integer(environment, "WARLEDGER_COMMANDS_A_MINUTE", 600, 1, 1_000_000),
        log_level=_one_of(environment, "WARLEDGER_LOG_LEVEL", "info", LEVELS),
        kafka=kafka_security(environment),
        docs_password_file=password_file,
    )


def _reached(host: str) -> str:
    """The address at which this machine reaches what listens at `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)


def _integer(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise ConfigError(f"{name}={text!r}: expected an integer from {least} to {most}")
    return int(text)


def _one_of(environment: Mapping[str, str], name: str, default: str, allowed: Sequence[str]) -> str:
    value = environment.get(name, default)
    if value not in allowed:
        raise ConfigError(f"{name}={value!r}: expected one of {', '.join(allowed)}")
    return value
