"""Games of Exgenhoca Wars for end-to-end tests, and a player who takes the first attack that the server allows."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from warledger.api import Answer, Client
from warledger.demo.installation import Installation

_PATIENCE = 60.0
_PASSWORD = "a long password"
_numbers = count(1)


class Table:
    """A game of six accounts by seat, and everything that their attacks were answered."""

    def __init__(self, house: Installation, *, start: bool = True, **config: Any) -> None:
        self.house = house
        self.id = f"exg-{next(_numbers)}"
        for name in self._names():
            house.operator.post("/accounts", {"name": name, "password": _PASSWORD})
        self.log_in()
        create = {"players": [account for account, _ in self.seats], "config": config}
        house.operator.judged(house.operator.post("/games", {"id": self.id, "game": "exgenhoca", "create": create}))
        if start:
            self.start()

    def start(self) -> None:
        """A game master starts the game."""
        self.house.operator.judged(self.house.operator.command(self.id, "start_game"))

    def log_in(self) -> None:
        """Everybody gets a token of the house in which the game is."""
        self.seats = [self._token(name) for name in self._names()]

    def _names(self) -> list[str]:
        return [f"{self.id} seat {number}" for number in range(1, 7)]

    def _token(self, name: str) -> tuple[str, Client]:
        operator = self.house.operator
        client = operator.as_token(operator.post("/tokens", {"name": name, "password": _PASSWORD}).body["token"])
        return str(client.get("/accounts/me")["id"]), client

    @property
    def clients(self) -> list[Client]:
        return [client for _, client in self.seats]

    def game(self) -> Any:
        """The game as everybody sees it."""
        return self.house.operator.get(f"/games/{self.id}")

    def own(self, seat: int) -> dict[str, Any]:
        """A player as she sees herself."""
        account, client = self.seats[seat - 1]
        found: dict[str, Any] = client.get(f"/games/{self.id}/orders")["players"][account]
        return found

    def places(self) -> dict[str, Any]:
        """The territories as everybody sees them."""
        found: dict[str, Any] = self.house.operator.get(f"/games/{self.id}/map")["territories"]
        return found

    def targets(self, seat: int) -> list[str]:
        """What she may attack now."""
        if self.game()["phase"] != "running" or self.own(seat)["status"] != "active":
            return []
        told = self.clients[seat - 1].post(f"/games/{self.id}/advice", {"type": "reach"}).body
        return [] if told["refusal"] else [name for name, item in told["targets"].items() if item["allowed"]]

    def say(self, seat: int, type: str, **payload: Any) -> Answer:
        """Give a command; the answer once it is judged."""
        client = self.clients[seat - 1]
        return client.judged(client.command(self.id, type, payload))

    def act(self, seat: int) -> Answer | None:
        """Answer what is pending, else attack the first target that is allowed; None if there is nothing to do."""
        pending = self.own(seat)["pending"]
        if pending == "swap":
            return self.say(seat, "resolve_swap", decline=True)
        if pending == "loss":
            own = next(id for id, place in self.places().items() if place["owner"] == seat)
            return self.say(seat, "resolve_loss", territory=own)
        targets = self.targets(seat)
        return self.say(seat, "attack", target=targets[0]) if targets else None

    def everybody_acts(self) -> None:
        """Each player does one thing, if there is something to do; else a game master closes the round."""
        acted = [self.act(seat) for seat in range(1, 7)]
        if not any(acted) and self.game()["phase"] == "running":
            self.say_as_master("close_round", round=self.game()["round"])

    def say_as_master(self, type: str, **payload: Any) -> Answer:
        """A game master's command; the answer once it is judged."""
        return self.house.operator.judged(self.house.operator.command(self.id, type, payload))

    def play_to_the_end(self) -> None:
        while self.game()["phase"] == "running":
            self.everybody_acts()

    def await_(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < end, f"{what} did not come within {_PATIENCE} seconds"
            time.sleep(0.05)


def named(answer: Answer, name: str) -> list[dict[str, Any]]:
    """Data of the outcomes of this name in the answer to a write."""
    return [
        item["data"] for item in answer.body["outcome"] if item["type"].split(".", 2)[2].rpartition(".v")[0] == name
    ]
