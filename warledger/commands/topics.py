"""`warledger topics`: the topics of an event log in Kafka, as they must be."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from shared.adapters import kafka_place
from shared.config import Settings
from warledger.local import settings
from warledger.output import DIFFERENCE, MALFORMED, fail, show

if TYPE_CHECKING:
    from shared.log.kafka_topics import Drift  # its client is loaded by a command that uses it, and by no other

_replication = click.option(
    "--replication",
    type=click.IntRange(1, 32),
    default=1,
    show_default=True,
    help="Brokers that keep a copy of every record; 3 for a cluster.",
)


@click.group()
def topics() -> None:
    """Make the topics of the event log in Kafka, and see whether they are as they must be.

    Each of the six has 12 partitions, takes its times from the brokers, and keeps everything for ever.
    """


@topics.command()
@_replication
def apply(replication: int) -> None:
    """Make the topics that are missing, and raise the settings that are too low; nothing is lowered or deleted.

    Ends with 1 if something is left that it cannot mend.
    """
    found = _on_kafka()
    from shared.log import kafka_topics

    try:
        applied = kafka_topics.apply(kafka_place(found), replication=replication)
    except kafka_topics.TooFewBrokers as error:
        fail(MALFORMED, str(error))
    _report(found, applied.mended, applied.left)


@topics.command()
@_replication
def status(replication: int) -> None:
    """Say where the topics are not as they must be; change nothing. Ends with 1 if there is such a place."""
    found = _on_kafka()
    from shared.log import kafka_topics

    _report(found, [], kafka_topics.survey(kafka_place(found), replication=replication), applied=False)


def _on_kafka() -> Settings:
    """The settings; ends the command where the log is in files."""
    found = settings()
    if found.log_is_local:
        said = f"the event log is in files, {found.log_name}: it has no topics, there is nothing to do"
        show({"log": found.log_name, "topics": 0, "mended": 0, "drift": 0}, said)
        sys.exit(0)
    return found


def _report(found: Settings, mended: Sequence["Drift"], left: Sequence["Drift"], *, applied: bool = True) -> None:
    from shared.log.kafka_topics import TOPICS

    for drift in mended:
        said = f"mended: {drift.topic}: {drift.setting} was {drift.found}, must be {drift.wanted}"
        show({"state": "mended", **drift._asdict()}, said)
    for drift in left:
        said = f"drift: {drift.topic}: {drift.setting} is {drift.found}, must be {drift.wanted}\n  {drift.remedy}"
        show({"state": "drift", **drift._asdict()}, said)
    summary = {"log": found.log_name, "topics": len(TOPICS), "mended": len(mended), "drift": len(left)}
    done = f"{len(mended)} things mended, " if applied else ""
    said = f"{len(TOPICS)} topics in {found.log_name}: {done}{len(left)} not as they must be"
    show(summary, said)
    sys.exit(DIFFERENCE if left else 0)
