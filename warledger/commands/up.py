"""`warledger up`: every service of an installation as a supervised process on this machine."""

import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import FrameType

import click

from shared.adapters import kafka_place
from shared.belonging import OtherLog, check_claims
from shared.commands import WRITERS
from shared.config import ConfigError, Settings, make_key, make_keys, missing_keys
from shared.documents import DocumentsUnavailable
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, TURNS, LogError, TopicPartition
from shared.log.reading import ends
from shared.servers import shown
from warledger.doctor.keys import check_service_key
from warledger.doctor.master_key import other_master_key
from warledger.local import (
    anybody_known,
    has_local_operator,
    local_documents,
    local_log,
    make_local_operator,
    operator_made,
)
from warledger.local import settings as local_settings
from warledger.output import MALFORMED, UNREACHABLE, fail
from warledger.processes import MODULES, CannotStart, Supervisor

READY_WITHIN = 20.0
READY_ON_SERVERS_WITHIN = 60.0
"""Groups are joined there, and twelve partitions taken over one after the other."""
_LATE_LOOK = 1.0


def prepare(settings: Settings, *, new_keys: bool = False, new_documents: bool = False) -> None:
    """Make what a new installation lacks: folders, keys, the local operator and her token.

    A log on servers must have its topics, and documents that it was used with, unless `new_documents` gives those up:
    what lacks ends the command. Raises ConfigError for a key that an existing installation, or a further machine of
    one, lacks; with `new_keys` for the master key alone.
    """
    refuse_other_topics(settings)
    refuse_other_documents(settings)
    if new_keys:
        for path in missing_keys(settings):
            if path != settings.secret_file:
                make_key(path)
    else:
        refuse_keys_of_its_own(settings)
    if settings.log_is_local:
        make_keys(settings)
        settings.log_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    else:
        make_keys(settings, partial(_has_records, settings))
    with local_documents(settings) as documents:
        if not settings.log_is_local and not anybody_known(documents):
            if not new_documents:
                refuse_documents_of_nobody(settings)
            # She is known to other documents alone.
            (settings.keys / "operator.token").unlink(missing_ok=True)
        if settings.docs_is_local:
            settings.docs_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_local_operator(documents, settings)


def _has_records(settings: Settings) -> bool:
    """Whether anything stands in a log on servers: then it has keys already, on another machine or in a backup."""
    topics = (*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS)
    with local_log(settings) as log:
        return any(
            ends(log, [TopicPartition(topic, number) for topic in topics for number in range(PARTITIONS)]).values()
        )


def refuse_other_topics(settings: Settings) -> None:
    """End the command where a log on servers lacks topics or has them otherwise. Raises LogUnavailable."""
    if settings.log_is_local:
        return
    from shared.log.kafka_topics import survey

    drifts = survey(kafka_place(settings))
    if drifts:
        listed = "; ".join(f"{item.topic}: {item.setting} is {item.found}, not {item.wanted}" for item in drifts)
        fail(MALFORMED, f"{listed}; `warledger topics apply` makes and mends topics, and says what it cannot mend")


def refuse_other_documents(settings: Settings) -> None:
    """End the command where the documents belong to another log. Those that are away tell nothing: services wait.

    Raises LogUnavailable.
    """
    with local_documents(settings) as documents, local_log(settings) as log, suppress(DocumentsUnavailable):
        try:
            check_claims(log, documents)
        except OtherLog as error:
            fail(MALFORMED, str(error))


def refuse_documents_of_nobody(settings: Settings) -> None:
    """End the command where documents without an account meet a log that was used: they are not those of its machines.

    Each of two databases would get the games of some partitions alone, and the accounts would differ. Raises
    LogUnavailable.
    """
    if _has_records(settings):
        fail(
            MALFORMED,
            f"{settings.log_name} holds records, and {shown(settings.docs)} knows no account: all machines of an"
            " installation name the same documents (WARLEDGER_DOCS); if those are lost, `warledger up --new-documents`"
            " starts with these: views are made again, accounts and texts are gone",
        )


