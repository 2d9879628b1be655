"""`warledger up`: every service of an installation as a supervised process on this machine."""

import signal
import time
from collections.abc import Mapping
from types import FrameType

import click

from shared.config import Settings, make_keys
from warledger.local import local_documents, make_local_operator
from warledger.local import settings as local_settings
from warledger.output import MALFORMED, UNREACHABLE, fail
from warledger.processes import MODULES, CannotStart, Supervisor

READY_WITHIN = 20.0


def prepare(settings: Settings) -> None:
    """Make what a new installation lacks: folders, keys, the local operator and her token."""
    make_keys(settings)
    settings.log_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.docs_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with local_documents(settings) as documents:
        make_local_operator(documents, settings)


def supervisor(
    settings: Settings, environment: Mapping[str, str] | None = None, modules: Mapping[str, str] = MODULES
) -> Supervisor:
    """A supervisor whose reports go to standard error."""
    logs = settings.keys.parent / "logs"
    return Supervisor(settings, environment or {}, logs, lambda line: click.echo(line, err=True), modules)


@click.command()
def up() -> None:
    """Start every service here and keep them running until Ctrl-C.

    On the first start the folder, the keys and a local operator are made. Ports and folders are set by WARLEDGER_*
    variables.
    """
    found = local_settings()
    prepare(found)
    services = supervisor(found)
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    started = time.monotonic()
    try:
        services.start()
    except CannotStart as error:
        fail(MALFORMED, str(error))
    try:
        if faults := services.ready(READY_WITHIN):
            fail(UNREACHABLE, "not ready: " + "; ".join(faults))
        click.echo(f"ready in {time.monotonic() - started:.1f} s at {found.urls['gateway']} (Ctrl-C stops)")
        while not stopping:
            services.watch()
            time.sleep(0.1)
    finally:
        services.stop()
    click.echo("stopped")
