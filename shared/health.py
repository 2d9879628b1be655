"""/livez, /readyz and /metrics of a process that is no web service, on a thread of its own."""

import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST

from shared.metrics import exposition

Check = Callable[[], str | None]
"""None when all is well, else what is wrong in one sentence."""
Remarks = Callable[[], Sequence[str]]
"""What an operator should know although the process is ready, a sentence each."""


class HealthServer:
    """Serves the three paths until `close`. Livez and readyz answer 200 "ok" or 503 with the reason.

    Remarks follow in lines of their own, only at readyz.
    """

    def __init__(self, host: str, port: int, live: Check, ready: Check, remarks: Remarks = tuple) -> None:
        checks = {"/livez": live, "/readyz": ready}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/metrics":
                    return self._answer(200, CONTENT_TYPE_LATEST, exposition())
                if self.path not in checks:
                    return self._answer(404, "text/plain", b"try /livez, /readyz or /metrics\n")
                fault = checks[self.path]()
                lines = [fault or "ok", *(remarks() if self.path == "/readyz" else ())]
                return self._answer(
                    503 if fault else 200, "text/plain", "".join(f"{line}\n" for line in lines).encode()
                )

            def _answer(self, status: int, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Probes are not logged."""

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="health", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
