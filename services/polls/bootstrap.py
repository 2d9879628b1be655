"""The wiring of the polls service: the only place where it meets an adapter."""

from flask import Flask

from services.polls.app import SERVICE, TOPIC, create_app
from shared.clock import Clock, SystemClock
from shared.config import Settings
from shared.documents.sqlite import SqliteDocuments
from shared.intake.admission import Admission
from shared.log import TICKS
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer


def build(settings: Settings, clock: Clock | None = None) -> Flask:
    """The app with real adapters; opens nothing before the first request."""
    clock = clock or SystemClock()
    # Ticks are by another process: without their key an `at` of theirs would not count.
    keyring = Keyring({SERVICE: settings.key(SERVICE), TICKS: settings.key(TICKS)})
    log = SqliteLog(settings.log_folder, Signer(SERVICE, settings.key(SERVICE)), keyring, clock)
    documents = SqliteDocuments(settings.docs_folder)
    admission = Admission(TOPIC, log, documents, settings.key("salt"), clock)
    return create_app(admission, call_key=settings.key("calls"), max_body_bytes=settings.max_body_bytes)
