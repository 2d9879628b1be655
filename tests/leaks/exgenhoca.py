"""One game of Exgenhoca Wars, told with other secrets: policies and items of `r1`, hidden effects, objectives."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from shared.dice import Draws, Stream
from shared.events import input_id
from shared.rules.exgenhoca import setup
from shared.rules.exgenhoca.events import to_player
from shared.rules.exgenhoca.forms import inventory_form, penalties_form
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.state import NOBODY, Item, Player, Window
from tests.leaks.house import Drawn, House
from tests.leaks.story import Story, Teller, Telling
from tests.leaks.visitors import RECIPES, Heard, Recipe, Visitor, visit
from tests.leaks.war import GAME, War

SEATS = ("r1", "b1", "b2", "b3", "b4", "g1")
VISITORS = ("nobody", "o1", "b1", "b2", "g1", "rx")
ROUNDS = 3
OPEN, CLOSED, OVER = "round 2 open", "round 2 closed", "game over"


class Campaign(War):
    """`r1` keeps policies; the others play in the open, `rx` and `o1` have no seat."""

    _attacks = 0

    def begin(self) -> None:
        """Round 2 is open: everybody attacked once."""
        config = {"max_rounds": ROUNDS, "inventory_public": False, "cooldown_rounds": 0}
        create = {"players": [self.id(name) for name in SEATS], "config": config}
        status, body = self._post("op", "/games", {"id": GAME, "game": "exgenhoca", "create": create}, "create")
        assert status == 201, body
        self.do("op", "start_game")
        for name in SEATS:
            self.attack(name)
        if self._look("op", "")["round"] == 1:
            self.close(1)
        self.pass_time()

    def attack(self, name: str) -> None:
        """Attack the first territory of another player that may be attacked: nothing hidden lies under an owner."""
        _, told = self._post(name, f"/games/{GAME}/advice", {"type": "reach"}, f"reach-{name}")
        owners = self._look(name, "/map")["territories"]
        allowed = [id for id, item in told["targets"].items() if item["allowed"] and owners[id]["owner"] is not None]
        if allowed and told["refusal"] is None:
            self._attacks += 1
            self.do(name, "attack", {"target": allowed[0]}, f"attack-{self._attacks}")

    def close(self, turn: int) -> None:
        """A game master closes the round."""
        self.pass_time()
        self.do("op", "close_round", {"round": turn}, f"close-{turn}")

    def settle(self) -> None:
        """Whatever she wanted before, her policy ends the same."""
        policy = {"defence_plus5": "off", "defence_rerolls": 1, "sa_give": []}
        self.do("r1", "set_policy", policy, "settle")
        self.pass_time()

    def _look(self, name: str, page: str) -> Any:
        headers = {"Authorization": f"Bearer {self.people[name].token}"}
        return self._client.get(f"/games/{GAME}{page}", headers=headers).get_json()


def busy(war: Campaign) -> None:
    """Policies of every kind, one of them twice, and refusals."""
    for rerolls in range(7):
        war.do("r1", "set_policy", {"defence_rerolls": rerolls})
    war.do("r1", "set_policy", {"defence_plus5": "next"}, "again")
    war.do("r1", "set_policy", {"defence_plus5": "next"}, "again")
    war.do("r1", "set_policy", {"defence_plus5": ["brasil", "egito"], "sa_give": ["peru", "brasil"]})
    assert war.say("r1", "set_policy", {"defence_plus5": "always"}) == 422
    assert war.say("r1", "attack", {"target": "atlantis"}) == 422
    assert war.say("r1", "resolve_loss", {"territory": "brasil"}) == 422


def hide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Territories are dealt as ever; other effects lie elsewhere, and who does not look has another objective."""
    place, substituted = setup._place_tokens, setup._substituted

    def placed(play: Play, stream: Draws) -> None:
        stream.shuffle(list(range(list(play.state.owner).count(NOBODY))))  # what comes after is dealt as ever
        place(play, Stream(b"elsewhere", setup.SCOPE))

    def dealt(play: Play, player: Player, objective: Mapping[str, Any]) -> dict[str, Any]:
        wanted: dict[str, Any] = {"id": "O07", "eliminate": None, "spread": None, "continents": [], "min_total": 15}
        unseen = SEATS[player.seat - 1] not in VISITORS
        return substituted(play, player, {**objective, **wanted} if unseen else objective)

    monkeypatch.setattr(setup, "_place_tokens", placed)
    monkeypatch.setattr(setup, "_substituted", dealt)


