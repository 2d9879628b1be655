"""An installation of its own for a demo: a fresh folder, free ports, real processes."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from shared.config import SERVICES, Settings, from_environment
from warledger.api import Client
from warledger.commands.up import prepare, supervisor
from warledger.local import local_documents
from warledger.output import MALFORMED, UNREACHABLE, fail
from warledger.processes import MODULES, Supervisor
from warledger.servers.ports import held_ports

_MARK = "made-by-warledger-demo"
_READY_WITHIN = 90.0
"""Whoever ends at its start is told at once: only a busy machine takes long."""
_QUIET = {
    "WARLEDGER_LOGINS_A_MINUTE": "100000",
    "WARLEDGER_REGISTRATIONS_AN_HOUR": "100000",
    "WARLEDGER_COMMANDS_A_MINUTE": "1000000",
}


@dataclass(frozen=True, slots=True)
class Installation:
    """A running installation and a client with its operator's token."""

    settings: Settings
    operator: Client
    services: Supervisor
    environment: Mapping[str, str]
    """The variables that make another process find it."""

    def players(self, count: int) -> list[tuple[str, Client]]:
        """Make accounts as `warledger account create --count` does: (id, client) of each."""
        made = []
        with local_documents(self.settings) as documents:
            for number in range(1, count + 1):
                account = create_account(documents, f"player-{number:03}", "player", None)
                token = issue_token(documents, account.id, account.role).token
                made.append((account.id, self.operator.as_token(token)))
        return made


@contextmanager
def installation(
    folder: Path, extra: Mapping[str, str] | None = None, modules: Mapping[str, str] = MODULES
) -> Iterator[Installation]:
    """Start every service in a fresh `folder`; stop them afterwards. `extra` are more variables of theirs."""
    _empty(folder)
    environment = {"WARLEDGER_DATA": str(folder), **_QUIET, **free_ports(), **(extra or {})}
    settings = from_environment({**os.environ, **environment})
    prepare(settings)
    services = supervisor(settings, environment, modules)
    services.start()
    try:
        if faults := services.ready(_READY_WITHIN):
            fail(UNREACHABLE, "not ready: " + "; ".join(faults))
        token = (settings.keys / "operator.token").read_text().strip()
        yield Installation(settings, Client(settings.urls["gateway"], token), services, environment)
    finally:
        services.stop()


def _empty(folder: Path) -> None:
    """Remove what an earlier demo left; never a folder that no demo made."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            fail(MALFORMED, f"{folder} is not empty and was not made by a demo; name another folder with --folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).touch()


def free_ports() -> dict[str, str]:
    """A free port for each service; none that the system may give to a connection before the service has it."""
    with held_ports(len(SERVICES)) as ports:
        return {f"WARLEDGER_{name.upper()}_PORT": str(port) for name, port in zip(SERVICES, ports, strict=True)}
