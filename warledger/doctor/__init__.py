"""What `warledger doctor` looks at: an installation's keys, files, journal, lag, clock and disk.

It only reads, and it needs no service to run. Each check stands alone: what one of them cannot read is what it says.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from shared.adapters import open_documents
from shared.config import ConfigError, Settings
from shared.documents import DocumentsUnavailable
from shared.log import LogDamaged, LogError, LogUnavailable
from warledger.doctor.finding import AWAY, FAULT, Case, Finding, Survey
from warledger.doctor.keys import check_keys, check_service_keys
from warledger.doctor.master_key import check_master_key
from warledger.doctor.places import (
    check_disk,
    check_documents,
    check_files,
    check_folders,
    check_indexes,
    check_topics,
)
from warledger.doctor.play import check_clock, check_dead_letters, check_held, check_lag, check_quarantine, check_views
from warledger.doctor.survey import survey

__all__ = ["Case", "Finding", "Survey", "examine"]

_CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    lambda case: check_indexes(case.settings),  # before any other: their use makes what is missing
    check_master_key,
    check_service_keys,
    check_files,
    check_documents,
    check_held,
    check_lag,
    check_views,
    check_clock,
    check_dead_letters,
    check_quarantine,
)


def examine(settings: Settings, now: int, least_free: int) -> tuple[Survey, list[Finding]]:
    """Everything that was found, in the order in which it should be mended.

    `now` is the time of this machine (UTC milliseconds), `least_free` the bytes that should be free on its disks.
    Raises ConfigError for a password that cannot be read, a wrong option of a URL.
    """
    open_documents(settings).close()
    findings = list(check_folders(settings))
    if findings:
        return Survey(), findings
    findings += [*check_keys(settings), *check_disk(settings, least_free)]
    case = Case(settings, now, Survey())
    try:
        if topics := list(check_topics(settings)):
            return case.survey, [*findings, *topics]
        case = replace(case, survey=survey(settings))
    except LogError as error:
        said = f"the log cannot be read: {error}"
        return case.survey, [*findings, Finding(_check_of(settings, error, "journal"), FAULT, said, _READ)]
    findings += case.survey.findings
    for check in _CHECKS:
        try:
            findings += check(case)
        except (LogError, DocumentsUnavailable) as error:
            found = Finding(_check_of(settings, error, "files"), FAULT, str(error), _READ)
            findings += [] if found in findings else [found]
        except ConfigError:
            pass  # a key that cannot be read was named already
    return case.survey, findings


def _check_of(settings: Settings, error: Exception, otherwise: str) -> str:
    """What a failure to read belongs to: servers that do not answer, or what is stored."""
    log_away = isinstance(error, LogUnavailable) and not isinstance(error, LogDamaged) and not settings.log_is_local
    docs_away = isinstance(error, DocumentsUnavailable) and not settings.docs_is_local
    return AWAY if log_away or docs_away else otherwise


_READ = (
    "see that the file is there, is what it was, and can be read by this user, else put it back from a backup; "
    "of a log or store on servers, see that they answer"
)
