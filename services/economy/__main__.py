"""Run the economy service: `python -m services.economy`."""

import sys

from services.economy.app import SERVICE
from services.economy.bootstrap import build
from shared.intake.process import serve_intake
from shared.starting import start

if __name__ == "__main__":
    sys.exit(start(SERVICE, lambda settings: serve_intake(SERVICE, build, settings)))
