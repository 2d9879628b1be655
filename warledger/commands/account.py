"""`warledger account`: accounts made on the machine that holds them."""

import os
import sys
from pathlib import Path

import click

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from services.gateway.transfer import BadAccounts, read_accounts, take_in, write_accounts
from shared.clock import SystemClock
from shared.errors import Problem
from warledger.journals import actors
from warledger.local import local_documents, local_log, settings
from warledger.output import DIFFERENCE, MALFORMED, fail, show, show_lines

COLUMNS = {"name": "name", "id": "id", "role": "role", "token": "token"}
ARRIVED = {"name": "name", "id": "id", "said": "", "token": "token"}


@click.group()
def account() -> None:
    """Accounts and their tokens."""


@account.command()
@click.argument("name")
@click.option("--operator", is_flag=True, help="A game master: may create and run games.")
@click.option("--count", type=click.IntRange(1, 100_000), help="Make NAME-001, NAME-002, ...")
@click.option("--password", help="For logging in by name; without one the account has its token alone.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="Life of the token.")
def create(name: str, operator: bool, count: int | None, password: str | None, days: int) -> None:
    """Make an account (or --count of them) and print the id and a token, shown this once."""
    if count and password:
        fail(MALFORMED, "--password cannot be given with --count: accounts do not share one")
    width = max(3, len(str(count or 0)))
    names = [f"{name}-{number:0{width}}" for number in range(1, count + 1)] if count else [name]
    rows = []
    with local_documents(settings()) as documents:
        for item in names:
            try:
                made = create_account(documents, item, "operator" if operator else "player", password)
                issued = issue_token(documents, made.id, made.role, seconds=days * 86_400)
            except Problem as problem:
                fail(DIFFERENCE if problem.code == "name_taken" else MALFORMED, f"{item}: {problem.detail}")
            rows.append({"name": made.name, "id": made.id, "role": made.role, "token": issued.token})
    show_lines(rows, COLUMNS)


@account.command("export")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--game", help="Only the accounts that gave commands in this game.")
def export_(out: Path, game: str | None) -> None:
    """Write accounts for another house: ids, names, e-mail addresses and password hashes, no tokens.

    The file can be read by its owner alone. Keep it as you keep the accounts themselves, and delete it after use.
    """
    found = settings()
    wanted = None
    if game is not None:
        with local_log(found) as log:
            wanted = actors(log, game)
        if not wanted:
            fail(MALFORMED, f"{found.log_name} holds no game {game}")
    with local_documents(found) as documents:
        lines = list(write_accounts(documents, wanted))
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)
        file.writelines(lines)
    show({"file": str(out), "accounts": len(lines) - 1}, f"{out}: {len(lines) - 1} accounts")


@account.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="Life of the tokens.")
def import_(file: Path, days: int) -> None:
    """Make the accounts of a file, with the ids by which a journal names them; changes none that is there.

    Whoever has a password logs in with it. An account without one gets a new token, shown this once. Ends with 1 if
    an account was left out because its name or id is another's here.
    """
    try:
        with file.open("rb") as lines:
            accounts = read_accounts(lines)
    except BadAccounts as error:
        fail(MALFORMED, f"{file}: {error}")
    rows = []
    with local_documents(settings()) as documents:
        for given, arrival in zip(accounts, take_in(documents, accounts, SystemClock()), strict=True):
            token = None
            if arrival.taken_in and not arrival.password:
                token = issue_token(documents, arrival.id, given["role"], seconds=days * 86_400).token
            rows.append({"name": arrival.name, "id": arrival.id, "said": arrival.said, "token": token})
    show_lines(rows, ARRIVED)
    if any(row["said"] not in ("taken in", "there already") for row in rows):
        sys.exit(DIFFERENCE)
