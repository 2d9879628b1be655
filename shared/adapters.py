"""Which adapter stands behind a port, by the scheme of its URL. Only a bootstrap and the command line ask here.

An adapter is imported when it is opened: an installation in folders loads no client of a server.
"""

from collections.abc import Mapping

from shared.clock import Clock
from shared.config import ConfigError, Settings
from shared.documents import Documents
from shared.log import Log
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.servers import DOCS, mongo_url, shown
from shared.signing import Claims, Keyring, Signer


def open_log(
    settings: Settings,
    *,
    signer: Signer | None = None,
    keys: Mapping[str, bytes] | None = None,
    clock: Clock | None = None,
) -> Log:
    """The event log of WARLEDGER_LOG; it touches nothing before its first use.

    `signer` is the key of a process that appends, `keys` are those whose signatures are believed. `clock` is that of a
    log in a folder; Kafka's brokers have their own. Raises ConfigError for a password that cannot be read.
    """
    return _log(settings, signer, None if keys is None else Keyring(keys), clock)


def open_claims(settings: Settings, keys: Mapping[str, bytes]) -> Log:
    """The event log for a report on its signatures: `signer` is as `shared.signing.Claims` tells it."""
    return _log(settings, None, Claims(keys), None)


def open_documents(settings: Settings) -> Documents:
    """The document store of WARLEDGER_DOCS. Raises ConfigError for a password that cannot be read, a wrong option."""
    if settings.docs_is_local:
        from shared.documents.sqlite import SqliteDocuments

        return SqliteDocuments(settings.docs_folder)
    from shared.documents.mongo import MongoDocuments
    from shared.documents.mongo_server import refuse_options

    try:
        refuse_options(settings.docs)
    except ValueError as error:
        raise ConfigError(f"{DOCS}={shown(settings.docs)!r}: {error}") from None
    return MongoDocuments(mongo_url(settings.docs, settings.docs_password_file))


def kafka_place(settings: Settings) -> KafkaPlace:
    """Where the event log stands in Kafka, with what its clients need. Raises ConfigError for a log in a folder."""
    if settings.log_is_local:
        raise ConfigError(
            f"WARLEDGER_LOG={settings.log!r}: this log has no servers; expected kafka://HOST:PORT[/PREFIX]"
        )
    return parse_place(settings.log, settings.kafka.options())


def _log(settings: Settings, signer: Signer | None, keyring: Keyring | None, clock: Clock | None) -> Log:
    if settings.log_is_local:
        from shared.log.sqlite import SqliteLog

        return SqliteLog(settings.log_folder, signer, keyring, clock)
    from shared.log.kafka import KafkaLog

    return KafkaLog(kafka_place(settings), signer, keyring)
