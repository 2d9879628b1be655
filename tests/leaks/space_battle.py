"""One battle, told with other secrets of `r1`: how often and what she deploys, and where her mines lie to the end."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shared.events import input_id
from tests.leaks.house import BEGIN, Drawn, House
from tests.leaks.story import Story, Teller, Telling
from tests.leaks.visitors import RECIPES, Heard, Recipe, Visitor, visit
from tests.leaks.war import GAME, War

PLAYERS = ("r1", "b1", "b2", "g1")
VISITORS = ("nobody", "o1", "b1", "b2", "g1", "rx")
START = BEGIN + 3_600_000
HANGAR = {"space_base": 1, "scout": 4, "cruiser": 4, "battleship": 2}
CONFIG = {"move_seconds": 31_000_000, "challenge_fleet": 3}
OPEN, RUNNING, OVER = "both deploy", "the battle runs", "the battle is over"
PLAIN_MINES = ([4, 8],)
OTHER_MINES = ([5, 9], [9, 9], [10, 8])
"""Both lie where nobody moves in this story."""
Mines = Sequence[Sequence[int]]


def deployment(side: str, mines: Mines, row: int = 1, kind: str = "cruiser") -> dict[str, Any]:
    """A legal deployment; the base has but one square."""
    rear, front = (1, 2) if side == "C" else (13, 12)
    craft = [{"id": "x", "class": kind, "at": [front, row]}, {"id": "y", "class": "scout", "at": [front, row + 1]}]
    return {"base": [rear, 5], "craft": craft, "mines": [list(mine) for mine in mines]}


class Battle(War):
    """`r1` challenges `b1`; `b2` and `g1` are players of the War Room and look on, `rx` and `o1` are none."""

    def begin(self) -> None:
        """The time is agreed, and `b1` has deployed."""
        create = {"players": {self.id(name): {"hangar": HANGAR} for name in PLAYERS}, "config": CONFIG}
        status, body = self._post("op", "/games", {"id": GAME, "game": "space-battle", "create": create}, "create")
        assert status == 201, body
        self.do("r1", "issue_challenge", {"challenged": self.id("b1")})
        self.do("b1", "accept_challenge", {"challenge": 1, "number": 2, "time": START})
        self.do("r1", "agree_time", {"challenge": 1, "time": START})
        self.do("b1", "deploy", deployment("D", ([7, 9],)))
        self.pass_time()

    def settle(self, mines: Mines) -> None:
        """Whatever she deployed before, her craft stand the same; both are ready, and the battle starts."""
        self.do("r1", "deploy", deployment("C", mines), "settle-1")
        self.do("r1", "ready", {}, "ready-r1")
        self.do("b1", "ready", {}, "ready-b1")
        self.house.clock.time = START + 1000
        self.house.step()

    def fight(self) -> None:
        """A few moves in which no mine explodes, and the end."""
        self.do("b1", "move_craft", {"craft": "D:x", "to": [10, 1]}, "fight-1")
        self.do("b1", "fire", {"craft": "D:x", "target": "C:x"}, "fight-2")
        self.do("r1", "fire", {"craft": "C:x", "target": "D:x"}, "fight-3")
        self.pass_time()
        self.do("r1", "surrender", {}, "fight-4")
        self.pass_time()


def busy(war: Battle) -> None:
    """Deployments of every kind, one of them twice, and refusals."""
    for row in range(1, 8):
        war.do("r1", "deploy", deployment("C", ([4, row], [5, row])[: row % 3], row, "battleship"))
    war.do("r1", "deploy", deployment("C", ()), "again")
    war.do("r1", "deploy", deployment("C", ()), "again")
    assert war.say("r1", "deploy", deployment("D", ())) == 422
    assert war.say("r1", "deploy", deployment("C", ([1, 1],))) == 422
    assert war.say("r1", "move_craft", {"craft": "C:x", "to": [3, 1]}) == 422


def _commands(visitor: Visitor) -> None:
    """What is refused tells nothing of the craft and mines of `r1`; `b1` deploys as she did before."""
    visitor.command("deploy", deployment("D", ([7, 9],)), Idempotency_Key="kept")
    visitor.command("deploy", deployment("D", ([7, 9],)), Prefer="respond-async")
    visitor.command("deploy", deployment("C", ()), Idempotency_Key="own")
    for name in ("C:x", "C:y", "C:m1", "C:base", "D:nobody"):
        visitor.command("move_craft", {"craft": name, "to": [3, 1]})
        visitor.command("fire", {"craft": name, "target": "C:x"})
    visitor.command("move_craft", {"craft": "D:x", "to": [12, 12]})
    visitor.command("accept_challenge", {"challenge": 1, "number": 2, "time": START})
    visitor.command("withdraw", {"challenge": 2})
    visitor.command("issue_challenge", {"challenged": visitor.war.id("r1")})
    visitor.command("start_battle", {})
    visitor.command("tick", {})
    visitor.command("no_such_command", {})
    visitor.command("deploy", {}, Idempotency_Key="again")


def _advice(visitor: Visitor) -> None:
    other = visitor.war.id("r1")
    for question in (
        {"type": "reach"},
        {"type": "deploy", "payload": deployment("D", ([4, 8],))},
        {"type": "move_craft", "payload": {"craft": "D:y", "to": [12, 9]}},
        {"type": "fire", "payload": {"craft": "D:x", "target": "C:x"}},
        {"type": "reach", "player": other},
        {"type": "deploy", "player": other, "payload": deployment("C", ([4, 8],))},
        {},
    ):
        visitor.ask(f"/games/{GAME}/advice", question)


def _inputs(visitor: Visitor) -> None:
    """What covers her own deployment, too."""
    RECIPES["GET /games/{game}/inputs/{id}"](visitor)
    if visitor.person:
        visitor.ask(f"/games/{GAME}/inputs/{input_id(GAME, visitor.war.id(visitor.who), 'kept')}")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "space-battle", "create": {}})


OWN_RECIPES: Mapping[str, Recipe] = {
    **RECIPES,
    "GET /games/{game}/inputs/{id}": _inputs,
    "POST /games": _new_games,
    "POST /games/{game}/advice": _advice,
    "POST /games/{game}/commands": _commands,
}


def _told(secrets: Callable[[Battle], None] | None, mines: Mines) -> Teller:
    """The battle with these secrets before the start, and these mines."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        heard = {}
        war = Battle(house, drawn)
        war.begin()
        if secrets is not None:
            secrets(war)
        war.pass_time()
        heard[OPEN] = _everybody(war, drawn, OPEN)
        war.settle(mines)
        heard[RUNNING] = _everybody(war, drawn, RUNNING)
        war.fight()
        heard[OVER] = _everybody(war, drawn, OVER)
        return heard

    return tell


def _everybody(war: Battle, drawn: Drawn, when: str) -> Heard:
    return visit(war, drawn, when, visitors=VISITORS, recipes=OWN_RECIPES)


STORY = Story(
    plain=_told(None, PLAIN_MINES),
    others={
        "deployments": Telling(_told(busy, PLAIN_MINES), covered=RUNNING, counted=False),
        "mines": Telling(_told(busy, OTHER_MINES), covered=RUNNING, revealed=OVER, counted=False),
    },
)
