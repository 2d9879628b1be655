"""The apps of the intake services, as their bootstraps make them, over what a test has opened."""

from flask import Flask

from services.economy.app import create_app as create_economy
from services.economy.quotes import Quotes
from shared.intake.admission import Admission
from shared.intake.app import create_app
from shared.views import Views

MOST_BYTES = 10**7


def app_of(service: str, admission: Admission, call_key: bytes) -> Flask:
    """The app of a service; economy quotes from the documents of the admission."""
    if service == "economy":
        quotes = Quotes(Views(admission.documents))
        return create_economy(admission, quotes, call_key=call_key, max_body_bytes=MOST_BYTES)
    return create_app(service, admission, call_key=call_key, max_body_bytes=MOST_BYTES)
