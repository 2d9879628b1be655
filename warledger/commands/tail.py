"""`warledger tail`: a topic as it is written, one event a line."""

import os
import sys

import click

from shared.adapters import open_claims
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, TURNS
from warledger.local import known_keys, settings
from warledger.output import MALFORMED, as_json, fail
from warledger.tailing import print_rows
from warledger.tailing import tail as rows_of_topic


@click.command()
@click.argument("topic", type=click.Choice([CHRONICLE, TURNS, *INPUT_TOPICS, DEAD_LETTERS]))
@click.option("--game", help="Of this game alone.")
@click.option("--from-start", is_flag=True, help="Begin with the first record, not with the next one.")
@click.option(
    "--follow/--no-follow", default=True, help="Wait for more (the default), or end where the topic ends now."
)
def tail(topic: str, game: str | None, from_start: bool, follow: bool) -> None:
    """Print the events of a topic: time, game, number, type and data.

    The chronicle is what everybody may know. All other topics hold secrets: this command reads them because it stands
    on a machine that may read the log itself; whoever sees its output sees orders and votes before their time. Records
    of input topics show who signed them, with `?` where the signature was not proved. --no-follow begins at the start.
    """
    found = settings()
    log = open_claims(found, known_keys(found))
    count = 0
    try:
        for rows in rows_of_topic(log, topic, game, from_start=from_start or not follow, follow=follow):
            print_rows(rows, json=as_json())
            count += len(rows)
    except KeyboardInterrupt:
        return
    except BrokenPipeError:
        # What is left in the buffer of standard output must not be written again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    finally:
        log.close()
    if game is not None and count == 0:
        fail(MALFORMED, f"{topic} holds nothing of a game {game}")
