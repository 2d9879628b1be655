"""The keys: are they there, can nobody else read them, and was what is stored signed with those that lie here."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from shared.adapters import open_claims
from shared.commands import WRITERS
from shared.config import KEY_NAMES, ConfigError, Settings, read_key
from shared.log import PARTITIONS, Log, TopicPartition
from shared.log.reading import standing
from shared.signing import UNPROVED
from warledger.doctor.finding import FAULT, Case, Finding

TAIL = 200
"""Records at the end of each partition whose signatures are checked."""


def check_keys(settings: Settings) -> Iterator[Finding]:
    """Each key file by itself, and the local operator's token."""
    for path in [settings.secret_file, *(settings.keys / f"{name}.key" for name in KEY_NAMES)]:
        try:
            read_key(path)
        except ConfigError as error:
            yield Finding("keys", FAULT, str(error), _advice(path, settings))
    token = settings.keys / "operator.token"
    if token.exists() and token.stat().st_mode & 0o077:
        yield Finding("keys", FAULT, f"{token}: others may read the local operator's token", f"chmod 600 {token}")


def _advice(path: Path, settings: Settings) -> str:
    if path.exists():
        return f"chmod 600 {path}" if path.stat().st_mode & 0o077 else "put the file back from a backup"
    if path == settings.secret_file:
        return (
            "put the file back from a backup; if it is lost, "
            "`warledger game renew-chain --all --reason key` makes another one and lets the games go on with it"
        )
    return "put the file back from a backup; with another key what is stored and not judged yet counts as forged"


def check_service_keys(case: Case) -> Iterator[Finding]:
    """Whether the newest inputs of each service fit its key."""
    for service in WRITERS:
        yield from check_service_key(case.settings, service)


def check_service_key(settings: Settings, service: str) -> Iterator[Finding]:
    """Whether the newest inputs that bear a service's name fit its key; what bears no name says nothing of it."""
    topic = WRITERS[service]
    log = open_claims(settings, {service: settings.key(service)})
    try:
        signers = _signers(log, topic)
    finally:
        log.close()
    if (strange := signers[UNPROVED + service]) and not signers[service]:
        path = settings.keys / f"{service}.key"
        said = f"none of the last {strange} inputs of {topic} was signed with {path}: it is another house's"
        yield Finding("keys", FAULT, said, "put the right file back before the services start")


def _signers(log: Log, topic: str) -> Counter[str]:
    """Whose names stand on a topic's newest inputs, ticks aside."""
    newest = standing(log, [TopicPartition(topic, partition) for partition in range(PARTITIONS)], TAIL)
    return Counter(record.signer for record in newest if record.value and record.signer)