def refuse_keys_of_its_own(settings: Settings) -> None:
    """A second machine makes no keys: what it took would be forged to the first. Raises ConfigError.

    Its log may be empty still; that another machine was started tells the operator that it made in the documents.
    """
    if settings.docs_is_local or not missing_keys(settings) or has_local_operator(settings):
        return
    with local_documents(settings) as documents:
        if not operator_made(documents):
            return
    raise ConfigError(
        f"{settings.keys}: keys are missing, and {shown(settings.docs)} is an installation's already; its machines"
        " have the same keys on all of them: copy the folder; another installation takes another database"
        " (WARLEDGER_DOCS) and another prefix or cluster (WARLEDGER_LOG); for keys that are lost `warledger keys make`"
        " makes others where nothing is stored yet"
    )


def refuse_foreign_keys(settings: Settings) -> None:
    """End the command where a service's key is not the one that its newest inputs were signed with.

    A topic that cannot be read stops nothing: the others are judged on, and the resolver says what is wrong with it.
    """
    for service in WRITERS:
        with suppress(LogError):
            for finding in check_service_key(settings, service):
                lost = "if it is lost, `warledger up --new-keys` gives up what is not judged yet"
                fail(MALFORMED, f"{finding.said}; {finding.help}; {lost}")


def refuse_another_master_key(settings: Settings) -> None:
    """End the command where the games that run have their dice from another master key.

    Documents that are away tell nothing, nor does a log that cannot be read: services wait, and say what is wrong.
    """
    with suppress(LogError, DocumentsUnavailable):
        if finding := other_master_key(settings):
            otherwise = "`warledger up --any-master-key` starts, and sets such games aside at their next roll"
            fail(MALFORMED, f"{finding.said}; {finding.help}; {otherwise}")


def supervisor(
    settings: Settings, environment: Mapping[str, str] | None = None, modules: Mapping[str, str] = MODULES
) -> Supervisor:
    """A supervisor whose reports go to standard error."""
    logs = settings.keys.parent / "logs"
    return Supervisor(settings, environment or {}, logs, lambda line: click.echo(line, err=True), modules)


def await_ready(services: Supervisor, stopping: Callable[[], bool], within: float = READY_WITHIN) -> bool:
    """Keep the services going until all were ready at once; False if `stopping` came first.

    What is not ready after `within` seconds is said, and what is ready serves on meanwhile: one partition that cannot
    be read stops no other. Ends the command for a service that keeps ending before it was ready.
    """
    late = time.monotonic() + within
    next_look, told = 0.0, ""
    while not stopping():
        services.watch()
        if failing := services.failing():
            fail(UNREACHABLE, "not ready: " + "; ".join(failing))
        if (now := time.monotonic()) >= next_look:
            faults = "; ".join(services.faults(stopping))
            if not faults and not stopping():
                return True
            if now >= late and faults != told and not stopping():
                click.echo(f"not ready: {faults}; what is ready runs on (Ctrl-C stops)", err=True)
                told = faults
            next_look = now + (_LATE_LOOK if now >= late else 0.0)
        time.sleep(0.05)
    return False


@click.command()
@click.option("--new-keys", is_flag=True, help="Start with other signing keys: what is not judged yet is given up.")
@click.option(
    "--any-master-key", is_flag=True, help="Start though running games have their dice from another master key."
)
@click.option(
    "--new-documents", is_flag=True, help="Start with documents that the log was not used with: accounts are given up."
)
def up(new_keys: bool, any_master_key: bool, new_documents: bool) -> None:
    """Start every service here and keep them running until Ctrl-C.

    On the first start the folder, the keys and a local operator are made. Ports and folders are set by WARLEDGER_*
    variables.
    """
    found = local_settings()
    prepare(found, new_keys=new_keys, new_documents=new_documents)
    if not new_keys:
        refuse_foreign_keys(found)
    if not any_master_key:
        refuse_another_master_key(found)
    services = supervisor(found)
    signals: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        signals.append(number)

    def stopping() -> bool:
        return bool(signals)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    started = time.monotonic()
    try:
        services.start()
    except CannotStart as error:
        fail(MALFORMED, str(error))
    try:
        within = READY_WITHIN if found.log_is_local else READY_ON_SERVERS_WITHIN
        if await_ready(services, stopping, within):
            click.echo(f"ready in {time.monotonic() - started:.1f} s at {found.urls['gateway']} (Ctrl-C stops)")
        while not stopping():
            services.watch()
            time.sleep(0.1)
    finally:
        services.stop()
    click.echo("stopped")
