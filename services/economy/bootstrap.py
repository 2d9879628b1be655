"""The wiring of the economy service: the only place where it meets an adapter."""

from flask import Flask

from services.economy.app import SERVICE, TOPIC, create_app
from services.economy.quotes import Quotes
from shared.adapters import open_documents, open_log
from shared.clock import Clock, SystemClock
from shared.config import Settings
from shared.intake.admission import Admission
from shared.log import TICKS
from shared.signing import Signer
from shared.views import Views


def build(settings: Settings, clock: Clock | None = None) -> Flask:
    """The app with real adapters; opens nothing before the first request."""
    clock = clock or SystemClock()
    # Ticks are by another process: without their key an `at` of theirs would not count.
    keys = {name: settings.key(name) for name in (SERVICE, TICKS)}
    log = open_log(settings, signer=Signer(SERVICE, keys[SERVICE]), keys=keys, clock=clock)
    documents = open_documents(settings)
    admission = Admission(TOPIC, log, documents, settings.key("salt"), clock)
    quotes = Quotes(Views(documents))
    return create_app(admission, quotes, call_key=settings.key("calls"), max_body_bytes=settings.max_body_bytes)
