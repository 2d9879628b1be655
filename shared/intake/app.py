"""The web app of an intake: POST /commands, signed by the gateway."""

from flask import Flask, Response, g, request

from shared.calls import read_call
from shared.errors import Problem
from shared.intake.admission import Admission
from shared.intake.batch import BATCHES, COMMANDS
from shared.intake.lean import Lean
from shared.web import base_app, json_body, json_response


def create_app(service: str, admission: Admission, *, call_key: bytes, max_body_bytes: int) -> Flask:
    """An intake service. Answers 202 with the receipt once the input is durable, else a problem."""
    app = base_app(f"warledger.{service}", max_body_bytes=max_body_bytes, ready=admission.fault)

    @app.post(COMMANDS)
    def submit() -> Response:
        caller = read_call(call_key, request.headers, COMMANDS, request.get_data(), admission.clock.now())
        if caller is None:
            raise Problem("unauthenticated", "only the gateway calls here, with a signed header")
        receipt = admission.admit(caller, json_body(), g.traceparent)
        return json_response(receipt.body(), status=202)

    @app.post(BATCHES)
    def submit_many() -> Response:
        raise Problem("unauthenticated", "only the gateway calls here, with a signed JSON object and its length")

    lean = Lean(service, admission, app.wsgi_app, call_key=call_key, max_body_bytes=max_body_bytes)
    app.wsgi_app = lean  # type: ignore[method-assign]
    return app
