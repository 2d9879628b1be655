"""Run the orders service: `python -m services.orders`."""

import sys

from services.orders.app import SERVICE
from services.orders.bootstrap import build
from shared.intake.process import serve_intake
from shared.starting import start

if __name__ == "__main__":
    sys.exit(start(SERVICE, lambda settings: serve_intake(SERVICE, build, settings)))
