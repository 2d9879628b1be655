"""The web app of the economy service: the shared intake with the topic `trades`, and quotes."""

from flask import Flask

from services.economy.quotes import Quotes
from services.economy.routes import quote_routes
from shared.intake import app as intake
from shared.intake.admission import Admission

SERVICE = "economy"
TOPIC = "trades"


def create_app(admission: Admission, quotes: Quotes, *, call_key: bytes, max_body_bytes: int) -> Flask:
    """The app; `admission` writes to TOPIC."""
    app = intake.create_app(SERVICE, admission, call_key=call_key, max_body_bytes=max_body_bytes)
    app.register_blueprint(quote_routes(quotes, call_key, admission.clock))
    return app
