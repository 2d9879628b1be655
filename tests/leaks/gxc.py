"""A war of GXC, told with other secrets of red: orders, plans, votes and words, and so many words in turn 4."""

import os
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.leaks.house import Drawn, House
from tests.leaks.story import Story, Telling
from tests.leaks.visitors import Heard, visit
from tests.leaks.war import GAME, War
from warledger.maps import map_named

RED = ("lakeholm", "fenwick", "gorsey", "ashford")
BLUE = ("cliffe", "dunmere", "elmgate")
GREEN = ("birchwold",)
STANDING = {"r1": "ashford", "r2": "gorsey", "r3": "lakeholm", "r4": "fenwick", "rx": "gorsey"}
TEAM_OF = {"r": "red", "b": "blue", "g": "green"}
OPEN, CLOSED, OVER = "turn 3 open", "turn 3 closed", "war over"
SEEDS = range(1, 1 + int(os.environ.get("LEAK_SEEDS", "12")))
"""Tellings with secrets at random in the long form."""


class TeamWar(War):
    """Red keeps secrets; blue, green, an expelled player of red and outsiders look on.

    `b1` fights, `b2` has not entered the map, `b3` stands on High Ground, `g1` is out with her team, `rx` was expelled
    from red, `o1` has an account and no part in the game.
    """

    def begin(self) -> None:
        """Two turns after which green is out, red has the commander r1, and turn 3 is open."""
        create = {
            "map": map_named("small-eight").document(),
            "teams": {
                "red": {"name": "Red", "territories": RED},
                "blue": {"name": "Blue", "territories": BLUE},
                "green": {"name": "Green", "territories": GREEN},
            },
            "config": {"recruitment_turns": 0, "last_turn": 4},
        }
        status, body = self._post("op", "/games", {"id": GAME, "game": "gxc", "create": create}, "create")
        assert status == 201, body
        self.do("op", "start_game")
        for name in ("r1", "r2", "r3", "r4", "r5", "rx", "b1", "b2", "b3", "b4", "g1"):
            self.do(name, "join", {"team": TEAM_OF[name[0]]})
        for name, territory in {**STANDING, "b1": "elmgate", "b3": "cliffe", "b4": "cliffe", "g1": "birchwold"}.items():
            self.do(name, "place", {"territory": territory})
        self.do("op", "remove_player", {"player": self.id("rx"), "reason": "unfair"})
        for name in ("r1", "r2", "r3", "r4", "b1", "b3", "b4"):
            self.do(name, "energize")
        self.do("b4", "set_order", {"attack": {"target": "birchwold", "energy": 3}})
        for name in ("r2", "r3"):
            self.do(name, "nominate", {"kind": "commander", "target": self.id("r1")})
        for name in ("r2", "r3"):
            self.do(name, "vote", {"poll": "red-1", "choice": "yes"})
        for turn in (1, 2):
            self.close(turn)
        self.pass_time()

    def close(self, turn: int) -> None:
        """A game master closes the turn."""
        self.pass_time()
        self.do("op", "close_turn", {"turn": turn}, f"close-{turn}")

    def settle_red(self) -> None:
        """Whatever red did in turn 3, it ends in the same: everybody is in and has the same order."""
        self.say("r5", "place", {"territory": "ashford"}, "settle-place")
        for name in ("r1", "r2", "r3", "r4", "r5"):
            self.say(name, "energize", {}, f"settle-energize-{name}")
        self.do("r1", "set_order", {"defend": 2}, "settle-1")
        self.do("r2", "clear_order", {}, "settle-2")
        self.do("r3", "set_order", {"attack": {"target": "elmgate", "energy": 3}, "defend": 1}, "settle-3")
        self.do("r4", "set_order", {"defend": 1}, "settle-4")
        self.do("r5", "set_order", {"defend": 4}, "settle-5")
        self.pass_time()


def quiet(war: TeamWar) -> None:
    """Red does nothing."""


def busy(war: TeamWar) -> None:
    """Red plans, orders, replaces its orders, talks, elects and is refused."""
    for name in ("r1", "r2", "r3", "r4"):
        war.do(name, "energize")
    war.do("r5", "place", {"territory": "ashford"})
    war.do("r1", "edit_battle_plan", {"text": "All on Elmgate at once."})
    war.do("r1", "edit_battle_plan", {"text": "No: Cliffe first, then Elmgate, and Dunmere is theirs to keep for now."})
    war.do("r1", "send_team_mail", {"subject": "Tonight", "body": "We attack. Say nothing in the open."})
    war.do("r1", "set_order", {"move_to": "lakeholm", "attack": {"target": "cliffe", "energy": 4}, "defend": 1})
    war.do("r1", "set_order", {"move_to": "gorsey"}, "again")
    war.do("r1", "set_order", {"move_to": "gorsey"}, "again")
    war.do("r1", "clear_order")
    assert war.say("r2", "set_order", {"defend": 10_000}) == 422
    war.do("r2", "set_order", {"defend": 7})
    war.do("r3", "set_order", {"attack": {"target": "elmgate", "energy": 9}})
    war.do("r4", "set_order", {"move_to": "lakeholm", "defend": 5})
    war.do("r2", "nominate", {"kind": "commander", "target": war.id("r3")})
    war.do("r1", "nominate", {"kind": "spy", "target": war.id("r4")})
    war.do("r2", "vote", {"poll": "red-2", "choice": "yes"})
    war.do("r3", "vote", {"poll": "red-2", "choice": "no"})
    war.do("r2", "vote", {"poll": "red-2", "choice": "no"})
    assert war.say("r1", "activate_shield") == 422
    for number in range(5):
        war.do("r3", "chat", {"channel": "team", "text": f"Here is number {number} of what I have to say. " * number})
    war.do("op", "suspend_bonus", {"team": "red", "bonus": "empire"})
    war.do("op", "restore_bonus", {"team": "red", "bonus": "empire"})


