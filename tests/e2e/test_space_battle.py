"""Two players fight Space Battle over HTTP, from the challenge to the result, against the real processes."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from shared.rules.space_battle.tables import CLASSES
from tests.e2e.exgenhoca import named
from tests.unit.tools.loading import load
from warledger.api import Answer, Client, Refused
from warledger.bots.gunner import GunnerBot
from warledger.bots.play import Player
from warledger.commands.journal import export_game, replay_game
from warledger.demo.installation import Installation
from warledger.local import local_documents

pytestmark = pytest.mark.slow
_PATIENCE = 60.0
FLEET = (("c", "cruiser"), ("s", "scout"))


class Room:
    """A War Room of two, `ana` the challenger and `bia`, and of `cyd`, who looks on."""

    count = 0

    def __init__(self, house: Installation, **config: Any) -> None:
        Room.count += 1
        self.house = house
        self.id = f"space-{Room.count}"
        self.accounts: dict[str, str] = {}
        self.clients: dict[str, Client] = {}
        with local_documents(house.settings) as documents:
            for name in ("ana", "bia", "cyd"):
                account = create_account(documents, f"{self.id} {name}", "player", None)
                self.accounts[name] = account.id
                token = issue_token(documents, account.id, account.role).token
                self.clients[name] = house.operator.as_token(token)
        hangar = {"hangar": {"space_base": 1, **{name: 2 for name in CLASSES if name != "space_base"}}}
        create = {"players": dict.fromkeys(self.accounts.values(), hangar), "config": config}
        house.operator.judged(house.operator.post("/games", {"id": self.id, "game": "space-battle", "create": create}))

    def say(self, name: str, type: str, /, **payload: Any) -> Answer:
        """Give a command; the answer once it is judged."""
        client = self.house.operator if name == "operator" else self.clients[name]
        return client.judged(client.command(self.id, type, payload))

    def agree(self, number: int) -> None:
        """A battle that starts in a second, or in twice as many and so on on a machine that is slow."""
        self.say("ana", "issue_challenge", challenged=self.accounts["bia"])
        self.say("bia", "accept_challenge", challenge=1, number=number, time=now() + 3_600_000)
        self.say("bia", "request_staff_time", challenge=1)
        ahead_ms = 1_000

        def time_is_set() -> bool:
            nonlocal ahead_ms
            try:
                self.say("operator", "set_time", challenge=1, time=now() + ahead_ms)
            except Refused as found:
                if found.code != "bad_time":
                    raise
                ahead_ms *= 2
                return False
            return True

        self.await_(time_is_set, "the agreement")

    def deploy(self, name: str, *mines: list[int]) -> None:
        """The fleet from the top of the front rank on."""
        rear, front = (1, 2) if name == "ana" else (13, 12)
        craft = [{"id": id, "class": kind, "at": [front, row]} for row, (id, kind) in enumerate(FLEET, 1)]
        self.say(name, "deploy", base=[rear, 5], craft=craft, mines=list(mines))

    def begin(self) -> None:
        """Both are ready, and the clock starts the battle."""
        self.say("ana", "ready")
        self.say("bia", "ready")
        self.await_(lambda: bool(self.game()["phase"] == "running"), "the start")

    def ends_move_in(self, ahead_ms: int) -> None:
        """An operator moves the end of the move so near, or twice as far and so on where a machine is slow."""

        def moved() -> bool:
            nonlocal ahead_ms
            seen = self.game()
            if seen["phase"] == "ended":
                return True
            try:
                by = now() + ahead_ms - seen["move_deadline"]
                self.say("operator", "shift_time", by_ms=by, reason="operator")
            except Refused:
                ahead_ms *= 2
                return False
            return True

        self.await_(moved, "the move of the time")

    def game(self) -> dict[str, Any]:
        found: dict[str, Any] = self.house.operator.get(f"/games/{self.id}")
        return found

    def orders(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.clients[name].get(f"/games/{self.id}/orders")
        return found

    def await_(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < end, f"{what} did not come within {_PATIENCE} seconds"
            time.sleep(0.05)

    def prove(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Both forms of its export verify, and it is decided again without a difference."""
        whole, public = folder / f"{self.id}.jsonl", folder / f"{self.id}-public.jsonl"
        export_game(self.house.settings, self.id, whole)
        export_game(self.house.settings, self.id, public, "chronicle")
        assert load().main([str(whole)]) == 0
        assert load().main([str(public), "--against", str(whole)]) == 0
        assert not replay_game(self.house.settings, self.id)
        assert capsys.readouterr().out.count("all holds") == 2


def now() -> int:
    """Milliseconds of UTC."""
    return time.time_ns() // 1_000_000


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(Refused) as told:
        act()
    assert told.value.code == code


