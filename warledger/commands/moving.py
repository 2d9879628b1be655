"""`warledger import`, `warledger game renew-chain`: games that come from elsewhere, or from a backup.

They work on the log of this machine, like the resolver and with its master key, whether it runs or not.
"""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import click

from services.resolver.moving import Reason, Renewed, games_of
from services.resolver.replay import Differs
from shared.config import Settings, make_key
from shared.events import CERTIFIED, JournalEvent
from shared.export import BadExport, read_export
from shared.log import PARTITIONS
from shared.views import generations
from warledger.commands.journal import file_sha256, verify_file
from warledger.commands.up import prepare
from warledger.houses import mover
from warledger.local import local_documents, settings
from warledger.output import DIFFERENCE, MALFORMED, fail, show, show_table


class Imported(NamedTuple):
    """A game that was brought in. `events` counts the new chain's too, `unproved` those behind the last certificate:
    a replay says that the rules decide them of their inputs, and nothing that the inputs came in so."""

    game: str
    events: int
    chain: int | None
    unproved: int


def import_file(found: Settings, path: Path, sha256: str | None = None) -> Imported:
    """Bring a game in from an export; ends the command with what is wrong with the file, or with this house for it."""
    if sha256 is not None and (is_now := file_sha256(path)) != sha256.lower():
        fail(DIFFERENCE, f"{path} is not the file that was written: its SHA-256 is {is_now}, not {sha256.lower()}")
    prepare(found)
    try:
        with path.open("rb") as file:
            export = read_export(file)
        with mover(found) as moving:
            if export.form == "journal":
                _proved(path)
            game = moving.bring_in(export)
    except BadExport as error:
        fail(MALFORMED, f"{path}: {error}")
    except Differs as error:
        fail(DIFFERENCE, f"{path} is not what its rules decide, so it is not brought in: {error}")
    return Imported(game.id, game.n, None if game.chain is None else game.chain.number, _unproved(export.events))


def _unproved(events: Sequence[JournalEvent]) -> int:
    """How many events follow the last certificate."""
    return sum(1 for _ in takewhile(lambda event: event.type != CERTIFIED, reversed(events)))


def _proved(path: Path) -> None:
    code, lines = verify_file(path)
    if code:
        wrong = [line for line in lines if line.startswith("WRONG")]
        fail(DIFFERENCE, "\n".join([f"{path} does not hold, so it is not brought in:", *(wrong or lines)]))


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--sha256", help="Take the file only if it has this SHA-256, which `export --freeze` printed.")
def import_(file: Path, sha256: str | None) -> None:
    """Bring a game in from the journal that `warledger export` wrote.

    Its certificates are checked and it is decided again first; then the journal is written as it was, with `game.moved`
    and a new chain of this house behind it. Everything may run meanwhile. Accounts come by `warledger account import`.
    Never let the game go on in both houses.
    """
    done = import_file(settings(), file, sha256)
    said = [
        f"{done.game} is here: {done.events} events, the last of them the commitment of its new chain; it goes on now"
    ]
    if done.unproved:
        said.append(f"{done.unproved} events follow the file's last certificate: decided again, but in no certificate")
    show(done._asdict(), "\n".join(said))


@click.command("renew-chain")
@click.argument("games", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every game that is not over.")
@click.option(
    "--reason",
    type=click.Choice(["restore", "key"]),
    default="restore",
    show_default=True,
    help="restore: the files come from a backup, what was played since is lost. key: the master key is another one.",
)
def renew_chain(games: tuple[str, ...], every: bool, reason: Reason) -> None:
    """Start a new seed chain: after a restore, or with another master key.

    Seeds that were revealed after the backup was made are known. So a house restored from a backup needs new ones
    before the next turn closes: run this before `warledger up`. It is said in the chronicle. With --reason key a lost
    master key is made anew; put it back from the backup instead if you can.
    """
    if bool(games) == every:
        fail(MALFORMED, "name the games, or give --all")
    found = settings()
    there = not found.log_is_local or found.log_folder.is_dir()
    if reason == "key" and there and not found.secret_file.exists():
        make_key(found.secret_file)
    renewed: list[Renewed] = []
    with mover(found) as moving:
        for game in games or games_of(moving.log, range(PARTITIONS)):
            done = moving.renew(game, reason)
            if done is not None:
                renewed.append(done)
    if reason == "restore" and renewed:
        with local_documents(found) as documents:
            generations.request_rebuild(documents)
    show_table([item._asdict() for item in renewed], {"game": "game", "chain": "new chain"})
