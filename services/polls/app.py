"""The web app of the polls service: the shared intake with the topic `votes`."""

from flask import Flask

from shared.intake import app as intake
from shared.intake.admission import Admission

SERVICE = "polls"
TOPIC = "votes"


def create_app(admission: Admission, *, call_key: bytes, max_body_bytes: int) -> Flask:
    """The app; `admission` writes to TOPIC."""
    return intake.create_app(SERVICE, admission, call_key=call_key, max_body_bytes=max_body_bytes)
