"""The floor of web services here: Flask that answers one short JSON, under gunicorn as it comes.

`gunicorn -k gthread tests.bench.hello:app`
"""

from flask import Flask, Response

app = Flask("hello")


@app.get("/hello")
def hello() -> Response:
    """The answer."""
    return Response(b'{"status":"accepted"}', mimetype="application/json")