def give(monkeypatch: pytest.MonkeyPatch) -> None:
    """`r1` holds items and penalties from the start on, none of which enters a roll of this story."""
    deal = setup._deal_objectives
    items = (Item("P1", 1, 9), Item("P2", 1, 9), Item("P2", 1, 9), Item("P6", 1, None))

    def dealt(play: Play, stream: Draws) -> None:
        deal(play, stream)
        seat = 1 + SEATS.index("r1")
        player = play.player(seat)
        penalties = player.penalties._replace(stored_continent_loss=2, no_repeat=Window(1, 9))
        held = {"inventory": inventory_form(items), "penalties": penalties_form(penalties)}
        play.emit("effect_applied", {"seat": seat, "effect": "P2", **held}, to_player(player.id))

    monkeypatch.setattr(setup, "_deal_objectives", dealt)


def _commands(visitor: Visitor) -> None:
    """What is refused tells nothing of policies, objectives and hidden effects; nothing here throws dice."""
    visitor.command("set_policy", {"defence_rerolls": 1}, Idempotency_Key="kept")
    visitor.command("set_policy", {"sa_give": ["brasil"]}, Prefer="respond-async")
    visitor.command("set_policy", {"defence_plus5": "never"}, Idempotency_Key="own")
    visitor.command("attack", {"target": "atlantis"})
    visitor.command("attack", {"target": "brasil", "use": {"global": True}})
    visitor.command("attack", {"target": "egito", "use": {"repeat": True}})
    visitor.command("resolve_swap", {"give": "brasil", "take": "egito"})
    visitor.command("resolve_loss", {"territory": "brasil"})
    visitor.command("close_round", {"round": 2})
    visitor.command("no_such_command", {})
    visitor.command("set_policy", {}, Idempotency_Key="again")


def _advice(visitor: Visitor) -> None:
    other = visitor.war.id("r1")
    for question in (
        {"type": "reach"},
        {"type": "items"},
        {"type": "attack", "payload": {"target": "brasil"}},
        {"type": "attack", "payload": {"target": "egito", "use": {"rerolls": 1}}, "assume": {"rerolls": 1}},
        {"type": "reach", "player": other},
        {"type": "items", "player": other},
        {},
    ):
        visitor.ask(f"/games/{GAME}/advice", question)


def _inputs(visitor: Visitor) -> None:
    """What her own attacks were answered, dice and certificates included, and what covers her own policy."""
    RECIPES["GET /games/{game}/inputs/{id}"](visitor)
    for key in ("kept", *(f"attack-{number}" for number in range(1, 10))) if visitor.person else ():
        visitor.ask(f"/games/{GAME}/inputs/{input_id(GAME, visitor.war.id(visitor.who), key)}")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "exgenhoca", "create": {}})


OWN_RECIPES: Mapping[str, Recipe] = {
    **RECIPES,
    "GET /games/{game}/inputs/{id}": _inputs,
    "POST /games": _new_games,
    "POST /games/{game}/advice": _advice,
    "POST /games/{game}/commands": _commands,
}


def _told(secrets: Callable[[Campaign], None] | None, dealt: Callable[[pytest.MonkeyPatch], None] | None) -> Teller:
    """The game with these secrets in round 2, and perhaps dealt otherwise."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        heard = {}
        with pytest.MonkeyPatch.context() as patches:
            if dealt is not None:
                dealt(patches)
            war = Campaign(house, drawn)
            war.begin()
        if secrets is not None:
            secrets(war)
        war.pass_time()
        heard[OPEN] = _everybody(war, drawn, OPEN)
        war.settle()
        for name in ("b1", "b2"):
            war.attack(name)
        war.close(2)
        heard[CLOSED] = _everybody(war, drawn, CLOSED)
        war.close(3)
        heard[OVER] = _everybody(war, drawn, OVER)
        return heard

    return tell


def _everybody(war: Campaign, drawn: Drawn, when: str) -> Heard:
    return visit(war, drawn, when, visitors=VISITORS, recipes=OWN_RECIPES)


STORY = Story(
    plain=_told(None, None),
    others={
        "policies": Telling(_told(busy, None), covered=CLOSED, counted=False),
        "items and penalties": Telling(_told(None, give), covered=OPEN),
        "effects and objectives": Telling(_told(None, hide), covered=OPEN, revealed=OVER),
    },
)
