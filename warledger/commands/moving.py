"""`warledger import`, `warledger game renew-chain`: games that come from elsewhere, or from a backup.

They work on the log of this machine, like the resolver and with its master key, whether it runs or not.
"""

from pathlib import Path

import click

from services.resolver.hosting.game import HostedGame
from services.resolver.moving import Reason, Renewed, games_of
from shared.config import Settings
from shared.export import BadExport, read_export
from shared.log import PARTITIONS
from shared.views import generations
from warledger.commands.journal import verify_file
from warledger.commands.up import prepare
from warledger.houses import mover
from warledger.local import local_documents, settings
from warledger.output import DIFFERENCE, MALFORMED, fail, show, show_table


def import_file(found: Settings, path: Path) -> HostedGame:
    """Bring a game in from an export; ends the command with what is wrong with the file, or with this house for it."""
    prepare(found)
    try:
        with path.open("rb") as file:
            export = read_export(file)
        with mover(found) as moving:
            if export.form == "journal":
                _proved(path)
            return moving.bring_in(export)
    except BadExport as error:
        fail(MALFORMED, f"{path}: {error}")


def _proved(path: Path) -> None:
    code, lines = verify_file(path)
    if code:
        wrong = [line for line in lines if line.startswith("WRONG")]
        fail(DIFFERENCE, "\n".join([f"{path} does not hold, so it is not brought in:", *(wrong or lines)]))


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_(file: Path) -> None:
    """Bring a game in from the journal that `warledger export` wrote.

    The journal is written as it was, then `game.moved` and a new chain of this house. Everything may run meanwhile.
    Accounts come by `warledger account import`. Never let the game go on in both houses.
    """
    game = import_file(settings(), file)
    show(
        {"game": game.id, "events": game.n, "chain": None if game.chain is None else game.chain.number},
        f"{game.id} is here: {game.n} events, the last of them the commitment of its new chain; it goes on at once",
    )


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
    before the next turn closes: run this before `warledger up`. It is said in the chronicle.
    """
    if bool(games) == every:
        fail(MALFORMED, "name the games, or give --all")
    found = settings()
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
