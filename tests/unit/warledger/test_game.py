"""`warledger game` against a gateway that answers slowly, or hosts another game than GXC."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.unit.warledger.running import call
from warledger import api
from warledger.api import NotJudged, Refused

pytestmark = pytest.mark.slow

RECEIPT = {"id": "1" * 32, "game": "spring", "hash": "0" * 64}


class Gateway:
    """Answers from a script: method and path -> answers, the last one again and again. `said` is what it was asked."""

    def __init__(self) -> None:
        self.script: dict[str, list[tuple[int, Any]]] = {}
        self.said: list[tuple[str, Any]] = []
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                gateway.answer(self, None)

            def do_POST(self) -> None:
                gateway.answer(self, orjson.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler, body: Any) -> None:
        path = f"{request.command} {request.path}"
        self.said.append((path, body))
        answers = self.script[path]
        status, given = answers.pop(0) if len(answers) > 1 else answers[0]
        data = orjson.dumps(given)
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        if status == 202 and "status" not in given:
            request.send_header("Location", "/games/spring/inputs/1?hash=0")
        request.end_headers()
        request.wfile.write(data)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    monkeypatch.setattr(api, "_LOOK_SECONDS", 0.01)
    monkeypatch.delenv("WARLEDGER_GATEWAY_URL", raising=False)
    made = Gateway()
    monkeypatch.setenv("WARLEDGER_GATEWAY_URL", made.url)
    yield made
    made.close()


CREATE = ("game", "create", "spring", "--map", "small-eight", "--teams", "2", "--start")
INPUT = "GET /games/spring/inputs/1?hash=0"


def test_a_game_is_started_only_when_its_creation_was_judged(gateway: Gateway, tmp_path: Path) -> None:
    pending = {"id": "1", "game": "spring", "status": "pending"}
    gateway.script = {
        "POST /games": [(202, RECEIPT)],
        INPUT: [(202, pending), (202, pending), (200, {**pending, "status": "accepted"})],
        "POST /games/spring/commands": [(201, RECEIPT)],
    }
    done = call(tmp_path, *CREATE)
    assert (done.exit_code, done.stdout) == (0, "created spring: 8 territories, teams ash, birch\n")
    assert [path for path, _ in gateway.said] == ["POST /games", INPUT, INPUT, INPUT, "POST /games/spring/commands"]


def test_a_game_of_players_is_created_with_their_seats_and_no_map(gateway: Gateway, tmp_path: Path) -> None:
    gateway.script = {"POST /games": [(201, RECEIPT)]}
    seats = ("--player", "u1", "--player", "u2", "--set", "max_rounds=9")
    done = call(tmp_path, "game", "create", "spring", "--game", "exgenhoca", *seats)
    assert (done.exit_code, done.stdout) == (0, "created spring: 2 players\n")
    create = {"players": ["u1", "u2"], "config": {"max_rounds": 9}}
    assert gateway.said == [("POST /games", {"id": "spring", "game": "exgenhoca", "create": create})]


def test_a_war_room_is_created_with_what_its_players_own(gateway: Gateway, tmp_path: Path) -> None:
    gateway.script = {"POST /games": [(201, RECEIPT)]}
    options = ("--player", "u1", "--player", "u2", "--hangar", "space_base=1", "--hangar", "scout=8")
    done = call(tmp_path, "game", "create", "duel", "--game", "space-battle", *options)
    assert (done.exit_code, done.stdout) == (0, "created duel: 2 players\n")
    hangar = {"space_base": 1, "scout": 8}
    create = {"players": {"u1": {"hangar": hangar}, "u2": {"hangar": hangar}}, "config": {}}
    assert gateway.said == [("POST /games", {"id": "duel", "game": "space-battle", "create": create})]


@pytest.mark.parametrize("given", ["scout", "scout=many", "scout=-1"])
def test_what_players_own_is_a_number_of_each_class(gateway: Gateway, tmp_path: Path, given: str) -> None:
    done = call(tmp_path, "game", "create", "duel", "--player", "u1", "--hangar", given)
    assert done.exit_code == 2
    assert f"--hangar {given}: expected CLASS=COUNT, e.g. scout=4" in done.stderr
    assert gateway.said == []


@pytest.mark.parametrize(("given", "sent"), [(("60", "10"), [60, 10]), (("0",), [])])
def test_a_creation_says_when_players_are_reminded(
    gateway: Gateway, tmp_path: Path, given: tuple[str, ...], sent: list[int]
) -> None:
    gateway.script = {"POST /games": [(201, RECEIPT)]}
    options = [word for minutes in given for word in ("--reminder", minutes)]
    done = call(tmp_path, "game", "create", "spring", "--game", "exgenhoca", "--player", "u1", *options)
    assert done.exit_code == 0
    ((_, body),) = gateway.said
    assert body["reminders"] == sent


def test_a_creation_that_was_judged_late_and_refused_is_no_created_game(gateway: Gateway, tmp_path: Path) -> None:
    refused = {"status": "rejected", "code": "bad_map", "detail": "a map has two territories at least"}
    gateway.script = {"POST /games": [(202, RECEIPT)], INPUT: [(200, refused)]}
    done = call(tmp_path, *CREATE)
    assert isinstance(done.exception, Refused)
    assert str(done.exception) == "bad_map: a map has two territories at least"
    assert "created" not in done.stdout


def test_who_waits_for_a_judgement_in_vain_is_told_where_it_will_be(gateway: Gateway) -> None:
    gateway.script = {INPUT: [(202, {"status": "pending"})]}
    answer = api.Answer(202, {"Location": "/games/spring/inputs/1?hash=0"}, RECEIPT)
    with pytest.raises(NotJudged, match=r"/games/spring/inputs/1\?hash=0"):
        api.Client(gateway.url).judged(answer, 0.05)


def test_the_open_period_is_closed_by_the_command_that_the_game_names(gateway: Gateway, tmp_path: Path) -> None:
    closing = {"type": "close_phase", "payload": {"phase": "year", "year": 2003}}
    period = {"name": "year", "n": 2003, "deadline": None, "close": closing}
    gateway.script = {
        "GET /games/spring": [(200, {"kind": "forces", "phase": "year", "period": period})],
        "POST /games/spring/commands": [(201, RECEIPT)],
    }
    done = call(tmp_path, "game", "close", "spring")
    assert (done.exit_code, done.stdout) == (0, "closed year 2003 of spring\n")
    assert gateway.said[-1][1] == closing


@pytest.mark.parametrize("period", [None, {"name": "turn", "n": 0, "deadline": None, "close": None}])
def test_a_game_with_nothing_to_close_says_so(gateway: Gateway, tmp_path: Path, period: Any) -> None:
    gateway.script = {"GET /games/spring": [(200, {"kind": "gxc", "phase": "lobby", "period": period})]}
    done = call(tmp_path, "game", "close", "spring")
    assert (done.exit_code, done.stderr) == (1, "spring has nothing to close: it is a game of gxc in phase lobby\n")


def listed(gateway: Gateway) -> None:
    """Two pages of a game each: one with a deadline, one without."""
    period = {"name": "round", "n": 7, "deadline": 1_700_000_000_250, "close": None}
    game = {"id": "a", "kind": "exgenhoca", "rules": "1", "phase": "running", "period": period}
    paused = {**game, "id": "b", "period": {**period, "n": 8, "deadline": None}}
    gateway.script = {
        "GET /games": [(200, {"games": [game], "next": "a"})],
        "GET /games?after=a": [(200, {"games": [paused], "next": None})],
    }


def test_a_list_of_games_shows_what_is_open_in_each_and_when_it_closes(gateway: Gateway, tmp_path: Path) -> None:
    listed(gateway)
    rows = [line.split() for line in call(tmp_path, "game", "list").stdout.splitlines() if "exgenhoca" in line]
    assert ["7" in rows[0], "2023-11-14T22:13:20.250Z" in rows[0]] == [True, True]
    assert ["8" in rows[1], "None" in rows[1]] == [True, False]


def test_a_list_of_games_for_a_program_has_times_in_milliseconds(gateway: Gateway, tmp_path: Path) -> None:
    listed(gateway)
    rows = [orjson.loads(line) for line in call(tmp_path, "--json", "game", "list").stdout.splitlines()]
    assert [row["period"]["deadline"] for row in rows] == [1_700_000_000_250, None]
