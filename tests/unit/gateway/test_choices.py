"""Over HTTP: a prize or a penalty asks its finder something (EXG-43, EXG-44); a chance says what it does not know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.leaks.house import Drawn, House
from tests.leaks.war import GAME, War

SEATS = ("r1", "b1", "g1")


class Board(War):
    """A game of three in which the same effect lies everywhere."""

    def begin(self, effect: str) -> None:
        """Round 2 is open."""
        config = {"effects": [effect] * 14, "first_round_attacks": 9, "cooldown_rounds": 0, "inventory_public": False}
        create = {"players": [self.id(name) for name in SEATS], "config": config}
        status, body = self._post("op", "/games", {"id": GAME, "game": "exgenhoca", "create": create}, "create")
        assert status == 201, body
        self.do("op", "start_game")

    def asked(self, name: str, question: dict[str, Any]) -> Any:
        """The answer of the rules."""
        return self._post(name, f"/games/{GAME}/advice", question, f"{name}-asks")[1]

    def command(self, name: str, type: str, **payload: Any) -> tuple[int, Any]:
        """Status and body of the answer to a command."""
        self._count += 1
        sent = {"type": type, "payload": payload}
        return self._post(name, f"/games/{GAME}/commands", sent, f"{name}-{self._count}")

    def page(self, name: str, page: str, form: str = "application/json") -> Any:
        """A page as she gets it."""
        headers = {"Authorization": f"Bearer {self.people[name].token}", "Accept": form}
        answer = self._client.get(f"/games/{GAME}{page}", headers=headers)
        assert answer.status_code == 200
        return answer.get_json() if form == "application/json" else answer.text

    def own(self, name: str) -> dict[str, Any]:
        """A player as she sees herself."""
        found: dict[str, Any] = self.page(name, "/orders")["players"][self.id(name)]
        return found

    def free(self, name: str) -> list[str]:
        """What nobody holds and she may attack."""
        owners = self.page(name, "/map")["territories"]
        targets = self.asked(name, {"type": "reach"})["targets"]
        return [id for id, item in targets.items() if item["allowed"] and owners[id]["owner"] is None]

    def find(self) -> str:
        """Somebody attacks what is free until she finds the effect; returns who."""
        for name in SEATS:
            while self.own(name)["attacks_left"] and (free := self.free(name)):
                status, body = self.command(name, "attack", target=free[0])
                assert status == 201
                if any(event["type"].startswith("warledger.exgenhoca.choice_pending") for event in body["outcome"]):
                    return name
        raise AssertionError("nobody took anything")

    def held(self, name: str, *, own: bool) -> list[str]:
        """Her territories, or all others."""
        seat, places = self.own(name)["seat"], self.page(name, "/map")["territories"]
        return [id for id, place in places.items() if (place["owner"] == seat) == own]


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    house = House(tmp_path)
    yield Board(house, Drawn(monkeypatch))
    house.close()


@pytest.mark.parametrize(("effect", "pending", "other"), [("P7", "swap", "loss"), ("N3", "loss", "swap")])
def test_a_choice_blocks_attacks_is_told_and_answered(board: Board, effect: str, pending: str, other: str) -> None:
    board.begin(effect)
    finder = board.find()
    assert board.own(finder)["pending"] == pending
    newest = board.page(finder, "/notices")["notices"][0]
    assert (newest["code"], newest["data"]["choice"]) == ("choice_pending", pending)
    assert newest["text"] in board.page(finder, "", "text/html")
    mine, others = board.held(finder, own=True), board.held(finder, own=False)
    payloads = {"swap": {"give": mine[0], "take": others[0]}, "loss": {"territory": mine[0]}}
    for type, payload, code in (
        ("attack", {"target": others[0]}, "pending_choice"),
        ("pass_round", {}, "pending_choice"),
        (f"resolve_{other}", payloads[other], "no_pending"),
    ):
        status, body = board.command(finder, type, **payload)
        assert (status, body["code"]) == (422, code)
    status, body = board.command(finder, f"resolve_{pending}", **payloads[pending])
    assert status == 201
    assert board.own(finder)["pending"] is None
    assert mine[0] not in board.held(finder, own=True)


@pytest.mark.parametrize(("effect", "lost"), [("P7", 0), ("N3", 1)])
def test_a_choice_that_is_not_answered_is_decided_at_the_close(board: Board, effect: str, lost: int) -> None:
    board.begin(effect)
    finder = board.find()
    before = len(board.held(finder, own=True))
    board.do("op", "close_round", {"round": 1})
    assert board.own(finder)["pending"] is None
    assert len(board.held(finder, own=True)) == before - lost


def test_a_chance_says_that_it_does_not_know_the_penalties_of_others(board: Board) -> None:
    """EXG-66: items and penalties are secret here."""
    board.begin("N2")
    owners = board.page("r1", "/map")["territories"]
    for target, place in owners.items():
        answer = board.asked("r1", {"type": "attack", "payload": {"target": target}})
        assert answer.get("unknown") == (["penalties"] if place["owner"] in (2, 3) else None)
