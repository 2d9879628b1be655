"""One game of Exgenhoca Wars, told with different secrets: policies of `r1`, hidden effects, objectives."""

from collections.abc import Mapping
from typing import Any

import pytest

from shared.dice import Draws, Stream
from shared.events import input_id
from shared.rules.exgenhoca import setup
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.state import NOBODY, Player
from tests.leaks.visitors import RECIPES, Recipe, Visitor
from tests.leaks.war import GAME, War

SEATS = ("r1", "b1", "b2", "b3", "b4", "g1")
VISITORS = ("nobody", "o1", "b1", "b2", "g1", "rx")
ROUNDS = 3


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


def quiet(war: Campaign) -> None:
    """No policy but that in which all ends."""


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


def _commands(visitor: Visitor) -> None:
    """What is refused tells nothing of policies, objectives and hidden effects; nothing here throws dice."""
    visitor.command("set_policy", {"defence_rerolls": 1})
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
    """What her own attacks were answered, dice and certificates included."""
    RECIPES["GET /games/{game}/inputs/{id}"](visitor)
    for number in range(1, 10) if visitor.person else ():
        visitor.ask(f"/games/{GAME}/inputs/{input_id(GAME, visitor.war.id(visitor.who), f'attack-{number}')}")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "exgenhoca", "create": {}})


OWN_RECIPES: Mapping[str, Recipe] = {
    **RECIPES,
    "GET /games/{game}/inputs/{id}": _inputs,
    "POST /games": _new_games,
    "POST /games/{game}/advice": _advice,
    "POST /games/{game}/commands": _commands,
}
