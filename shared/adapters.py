"""Which adapter stands behind a port, by the scheme of its URL. Only a bootstrap and the command line ask here."""

from collections.abc import Mapping

from shared.clock import Clock
from shared.config import Settings
from shared.documents import Documents
from shared.documents.sqlite import SqliteDocuments
from shared.log import Log
from shared.log.sqlite import SqliteLog
from shared.signing import Claims, Keyring, Signer


def open_log(
    settings: Settings,
    *,
    signer: Signer | None = None,
    keys: Mapping[str, bytes] | None = None,
    clock: Clock | None = None,
) -> Log:
    """The event log of WARLEDGER_LOG; it touches nothing before its first use.

    `signer` is the key of a process that appends, `keys` are those whose signatures are believed. Raises ConfigError
    for a URL without an adapter.
    """
    return SqliteLog(settings.log_folder, signer, None if keys is None else Keyring(keys), clock)


def open_claims(settings: Settings, keys: Mapping[str, bytes]) -> Log:
    """The event log for a report on its signatures: `signer` is as `shared.signing.Claims` tells it."""
    return SqliteLog(settings.log_folder, None, Claims(keys))


def open_documents(settings: Settings) -> Documents:
    """The document store of WARLEDGER_DOCS. Raises ConfigError for a URL without an adapter."""
    return SqliteDocuments(settings.docs_folder)
