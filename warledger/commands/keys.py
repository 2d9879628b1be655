"""`warledger keys`: the keys of an installation whose processes run apart."""

from pathlib import Path

import click

from shared.config import Settings, make_keys
from shared.log import INPUT_TOPICS, PARTITIONS, TopicPartition
from shared.log.reading import ends
from warledger.keyrings import share_keys
from warledger.local import local_log, settings
from warledger.output import show_lines


@click.group()
def keys() -> None:
    """Keys of the dice and of the services."""


@keys.command()
@click.option(
    "--share",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also fill FOLDER/gateway, /orders, /polls, /economy and /resolver with the keys that each reads.",
)
def make(share: Path | None) -> None:
    """Make the keys of a new installation; what is there stays.

    Refused where the log has inputs and a key is missing: under a new one they would count as forged.
    """
    found = settings()
    made = make_keys(found, lambda: has_inputs(found))
    if share is not None:
        made += share_keys(found, share)
    show_lines([{"made": str(path)} for path in made], {"made": "made"})


def has_inputs(found: Settings) -> bool:
    """Whether anything stands on the input topics. Raises LogUnavailable."""
    places = [TopicPartition(topic, number) for topic in INPUT_TOPICS for number in range(PARTITIONS)]
    with local_log(found) as log:
        return any(ends(log, places).values())
