"""The wiring of the projector: the only place where it meets an adapter."""

import os
import socket

from services.resolver.projector.loop import Projector
from shared.clock import Clock, SystemClock
from shared.config import Settings
from shared.documents.sqlite import SqliteDocuments
from shared.log.sqlite import SqliteLog


def build(settings: Settings, clock: Clock | None = None) -> Projector:
    """The projector with real adapters; opens nothing before its first round."""
    log = SqliteLog(settings.log_folder, None, None, clock or SystemClock())
    documents = SqliteDocuments(settings.docs_folder)
    return Projector(log, documents, f"{socket.gethostname()}-{os.getpid()}")
