"""The people of a story of the leak test and what they say; how the game begins is the story's own."""

from dataclasses import dataclass
from typing import Any

from tests.leaks.house import Drawn, House

GAME = "war"
TRACE = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
PEOPLE = ("op", "r1", "r2", "r3", "r4", "r5", "rx", "b1", "b2", "b3", "b4", "g1", "o1")
"""Names of accounts; `op` is an operator, `r1` keeps the secrets, `o1` has no part in any game."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account."""

    name: str
    id: str
    token: str


class War:
    """Everybody has an account and gives commands to the one game of a house; a story is told by a subclass."""

    def __init__(self, house: House, drawn: Drawn) -> None:
        self.house = house
        self._drawn = drawn
        self._count = 0
        self._client = house.apps["gateway"].test_client()
        self.people: dict[str, Person] = {}
        for name in PEOPLE:
            drawn.begin(name)
            self.people[name] = Person(name, *house.account(name, "operator" if name == "op" else "player"))

    def id(self, name: str) -> str:
        """The account id of somebody."""
        return self.people[name].id

    def say(self, name: str, type: str, payload: dict[str, Any] | None = None, key: str | None = None) -> int:
        """Give a command; returns the status."""
        self._count += 1
        key = key or f"{name}-{self._count}"
        answer = self._post(name, f"/games/{GAME}/commands", {"type": type, "payload": payload or {}}, key)
        return answer[0]

    def do(self, name: str, type: str, payload: dict[str, Any] | None = None, key: str | None = None) -> None:
        """Give a command that is accepted."""
        status = self.say(name, type, payload, key)
        assert status == 201, (name, type, payload, status)

    def pass_time(self) -> None:
        """The same second goes by in every telling."""
        self.house.clock.time += 1000

    def _post(self, name: str, path: str, body: Any, key: str) -> tuple[int, Any]:
        self._drawn.begin(key)
        headers = {
            "Authorization": f"Bearer {self.people[name].token}",
            "Idempotency-Key": key,
            "traceparent": TRACE,
        }
        answer = self._client.post(path, json=body, headers=headers)
        return answer.status_code, answer.get_json()
