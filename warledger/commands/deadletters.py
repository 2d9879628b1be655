"""`warledger deadletters`: what stood on an input topic and was no input."""

import click

from warledger.journals import dead_letters
from warledger.local import local_log, settings
from warledger.output import as_json, show_table, utc

COLUMNS = {
    "at": "at", "game": "game", "topic": "topic", "partition": "partition", "offset": "offset", "reason": "reason",
    "detail": "detail",
}  # fmt: skip


@click.command()
@click.option("--game", help="Of this game alone: what stood under its id.")
def deadletters(game: str | None) -> None:
    """List the records that were forged or could not be read: none of them was obeyed.

    Offset and partition say where in the topic one stands; it is kept there as it was written.
    """
    found = settings()
    with local_log(found) as log:
        letters = dead_letters(log, game)
    rows = [letter._asdict() for letter in letters]
    if not as_json():
        rows = [{**row, "at": utc(row["at"])} for row in rows]
    show_table(rows, COLUMNS)
