"""`warledger account`: accounts made on the machine that holds them."""

import click

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from shared.errors import Problem
from warledger.local import local_documents, settings
from warledger.output import DIFFERENCE, MALFORMED, fail, show_table

COLUMNS = {"name": "name", "id": "id", "role": "role", "token": "token"}


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
    show_table(rows, COLUMNS)
