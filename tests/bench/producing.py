"""The floor of an intake on Kafka: a Flask route that sends what it got and waits until Kafka has it.

`BROKERS=HOST:PORT TOPIC=NAME gunicorn -k gthread tests.bench.producing:app`
"""

import os
import threading
from functools import cache
from typing import Any

from flask import Flask, Response, request
from kafka import KafkaProducer

app = Flask("producing")
_making = threading.Lock()


@cache
def producer() -> Any:
    """The producer of this worker, made behind the fork; it promises what the intake's promises."""
    return KafkaProducer(
        bootstrap_servers=os.environ["BROKERS"].split(","), acks="all", enable_idempotence=True, linger_ms=0
    )


@app.get("/livez")
def livez() -> Response:
    return Response(b"{}", mimetype="application/json")


@app.post("/commands")
def commands() -> Response:
    """Store the body under one key."""
    with _making:
        made = producer()
    made.send(os.environ["TOPIC"], request.get_data(), b"bench").get(10)
    return Response(b'{"status":"accepted"}', status=202, mimetype="application/json")