def test_a_battle_from_the_challenge_to_the_result(
    any_house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(any_house, first_mover="random", move_seconds=600)
    room.agree(2)
    room.deploy("ana", [10, 1])
    room.deploy("ana", [9, 1], [8, 8])
    room.deploy("bia")
    assert set(room.orders("ana")["mines"]) == {"C:m1", "C:m2"}
    assert set(room.orders("bia")["craft"]) == {"D:base", "D:c", "D:s"}
    assert "craft" not in room.orders("cyd")
    refused("unknown_id", lambda: room.say("bia", "fire", craft="D:c", target="C:c"))
    room.begin()
    assert set(room.orders("cyd")["craft"]) == {f"{side}:{name}" for side in "CD" for name in ("base", "c", "s")}
    assert "mines" not in room.orders("cyd")
    if room.game()["to_move"] == "C":
        room.say("ana", "end_move")
    moved = room.say("bia", "move_craft", craft="D:c", to=[10, 1])
    assert named(moved, "craft_moved")[0]["path"] == [[11, 1], [10, 1]]
    fired = room.say("bia", "fire", craft="D:c", target="C:c")
    (shot,) = named(fired, "shot_fired")
    assert (shot["hit"], shot["distance"], shot["damage"]) == ("C:c", 8, 24)
    refused("not_your_move", lambda: room.say("bia", "end_move"))
    told = room.clients["ana"].post(f"/games/{room.id}/advice", {"type": "reach"}).body
    assert told["craft"]["C:c"]["targets"]["D:c"]["damage"] == 24
    room.say("ana", "chat", text="Well met.")
    assert room.clients["bia"].get(f"/games/{room.id}/messages")["messages"][0]["texts"] == {"text": "Well met."}
    room.say("ana", "end_move")
    exploded = room.say("bia", "move_craft", craft="D:s", to=[8, 2])
    assert not named(exploded, "mine_exploded")
    room.say("bia", "end_move")
    room.say("ana", "surrender")
    ended = room.game()
    assert (ended["result"], ended["winner"]) == ("surrender", "D")
    assert room.orders("cyd")["mines"]["C:m2"]["live"] is True
    room.prove(tmp_path, capsys)


def test_the_clock_warns_forfeits_and_ends_the_battle(
    house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Moves of 60 seconds, which an operator moves near their ends, so that nobody waits for them."""
    room = Room(house, forfeits_until_surrender=1)
    room.agree(2)
    room.deploy("ana")
    room.deploy("bia")
    room.begin()
    room.say("bia", "end_move")
    room.ends_move_in(6_500)
    # Where nobody looked between the warning and the forfeit, the notices tell of both.
    room.await_(lambda: bool(room.game()["warned"] or room.game()["phase"] == "ended"), "the warning")
    room.ends_move_in(1_000)
    room.await_(lambda: bool(room.game()["phase"] == "ended"), "the forfeit")
    assert (room.game()["result"], room.game()["winner"]) == ("surrender", "D")
    notices = room.clients["ana"].get(f"/games/{room.id}/notices")["notices"]
    assert {"time_warning", "move_forfeited", "your_move", "battle_over"} <= {item["code"] for item in notices}
    room.prove(tmp_path, capsys)


def test_the_page_shows_the_grid_the_craft_and_the_names_of_players(house: Installation) -> None:
    room = Room(house)
    room.agree(2)
    room.deploy("ana", [8, 8])
    room.deploy("bia")
    room.begin()
    html = str(house.operator.get(f"/games/{room.id}", Accept="text/html"))
    own = str(room.clients["ana"].get(f"/games/{room.id}", Accept="text/html"))
    drawing = str(house.operator.get(f"/games/{room.id}/map", Accept="image/svg+xml"))
    for shown in (html, drawing):
        assert f"{room.id} ana" in shown
        assert "13-5" in shown
    assert "Spacecraft" in html
    assert "What you may fire at" not in html
    assert "C:m1" in own
    assert not [account for account in room.accounts.values() if account in html]
    room.say("operator", "abort", reason="the hall is closed")


def test_two_bots_fight_to_the_end_each_on_its_own_stream(
    house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(house, quiet_moves_draw=10)
    room.agree(3)
    players = [Player(room.clients[name], room.id, GunnerBot(name)) for name in ("ana", "bia")]
    with ThreadPoolExecutor(len(players)) as threads:
        for done in [threads.submit(player.play) for player in players]:
            done.result(timeout=200)
    assert room.game()["result"] in ("base_destroyed", "fleet_destroyed", "draw")
    room.prove(tmp_path, capsys)
