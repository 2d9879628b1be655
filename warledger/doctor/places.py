"""Folders, files, room on the disk, and the topics of a log on servers."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from shared.adapters import kafka_place, open_documents
from shared.config import Settings
from shared.log import PARTITIONS
from shared.servers import shown
from warledger.doctor.finding import FAULT, NOTE, Case, Finding
from warledger.local import anybody_known, local_documents, local_log


def check_folders(settings: Settings) -> Iterator[Finding]:
    """Whether there is an installation at all. A log or store on servers has no folder."""
    for folder in (settings.keys, *_folders(settings).values()):
        if not folder.is_dir():
            advice = "name the right folder with --data; `warledger up` makes a new installation"
            yield Finding("files", FAULT, f"there is no folder {folder}", advice)


def _folders(settings: Settings) -> dict[str, Path]:
    """The folders of log and documents, as far as they stand in folders."""
    folders = {}
    if settings.log_is_local:
        folders["log"] = settings.log_folder
    if settings.docs_is_local:
        folders["docs"] = settings.docs_folder
    return folders


def check_topics(settings: Settings) -> Iterator[Finding]:
    """Whether the topics of a log on servers are as they must be. Raises LogUnavailable."""
    if settings.log_is_local:
        return
    from shared.log.kafka_topics import survey

    for drift in survey(kafka_place(settings)):
        said = f"{drift.topic}: {drift.setting} is {drift.found}, and must be {drift.wanted}"
        yield Finding("topics", FAULT, said, drift.remedy)


def check_documents(case: Case) -> Iterator[Finding]:
    """Whether the documents are those that the games of a log on servers were played with. Raises
    DocumentsUnavailable."""
    if case.settings.log_is_local or not case.survey.games:
        return
    with local_documents(case.settings) as documents:
        if not anybody_known(documents):
            said = f"the log holds {len(case.survey.games)} games, and {shown(case.settings.docs)} knows no account"
            yield Finding("documents", FAULT, said, _ONE_DATABASE)


def check_indexes(settings: Settings) -> Iterator[Finding]:
    """Whether a document store on servers has its indexes; to be asked before it is used, which makes them.

    Raises DocumentsUnavailable.
    """
    if settings.docs_is_local:
        return
    from shared.documents.mongo import MongoDocuments

    with closing(open_documents(settings)) as documents:
        for name in documents.unindexed() if isinstance(documents, MongoDocuments) else ():
            said = f"{name} has no index by key: what is listed there is read whole"
            advice = (
                "each service makes it within half a minute of use: see that they run, and that the account may (role"
                f" readWrite); in mongosh it is db.getCollection('{name}').createIndex({{key: 1}})"
            )
            yield Finding("documents", FAULT, said, advice)


def check_disk(settings: Settings, least_free: int) -> Iterator[Finding]:
    """Whether there is room: a full disk is answered with 503, and nothing is lost, but nothing goes on either."""
    for folder in _folders(settings).values():
        free = shutil.disk_usage(folder).free
        if free < least_free:
            said = f"{free // 1_000_000:,} MB are free for {folder}; {least_free // 1_000_000:,} MB should be"
            yield Finding("disk", FAULT, said, "make room: a full disk stops every game, and loses nothing")


def check_files(case: Case) -> Iterator[Finding]:
    """Whether a file is gone of which others say that it was there."""
    folders = _folders(case.settings)
    if "log" in folders:
        yield from _check_log(case, folders["log"])
    if "docs" in folders and case.survey.games:
        yield from _check_stores(case, folders["docs"])


def _check_log(case: Case, log: Path) -> Iterator[Finding]:
    if not (log / "journal.db").exists():
        if any((log / f"{topic}.db").exists() for topic in ("orders", "votes")):
            advice = "put it back before the resolver starts, or it judges every input anew, with other dice"
            yield Finding("files", FAULT, f"{log / 'journal.db'} is missing, and with it all that was judged", advice)
        return
    for topic, read in _read_of(case).items():
        if read and not (log / f"{topic}.db").exists():
            said = f"{log / topic}.db is missing: {read} of its records were read"
            yield Finding("files", FAULT, said, "put it back from a backup; the journal holds what was judged of it")


def _check_stores(case: Case, docs: Path) -> Iterator[Finding]:
    for store, level, advice in _STORES:
        if (docs / f"{store}.db").exists():
            continue
        if store != "messages" or case.survey.talked:
            yield Finding("files", level, f"{docs / store}.db is missing", advice)
        elif case.survey.talked_elsewhere:
            yield Finding("files", NOTE, f"{docs / store}.db is not there yet", _ELSEWHERE)


def _read_of(case: Case) -> dict[str, int]:
    """How many records of each input topic were read."""
    counts: dict[str, int] = {}
    with local_log(case.settings) as log:
        for partition in range(PARTITIONS):
            for topic, mark in log.marks(partition).items():
                counts[topic] = counts.get(topic, 0) + mark.offset
    return counts


_ONE_DATABASE = (
    "set WARLEDGER_DOCS to the documents that the other machines name; if those are lost, put them back from a backup,"
    " or `warledger up --new-documents` starts with these"
)
_ELSEWHERE = "nothing is lost: texts of chat, mail and plans stay in the house that a game comes from"

_STORES = (
    ("accounts", FAULT, "nobody can log in: put it back from a backup"),
    ("messages", FAULT, "the texts of chat, mail and plans are gone: put it back from a backup; games go on without"),
    ("views", NOTE, "nothing is lost: the projector makes it anew"),
    ("snapshots", NOTE, "nothing is lost: the resolver reads the whole journal at its next start"),
)
