"""A small client of the gateway's HTTP API, used by the command line, the demo and the end-to-end tests."""

import re
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson
import urllib3


class Answer(NamedTuple):
    """An HTTP answer; `body` is the parsed JSON, or the text of any other type."""

    status: int
    headers: Mapping[str, str]
    body: Any


class Unreachable(ConnectionError):
    """The server did not answer."""


class Refused(Exception):
    """An answer of class 4xx or 5xx where the caller had no use for one."""

    def __init__(self, answer: Answer) -> None:
        body = answer.body if isinstance(answer.body, dict) else {"detail": str(answer.body)[:200]}
        self.answer = answer
        self.code = str(body.get("code", answer.status))
        super().__init__(f"{self.code}: {body.get('detail', '')}")


class NotJudged(Exception):
    """A write is stored and was not judged in the time given; the message says where its judgement will be."""


JUDGED_WITHIN = 60.0
_LOOK_SECONDS = 0.1


class Client:
    """Talks to one gateway with one token. Thread-safe; connections are kept alive."""

    def __init__(self, url: str, token: str | None = None, *, connections: int = 16, timeout: float = 30) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._pool = urllib3.PoolManager(
            maxsize=connections, retries=False, timeout=urllib3.Timeout(connect=5, read=timeout)
        )

    def as_token(self, token: str) -> "Client":
        """The same connections with another token."""
        other = Client.__new__(Client)
        other.url, other.token, other._pool = self.url, token, self._pool
        return other

    def request(self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None) -> Answer:
        """Send one request; any status is an answer. Raises Unreachable."""
        sent = {"Accept": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = orjson.dumps(body)
            sent["Content-Type"] = "application/json"
        try:
            response = self._pool.request(method, self.url + path, body=data, headers=sent)
        except urllib3.exceptions.HTTPError as error:
            raise Unreachable(f"{self.url} does not answer: {error}") from None
        return _answer(response)

    def get(self, path: str, **headers: str) -> Any:
        """The body of a GET. Raises Refused."""
        return _wanted(self.request("GET", path, headers=headers)).body

    def post(self, path: str, body: Any, *, headers: Mapping[str, str] | None = None) -> Answer:
        """A POST that must succeed. Raises Refused."""
        return _wanted(self.request("POST", path, body, headers=headers))

    def command(
        self,
        game: str,
        type: str,
        payload: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        wait: bool = True,
    ) -> Answer:
        """Give a command in a game; `wait` False answers with the receipt at once. Raises Refused."""
        headers = {} if wait else {"Prefer": "respond-async"}
        if key is not None:
            headers["Idempotency-Key"] = key
        return self.post(f"/games/{quote(game)}/commands", {"type": type, "payload": payload or {}}, headers=headers)

    def judged(self, answer: Answer, seconds: float = JUDGED_WITHIN, *, every: float = _LOOK_SECONDS) -> Answer:
        """The answer to a write once it is judged: asks its Location while it is not. Raises Refused, NotJudged."""
        end = time.monotonic() + seconds
        location = str(answer.headers.get("Location", ""))
        while answer.status == 202:
            if time.monotonic() > end:
                raise NotJudged(f"stored, and not judged within {seconds:g} seconds: see {self.url}{location}")
            time.sleep(every)
            answer = _wanted(self.request("GET", location))
        if isinstance(answer.body, dict) and answer.body.get("status") == "rejected":
            raise Refused(answer)
        return answer


def _wanted(answer: Answer) -> Answer:
    if answer.status >= 400:
        raise Refused(answer)
    return answer


def _answer(response: urllib3.BaseHTTPResponse) -> Answer:
    kind = response.headers.get("Content-Type", "")
    text = response.data
    body: Any = orjson.loads(text) if re.search(r"[/+]json\b", kind) and text else text.decode(errors="replace")
    return Answer(response.status, dict(response.headers), body)
