"""One game of FORCES, told with other secrets: the capital that `r1` chooses, and what she buys and moves in a year."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.events import input_id
from tests.leaks.house import Drawn, House
from tests.leaks.story import Story, Teller, Telling
from tests.leaks.visitors import RECIPES, Heard, Recipe, Visitor, layered, visit
from tests.leaks.war import GAME, War

SEATS = ("r1", "b1", "b2", "b3")
VISITORS = ("nobody", "o1", "b1", "b2", "rx")
"""`b3` keeps everybody waiting, so that no visitor completes a phase."""
PICKED: Mapping[str, str] = {"r1": "abc", "b1": "def", "b2": "ghi", "b3": "jkl"}
"""Who picks which lands."""
ORDER = ("r1", "b1", "b2", "b3", "b3", "b2", "b1", "r1", "b3", "b2", "b1", "r1")
CHOOSING, OPEN, CLOSED, OVER = "capitals open", "year 2000 open", "year 2000 closed", "game over"
LAND = "abcdefghijkl"


def zones() -> dict[str, Any]:
    """A ring of twelve lands, each with a factory and a garrison."""
    return {
        zone: {
            "kind": "land",
            "centroid": {"x": number % 4 * 100, "y": number // 4 * 100},
            "income": 3,
            "neighbours": sorted((LAND[number - 1], LAND[(number + 1) % len(LAND)])),
            "start_forces": {"troop": 2, "tank": 2, "factory": True},
        }
        for number, zone in enumerate(LAND)
    }


class LandWar(War):
    """`r1` keeps her capital and her submissions; `rx` and `o1` have no seat."""

    def begin(self) -> None:
        """Everybody but `r1` and `b3` has chosen a capital."""
        create = {"map": {"zones": zones()}, "config": {"starting_credits": 100, "credits_public": False}}
        status, body = self._post("op", "/games", {"id": GAME, "game": "forces", "create": create}, "create")
        assert status == 201, body
        for name in SEATS:
            self.do(name, "join")
        self.do("op", "start_game")
        left = {name: list(picked) for name, picked in PICKED.items()}
        for name in ORDER:
            self.do(name, "pick_zone", {"zone": left[name].pop(0)})
        for name in ("b1", "b2"):
            self.do(name, "choose_capital", {"zone": PICKED[name][0]})
        self.pass_time()

    def reveal(self) -> None:
        """Whatever she wanted before, her capital is the same."""
        self.do("r1", "choose_capital", {"zone": "a"}, "settled")
        self.do("b3", "choose_capital", {"zone": "j"})
        self.pass_time()

    def settle(self) -> None:
        """Whatever she wanted before, her submission is the same."""
        self.do("r1", "submit_turn", {"moves": [move("a", "tank", "l")]}, "settle")
        self.pass_time()


def move(source: str, type_: str, *path: str, count: int = 1) -> dict[str, Any]:
    return {"from": source, "type": type_, "count": count, "path": list(path)}


def wavering(war: LandWar) -> None:
    """Two choices, and one that is refused."""
    war.do("r1", "choose_capital", {"zone": "b"})
    war.do("r1", "choose_capital", {"zone": "c"})
    assert war.say("r1", "choose_capital", {"zone": "d"}) == 422


def quiet(war: LandWar) -> None:
    """That she has submitted is no secret, what is (FOR-78, FOR-79)."""
    war.do("r1", "submit_turn", {}, "again")


def busy(war: LandWar) -> None:
    """Submissions of every kind, one of them twice, and refusals."""
    war.do("r1", "submit_turn", {"purchases": [{"type": "tank", "zone": "a", "count": 6}]}, "again")
    war.do("r1", "submit_turn", {"purchases": [{"type": "tank", "zone": "a", "count": 6}]}, "again")
    for count in (1, 2):
        war.do("r1", "submit_turn", {"moves": [move("c", "tank", "d", "e", count=count)]})
    assert war.say("r1", "submit_turn", {"moves": [move("c", "tank", "e")]}) == 422
    assert war.say("r1", "submit_turn", {"purchases": [{"type": "tank", "zone": "a", "count": 7}]}) == 422


def _commands(visitor: Visitor) -> None:
    """Own submissions and choices, and refusals that depend on nothing of others."""
    kind, payload = ("choose_capital", {"zone": "e"}) if visitor.when.startswith(CHOOSING) else ("submit_turn", {})
    visitor.command(kind, payload, Idempotency_Key=f"kept-{kind}")
    visitor.command(kind, payload, Prefer="respond-async")
    visitor.command("submit_turn", {"moves": [move("a", "tank", "b")]})
    visitor.command("submit_turn", {"purchases": [{"type": "ship", "zone": "a", "count": 1}]})
    visitor.command("choose_capital", {"zone": "a"})
    visitor.command("pick_zone", {"zone": "a"})
    visitor.command("close_phase", {"phase": "year", "year": 2000})
    visitor.command("no_such_command", {})
    visitor.command("submit_turn", {}, Idempotency_Key="again")


def _advice(visitor: Visitor) -> None:
    other = visitor.war.id("r1")
    for question in (
        {"type": "reach"},
        {"type": "submit_turn", "payload": {"moves": [move("a", "tank", "b")]}},
        {"type": "path", "payload": {"from": "d", "to": "a", "type": "tank"}},
        {"type": "odds", "payload": {"zone": "a", "forces": {"1": {"tank": 2}, "2": {"tank": 2}}}},
        {"type": "reach", "player": other},
        {"type": "submit_turn", "player": other},
        {},
    ):
        visitor.ask(f"/games/{GAME}/advice", question)


def _inputs(visitor: Visitor) -> None:
    RECIPES["GET /games/{game}/inputs/{id}"](visitor)
    for key in ("kept-choose_capital", "kept-submit_turn") if visitor.person else ():
        visitor.ask(f"/games/{GAME}/inputs/{input_id(GAME, visitor.war.id(visitor.who), key)}")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "forces", "create": {}})


OWN_RECIPES: Mapping[str, Recipe] = {
    **RECIPES,
    "GET /games/{game}/inputs/{id}": _inputs,
    "GET /games/{game}/map": layered("control", "forces"),
    "POST /games": _new_games,
    "POST /games/{game}/advice": _advice,
    "POST /games/{game}/commands": _commands,
}


def _told(choices: Callable[[LandWar], None] | None, orders: Callable[[LandWar], None]) -> Teller:
    """The game with these choices of a capital, and these submissions in its first year."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        heard = {}
        war = LandWar(house, drawn)
        war.begin()
        if choices is not None:
            choices(war)
        war.pass_time()
        heard[CHOOSING] = _everybody(war, drawn, CHOOSING)
        war.reveal()
        orders(war)
        war.pass_time()
        heard[OPEN] = _everybody(war, drawn, OPEN)
        war.settle()
        war.do("op", "close_phase", {"phase": "year", "year": 2000}, "close")
        war.pass_time()
        heard[CLOSED] = _everybody(war, drawn, CLOSED)
        for seat in (2, 3, 4):
            war.do("op", "remove_player", {"seat": seat, "reason": "the end"})
        war.pass_time()
        heard[OVER] = _everybody(war, drawn, OVER)
        return heard

    return tell


def _everybody(war: LandWar, drawn: Drawn, when: str) -> Heard:
    return visit(war, drawn, when, visitors=VISITORS, recipes=OWN_RECIPES)


STORY = Story(
    plain=_told(None, quiet),
    others={
        "capitals": Telling(_told(wavering, quiet), covered=CLOSED),
        "submissions": Telling(_told(None, busy), covered=CLOSED),
    },
)
