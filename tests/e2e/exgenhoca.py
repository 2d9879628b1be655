"""Games of Exgenhoca Wars for end-to-end tests, and a player who takes the first attack that the server allows."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from warledger.api import Answer, Client
from warledger.demo.installation import Installation

_PATIENCE = 30.0
_numbers = count(1)


class Table:
    """A game of six accounts by seat, and everything that their attacks were answered."""

    def __init__(self, house: Installation, **config: Any) -> None:
        self.house = house
        self.id = f"exg-{next(_numbers)}"
        self.seats = [self._account(number) for number in range(1, 7)]
        create = {"players": [account for account, _ in self.seats], "config": config}
        house.operator.judged(house.operator.post("/games", {"id": self.id, "game": "exgenhoca", "create": create}))
        house.operator.judged(house.operator.command(self.id, "start_game"))

    def _account(self, number: int) -> tuple[str, Client]:
        operator, name = self.house.operator, f"{self.id} seat {number}"
        operator.post("/accounts", {"name": name, "password": "a long password"})
        client = operator.as_token(
            operator.post("/tokens", {"name": name, "password": "a long password"}).body["token"]
        )
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
            places = self.clients[seat - 1].get(f"/games/{self.id}/map")["territories"]
            return self.say(seat, "resolve_loss", territory=next(n for n, t in places.items() if t["owner"] == seat))
        targets = self.targets(seat)
        return self.say(seat, "attack", target=targets[0]) if targets else None

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
