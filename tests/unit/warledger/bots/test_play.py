"""A bot's way over HTTP: keys, repeats, refusals, and a stream that breaks off."""

import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.warledger.bots.positions import sight
from warledger.api import Answer, Client, Refused, Unreachable
from warledger.bots import play
from warledger.bots.feed import Feed
from warledger.bots.play import REFUSED_IN_A_ROW, Player
from warledger.bots.roster import BOTS

ACCEPTED = Answer(201, {}, {"status": "accepted", "outcome": []})
REFUSED = Answer(422, {}, {"code": "out_of_reach", "detail": "too far"})
UNKNOWN = Answer(503, {}, {"code": "outcome_unknown", "detail": "perhaps"})


class Server(Client):
    """A server that shows one position for ever and answers commands from a script, with its last answer for ever."""

    def __init__(self, *script: Answer | Unreachable) -> None:
        super().__init__("http://nowhere.invalid")
        self._script = list(script)
        self._seen = sight({"ana": "brasil", "bia": "peru"})
        self.keys: list[str] = []

    def request(self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None) -> Answer:
        if path.endswith("/commands"):
            self.keys.append((headers or {})["Idempotency-Key"])
            answer = self._script.pop(0) if len(self._script) > 1 else self._script[0]
            if isinstance(answer, Unreachable):
                raise answer
            return answer
        if path.endswith("/advice"):
            question = dict(body)
            return Answer(200, {}, self._seen.ask(question.pop("type"), **question))
        return Answer(200, {}, self._seen.view)


@pytest.fixture(autouse=True)
def _without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_REST_SECONDS", 0)


@pytest.mark.parametrize("fault", [UNKNOWN, Unreachable("gone"), Answer(429, {}, {"code": "too_many_requests"})])
def test_a_command_of_unknown_fate_goes_out_again_under_its_key(fault: Answer | Unreachable) -> None:
    server, told = Server(fault, fault, ACCEPTED), []
    assert Player(server, "g", BOTS["random"]("1"), lambda command, _body: told.append(command)).act()
    assert len(server.keys) == 3
    assert len(set(server.keys)) == 1
    assert [command.type for command in told] == ["attack"]
    assert Player(server, "g", BOTS["random"]("1")).act()
    assert len(set(server.keys)) == 2, "each command has a key of its own"


@pytest.mark.parametrize(
    ("said", "rests"), [("7", 7.0), ("0", 0.0), ("soon", 0), ("", 0), ("999999", play.PATIENCE_SECONDS)]
)
def test_it_goes_out_again_when_the_answer_says(said: str, rests: float, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("warledger.bots.play.time", SimpleNamespace(monotonic=time.monotonic, sleep=slept.append))
    server = Server(Answer(503, {"Retry-After": said}, {"code": "unavailable", "detail": "later"}), ACCEPTED)
    assert Player(server, "g", BOTS["random"]("1")).act()
    assert slept == [rests]


def test_after_a_refusal_a_bot_looks_again_but_not_for_ever() -> None:
    server = Server(REFUSED)
    player = Player(server, "g", BOTS["random"]("1"))
    for _ in range(REFUSED_IN_A_ROW):
        assert player.act()
    with pytest.raises(Refused, match="out_of_reach"):
        player.act()


def test_what_a_server_does_not_understand_is_not_repeated() -> None:
    server = Server(Answer(403, {}, {"code": "forbidden", "detail": "not yours"}))
    with pytest.raises(Refused, match="forbidden"):
        Player(server, "g", BOTS["random"]("1")).act()
    assert len(server.keys) == 1


class _Streaming(BaseHTTPRequestHandler):
    """Sends the answer `opened` and one event, then hangs up. `asked` are the ids that clients went on behind."""

    asked: list[str | None]

    def do_GET(self) -> None:
        self.asked.append(self.headers["Last-Event-ID"])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        number = len(self.asked)
        self.wfile.write(b": still here\n\nid: public=0\nevent: opened\ndata: {}\n\n")
        self.wfile.write(b"id: public=%d\nevent: warledger.exgenhoca.passed.v1\ndata: {}\n\n" % number)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def streaming() -> Iterator[tuple[str, list[str | None]]]:
    asked: list[str | None] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Streaming", (_Streaming,), {"asked": asked}))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_stream_goes_on_behind_the_last_event_that_arrived(streaming: tuple[str, list[str | None]]) -> None:
    url, asked = streaming
    feed = Feed(Client(url, "token"), "g")
    for _ in range(2):
        feed.open()
        assert feed.next() == "warledger.exgenhoca.passed.v1"
        assert feed.next() is None
    feed.close()
    assert asked == [None, "public=1"]
