"""`warledger scenario`: small stories of a game, played on the pure rules (docs/scenarios.md)."""

import sys

import click

from shared.scenarios.errors import MALFORMED, ScenarioError
from shared.scenarios.result import Result, describe, exit_code
from shared.scenarios.run import run_file
from warledger.output import show


@click.group()
def scenario() -> None:
    """Scenario files."""


@scenario.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
def run(files: tuple[str, ...]) -> None:
    """Play scenario files: exit 0 if all hold, 1 if one fails, 2 if one is malformed."""
    results: list[Result] = []
    malformed = False
    for file in files:
        try:
            result = run_file(file)
        except ScenarioError as error:
            malformed = True
            click.echo(str(error), err=True)
            continue
        results.append(result)
        show(result.to_json(), describe(result))
    sys.exit(MALFORMED if malformed else exit_code(results))