def otherwise_busy(war: TeamWar) -> None:
    """Red does less, and something else."""
    for name in ("r3", "r2"):
        war.do(name, "energize")
    war.do("r1", "edit_battle_plan", {"text": "Stay."})
    war.do("r2", "set_order", {"move_to": "lakeholm", "attack": {"target": "birchwold", "energy": 1}})
    war.do("r4", "nominate", {"kind": "commander", "target": war.id("r2")})
    war.do("r3", "nominate", {"kind": "commander", "target": war.id("r2")})
    assert war.say("r3", "nominate", {"kind": "impeach", "target": war.id("r2")}) == 422
    war.do("r4", "chat", {"channel": "team", "text": "?"})


def at_random(seed: int) -> Callable[[TeamWar], None]:
    """Red gives commands at random, legal and illegal; no poll of it passes."""

    def secrets(war: TeamWar) -> None:
        drawn = Random(seed)
        for _ in range(drawn.randint(10, 60)):
            name = drawn.choice(("r1", "r2", "r3", "r4", "r5"))
            type, payload = drawn.choice(_choices(war, drawn, name))
            war.say(name, type, payload)
        for poll in ("red-2", "red-3", "red-4", "red-5"):
            for name in ("r1", "r2", "r3", "r4"):
                war.say(name, "vote", {"poll": poll, "choice": "no"})

    return secrets


def _choices(war: TeamWar, drawn: Random, name: str) -> list[tuple[str, dict[str, Any]]]:
    order: dict[str, Any] = {"move_to": drawn.choice(RED), "defend": drawn.randint(0, 9)}
    if name != "r4":  # she stands on Low Ground, where b3 sees whom she attacks
        order["attack"] = {"target": drawn.choice((*BLUE, *GREEN)), "energy": drawn.randint(0, 12)}
    target = war.id(drawn.choice(("r1", "r2", "r3", "r4", "r5")))
    text = "word " * drawn.randint(0, 80)
    return [
        ("energize", {}),
        ("place", {"territory": "ashford"}),
        ("set_order", order),
        ("set_order", order),
        ("clear_order", {}),
        ("nominate", {"kind": drawn.choice(("commander", "impeach", "spy")), "target": target}),
        ("vote", {"poll": f"red-{drawn.randint(1, 4)}", "choice": drawn.choice(("yes", "no"))}),
        ("edit_battle_plan", {"text": text}),
        ("send_team_mail", {"subject": "s", "body": text}),
        ("chat", {"channel": "team", "text": text}),
        ("vote_shield", {"choice": "yes"}),
    ]


SECRETS: dict[str, Callable[[TeamWar], None]] = {"quiet": quiet, "busy": busy, "otherwise busy": otherwise_busy}
"""The tellings: what red does behind its walls in turn 3."""


def talk(war: TeamWar, words: int) -> None:
    """What red does in turn 4 while blue speaks to all, all of it judged at once."""
    with war.house.at_once():
        for number in range(words):
            war.say("r3", "chat", {"channel": "team", "text": "so " * number}, f"late-{number}")
            if number == words // 2:
                war.say("r2", "nominate", {"kind": "commander", "target": war.id("r4")}, "late")
        war.say("b1", "chat", {"channel": "all", "text": "We hear nothing of you."}, "to-all-1")
        for number in range(words):
            war.say("r4", "set_order", {"defend": number}, f"later-{number}")
        war.say("b1", "chat", {"channel": "all", "text": "Still nothing."}, "to-all-2")


def _with(secrets: Callable[[TeamWar], None], words: int) -> Telling:
    """The war with these secrets in turn 3."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        war = TeamWar(house, drawn)
        heard = {}
        war.begin()
        secrets(war)
        war.pass_time()
        heard[OPEN] = visit(war, drawn, OPEN)
        war.settle_red()
        war.close(3)
        heard[CLOSED] = visit(war, drawn, CLOSED)
        talk(war, words)
        war.settle_red()
        war.close(4)
        heard[OVER] = visit(war, drawn, OVER)
        return heard

    return Telling(tell, covered=CLOSED)


STORY = Story(
    plain=_with(SECRETS["quiet"], 0).tell,
    others={"busy": _with(SECRETS["busy"], 11)},
    long={
        "otherwise busy": _with(SECRETS["otherwise busy"], 2),
        **{f"seed {seed}": _with(at_random(seed), seed) for seed in SEEDS},
    },
)
