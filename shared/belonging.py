"""A document store belongs to one log: snapshots and views are what that log's journal comes to, and no other's."""

from collections.abc import Mapping

from shared.documents import Document, Documents
from shared.log import Log

RECORD = "log"
"""Id of the document that names the log; no id of a partition, a game or a generation is the same."""
RECORDED_IN: Mapping[str, str] = {"snapshots": "manifests", "views": "checkpoints"}
"""Store -> the collection of it that holds the record."""


class OtherLog(Exception):
    """The documents belong to another log; the message says which, and what to do."""


def claim(log: Log, documents: Documents, store: str) -> str:
    """Record that this store belongs to the log, if it belongs to none yet; returns the log's identity.

    Raises OtherLog, LogUnavailable and DocumentsUnavailable.
    """
    own = log.identity()
    keep_claim(own, documents, store)
    _require(own, _recorded(documents, store), store)
    return own


def keep_claim(own: str, documents: Documents, store: str) -> None:
    """Record it again where a store was emptied under a process that has claimed it. Raises DocumentsUnavailable."""
    if _recorded(documents, store) is None:
        documents.insert(RECORDED_IN[store], Document(RECORD, 1, {"log": own}))


def check_claims(log: Log, documents: Documents) -> None:
    """See whether any store belongs to another log; writes no document. Raises as `claim` does.

    A log is asked for its identity only where there is a record to compare it with.
    """
    for store in RECORDED_IN:
        recorded = _recorded(documents, store)
        if recorded is not None:
            _require(log.identity(), recorded, store)


def _recorded(documents: Documents, store: str) -> str | None:
    found = documents.get(RECORDED_IN[store], [RECORD]).get(RECORD)
    return None if found is None else str(found.body["log"])


def _require(own: str, recorded: str | None, store: str) -> None:
    if recorded is not None and recorded != own:
        raise OtherLog(
            f"the {store} in these documents belong to the log {recorded}, and WARLEDGER_LOG leads to {own}: set"
            " WARLEDGER_DOCS to another database or folder; if that other log is given up, stop all services and drop"
            " the stores snapshots and views of this one, which are made again from the journal"
        )
