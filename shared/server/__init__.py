"""The HTTP server of every web service: gunicorn with a worker that reads whole requests before a thread sees them."""

HUNG_UP = "warledger.hung_up"
"""Key of the WSGI environ: a function that tells whether the client has closed the connection."""
