"""The wiring of the projector: the only place where it meets an adapter."""

import os
import socket

from services.resolver.projector.loop import Projector
from shared.adapters import open_documents, open_log
from shared.clock import Clock, SystemClock
from shared.config import Settings


def build(settings: Settings, clock: Clock | None = None) -> Projector:
    """The projector with real adapters; opens nothing before its first round."""
    log = open_log(settings, clock=clock or SystemClock())
    documents = open_documents(settings)
    return Projector(log, documents, f"{socket.gethostname()}-{os.getpid()}")
