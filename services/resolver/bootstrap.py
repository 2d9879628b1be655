"""The wiring of the resolver: the only place where it meets an adapter."""

import os
import socket

from services.resolver.hosting.judging import Context
from services.resolver.hosting.secrets import MasterKey
from services.resolver.loop import Resolver
from services.resolver.moving import Mover
from services.resolver.sequencer import Services
from services.resolver.settings import Pace
from services.resolver.snapshotting import Snapshots
from shared.adapters import open_documents, open_log
from shared.clock import Clock, SystemClock
from shared.config import Settings
from shared.documents import Documents
from shared.log import TICKS
from shared.signing import Signer

_WRITERS = ("orders", "polls", "economy", TICKS)


def build(settings: Settings, clock: Clock | None = None, pace: Pace | None = None) -> Resolver:
    """The resolver with real adapters; opens nothing before its first round. Raises ConfigError for a missing key."""
    return Resolver(services(settings, clock, pace), f"{socket.gethostname()}-{os.getpid()}")


def services(settings: Settings, clock: Clock | None = None, pace: Pace | None = None) -> Services:
    """Log, snapshots, secrets and clock of a resolver. Raises ConfigError for a missing key."""
    clock = clock or SystemClock()
    keys = {name: settings.key(name) for name in _WRITERS}
    log = open_log(settings, signer=Signer(TICKS, keys[TICKS]), keys=keys, clock=clock)
    documents = open_documents(settings)
    return Services(
        log=log,
        snapshots=Snapshots(documents),
        context=Context(MasterKey(settings.secret_file), _Blobs(documents).get),
        clock=clock,
        pace=pace or Pace(),
    )


def build_mover(settings: Settings, clock: Clock | None = None) -> Mover:
    """What moves games in and out, on the same log and with the same master key. Raises ConfigError."""
    parts = services(settings, clock)
    documents = open_documents(settings)
    owner = f"move-{socket.gethostname()}-{os.getpid()}"
    return Mover(parts.log, documents, parts.context, parts.clock, owner)


class _Blobs:
    """The large data that creations name, from the document store."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def get(self, sha256: str) -> bytes | None:
        """The stored bytes. Raises DocumentsUnavailable."""
        found = self._documents.get("blobs", [sha256]).get(sha256)
        return None if found is None else str(found.body["text"]).encode()
