"""`warledger servers`: Kafka and a server of the MongoDB protocol on this machine, for trying out."""

import os
import sys
from pathlib import Path

import click

from warledger.output import DIFFERENCE, MALFORMED, TRUE, UNREACHABLE, fail, show
from warledger.servers import NoServer, UnknownWay

# The clients of both servers take longer to load than most commands take to run: they are loaded when one is called.


@click.group()
def servers() -> None:
    """Kafka and a server of the MongoDB protocol on this machine, for trying out."""


@servers.command()
def up() -> None:
    """Start both, or find those that run, and print the two lines that make `warledger` use them.

    They run on when the command has ended, and store in the data folder, in `servers`. Taken is what
    WARLEDGER_TEST_KAFKA and WARLEDGER_TEST_MONGO name, else a container, else processes of this machine;
    WARLEDGER_SERVERS=containers or processes takes only these. What is stored in a container is gone with it.
    """
    from warledger.servers import trial

    try:
        lines = trial.start(_folder(), lambda line: click.echo(line, err=True))
    except UnknownWay as error:
        fail(MALFORMED, str(error))
    except NoServer as error:
        fail(UNREACHABLE, str(error))
    show(lines, "\n".join(f"export {name}={value}" for name, value in lines.items()))


@servers.command()
def down() -> None:
    """End what `up` started; what the processes stored stays, and the next `up` has it at the same address."""
    from warledger.servers import trial

    try:
        for kind, state in trial.end(_folder()):
            show({"server": kind, "state": state}, f"{trial.NAMES[kind]}: {state}")
    except NoServer as error:
        fail(UNREACHABLE, str(error))


@servers.command()
def status() -> None:
    """Say what runs and answers. Ends with 0 if both answer, 1 if one was not started, 3 if one does not answer."""
    from warledger.servers import trial

    code = TRUE
    for found in trial.look(_folder()):
        where = f" ({found.way}) at {found.address}" if found.way else ""
        show(found.document(), f"{trial.NAMES[found.server]}{where}: {found.state}")
        code = max(code, TRUE if found.state == "answers" else UNREACHABLE if found.started else DIFFERENCE)
    sys.exit(code)


def _folder() -> Path:
    return Path(os.environ.get("WARLEDGER_DATA", "data")).absolute() / "servers"
