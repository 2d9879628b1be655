"""Run the polls service: `python -m services.polls`."""

import sys

from services.polls.app import SERVICE
from services.polls.bootstrap import build
from shared.intake.process import serve_intake
from shared.starting import start

if __name__ == "__main__":
    sys.exit(start(SERVICE, lambda settings: serve_intake(SERVICE, build, settings)))
