"""Entry for any WSGI server: `gunicorn 'services.gateway.wsgi:create_app()'`."""

import os

from flask import Flask

from services.gateway.bootstrap import build
from shared.config import from_environment


def create_app() -> Flask:
    """The app with the settings of the environment; WARLEDGER_ROLE=streams makes it the streams instance."""
    return build(from_environment(), os.environ.get("WARLEDGER_ROLE", "gateway"))
