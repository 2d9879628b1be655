"""A game of Map War 3 with closed submissions, told with other secrets: orders of `r1`, her offers to and from `r2`."""

from collections.abc import Callable, Mapping

from shared.events import input_id
from tests.leaks.house import Drawn, House
from tests.leaks.story import Story, Telling
from tests.leaks.visitors import RECIPES, Heard, Recipe, Visitor, layered, visit
from tests.leaks.war import GAME, War

SEATS = ("r1", "r2", "b1", "b2", "b3")
VISITORS = ("nobody", "o1", "b1", "b2", "rx")
SIZE = 15
STOCK = {"currency": 5_000, "resources": 3_000, "food": 5_000, "technology": 2_000}
OPEN, CLOSED, LATER = "turn 2 open", "turn 2 closed", "turn 3 closed"


class Nations(War):
    """`r1` keeps orders, `r1` and `r2` deal with each other; the others look on, `rx` and `o1` have no nation."""

    def begin(self) -> None:
        """Everybody has a start; turn 2 is open, everybody but b3 has submitted, and b1 has offered b2 a deal."""
        zones = {
            f"z{number:02}": {
                "kind": "sea" if number % 5 == 4 else "land",
                "neighbours": sorted({f"z{(number - 1) % SIZE:02}", f"z{(number + 1) % SIZE:02}"}),
                "city_max": 0 if number % 5 == 4 else 3,
                "name": f"Zone {number}",
                "centroid": {"x": number % 5 * 100, "y": number // 5 * 100},
            }
            for number in range(SIZE)
        }
        config = {"open_submissions": False, "start_stock": STOCK}
        create = {"map": {"zones": zones}, "players": [self.id(name) for name in SEATS], "config": config}
        status, body = self._post("op", "/games", {"id": GAME, "game": "map-war", "create": create}, "create")
        assert status == 201, body
        self.do("op", "start_game")
        for number, name in enumerate(SEATS):
            start = {"zone": f"z{3 * number:02}", "name": f"Nation {number}", "color": f"#0000A{number}"}
            self.do(name, "choose_start", start)
        for name in ("r1", "r2", "b1", "b2"):
            self.do(name, "submit_turn", {})
        self.do("b1", "offer", {"kind": "agreement", "to": self.id("b2"), "good": "food"})
        self.pass_time()

    def close(self, turn: int) -> None:
        """A game master closes the turn."""
        self.pass_time()
        self.do("op", "close_turn", {"turn": turn}, f"close-{turn}")

    def settle(self) -> None:
        """Whatever she wanted before, her orders end the same."""
        self.do("r1", "submit_turn", {"claims": ["z01"]}, "settle")
        self.pass_time()


def busy(war: Nations) -> None:
    """Orders of every kind, faulty ones the last, and refusals; offers that are made, accepted, declined, withdrawn."""
    for number in range(7):
        war.do("r1", "submit_turn", {"claims": [f"z{number:02}"]})
    war.do("r1", "submit_turn", {"builds": [{"zone": "z00", "structure": "industry"}]}, "again")
    war.do("r1", "submit_turn", {"builds": [{"zone": "z00", "structure": "industry"}]}, "again")
    assert war.say("r1", "submit_turn", {"claims": ["atlantis"]}) == 422
    for deal, good in enumerate(("food", "currency", "resources"), 2):
        war.do("r1", "offer", {"kind": "agreement", "to": war.id("r2"), "good": good})
        war.do("r2" if deal % 2 else "r1", "decline", {"deal": deal})
    war.do("r2", "offer", {"kind": "exchange", "to": war.id("r1"), "give": {"currency": 500}, "get": {"food": 1}})
    war.do("r1", "offer", {"kind": "sale", "to": war.id("r2"), "zone": "z00"})
    assert war.say("r2", "accept", {"deal": 5}) == 422
    war.do("r1", "submit_turn", {"conquests": [{"zone": "z03"}, {"zone": "z02"}], "claims": ["z02", "z00"]})


def _commands(visitor: Visitor) -> None:
    """Neither what is accepted nor what is refused tells of orders and offers of others."""
    visitor.command("submit_turn", {"claims": ["z13"]}, Idempotency_Key=f"stored-{visitor.when}")
    visitor.command("submit_turn", {"builds": [{"zone": "z00", "structure": "city"}]})
    visitor.command("submit_turn", {})
    if visitor.who == "b2":
        visitor.command("accept", {"deal": 1}, Idempotency_Key="agreed")
    visitor.command("submit_turn", {"turn": 9}, Idempotency_Key="kept")
    visitor.command("submit_turn", {"claims": "all"}, Prefer="respond-async")
    for deal in (2, 3, 6, 9):
        visitor.command("accept", {"deal": deal})
        visitor.command("decline", {"deal": deal})
    visitor.command("end_agreement", {"deal": 1}, Idempotency_Key="own")
    visitor.command("offer", {"kind": "sale", "to": visitor.war.id("r1"), "good": "food", "amount": 10**9})
    visitor.command("close_turn", {"turn": 2})
    visitor.command("rejoin", {})
    visitor.command("no_such_command", {})
    visitor.command("rejoin", {}, Idempotency_Key="again")


def _advice(visitor: Visitor) -> None:
    for question in (
        {"type": "submit_turn", "payload": {"claims": ["z01"], "conquests": [{"zone": "z00"}]}},
        {"type": "quote", "order": "conquest", "zone": "z00"},
        {"type": "quote"},
        {"type": "deal", "payload": {"kind": "sale", "to": visitor.war.id("r1"), "good": "food", "amount": 5}},
        {},
    ):
        visitor.ask(f"/games/{GAME}/advice", question)


def _quotes(visitor: Visitor) -> None:
    for query in (
        "",
        "?order=claim&zone=z01",
        "?order=conquest&zone=z00&support=1",
        "?order=build&zone=z00&structure=industry",
        "?order=sale&zone=z00",
        "?order=sale&good=food&amount=5",
        "?zone=z00",
        "?order=none",
    ):
        visitor.ask(f"/games/{GAME}/quotes{query}")


def _inputs(visitor: Visitor) -> None:
    RECIPES["GET /games/{game}/inputs/{id}"](visitor)
    for key in ("kept", "own", f"stored-{OPEN}", "agreed") if visitor.person else ():
        visitor.ask(f"/games/{GAME}/inputs/{input_id(GAME, visitor.war.id(visitor.who), key)}")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "map-war", "create": {}})


OWN_RECIPES: Mapping[str, Recipe] = {
    **RECIPES,
    "GET /games/{game}/inputs/{id}": _inputs,
    "GET /games/{game}/map": layered("control", "pollution", "pieces"),
    "GET /games/{game}/quotes": _quotes,
    "POST /games": _new_games,
    "POST /games/{game}/advice": _advice,
    "POST /games/{game}/commands": _commands,
}


def _told(secrets: Callable[[Nations], None] | None) -> Callable[[House, Drawn], Mapping[str, Heard]]:
    """The game with these secrets in turn 2."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        war = Nations(house, drawn)
        heard = {}
        war.begin()
        if secrets is not None:
            secrets(war)
        war.pass_time()
        heard[OPEN] = visit(war, drawn, OPEN, visitors=VISITORS, recipes=OWN_RECIPES)
        war.settle()
        war.close(2)
        heard[CLOSED] = visit(war, drawn, CLOSED, visitors=VISITORS, recipes=OWN_RECIPES)
        war.close(3)
        heard[LATER] = visit(war, drawn, LATER, visitors=VISITORS, recipes=OWN_RECIPES)
        return heard

    return tell


STORY = Story(plain=_told(None), others={"orders and offers": Telling(_told(busy), covered=CLOSED)})
