"""A season of Exgenhoca Wars: six players to the end, with every kind of command (recorded by record.py)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.seasons.record import Season

NAMES = ("ana", "bia", "caio", "davi", "elis", "fabio")
ROUNDS = 14
HOUR = 3_600_000


def play(season: "Season") -> None:
    """The whole season."""
    create: dict[str, Any] = {"players": list(NAMES), "map": None, "config": {"max_rounds": ROUNDS}}
    season.say("operator", "create_game", game="exgenhoca", create={**create, "config": {"dice": 2}})
    season.say("operator", "create_game", game="exgenhoca", rules="1", create=create)
    season.say("ana", "attack", target="peru")
    season.say("operator", "start_game")
    while season.state()["phase"] == "running":
        number = season.state()["round"]
        _round(season, number)
        if season.state()["phase"] == "running" and season.state()["round"] == number:
            season.close()
    season.say("bia", "pass_round")


def _round(season: "Season", number: int) -> None:
    if number == 7:
        season.say("fabio", "resign")
    for name in NAMES:
        if name == "davi" and number in (9, 10):  # idle twice, and out
            continue
        if season.random.randrange(3) == 0:
            season.say(name, "set_policy", **_policy(season, name))
        for _ in range(3 if number % 4 else 6):
            state = season.state()
            if state["phase"] != "running" or state["round"] != number:
                return
            if state["players"][name]["status"] == "active":
                _act(season, state, name)
    if number == 3:
        season.say("operator", "set_deadline", deadline=None, reason="pause")
        season.at += 30 * HOUR
        season.say("operator", "set_deadline", deadline=season.at + 2 * HOUR, reason="operator")
    if number == 4:
        season.say("operator", "shift_time", by_ms=HOUR, reason="operator")
    if number == 5 and season.state()["round"] == number:
        season.say("operator", "close_round", round=number)


def _act(season: "Season", state: Mapping[str, Any], name: str) -> None:
    """A choice, an attack of any kind, or a pass; not every one is legal."""
    pick, me = season.random, state["players"][name]
    own = [id_ for id_, entry in sorted(state["territories"].items()) if entry["owner"] == me["seat"]]
    foreign = [id_ for id_ in sorted(state["territories"]) if id_ not in own]
    if me["pending"] == "swap":
        if pick.randrange(3):
            season.say(name, "resolve_swap", give=pick.choice(own), take=pick.choice(foreign))
        else:
            season.say(name, "resolve_swap", decline=True)
        return
    if me["pending"] == "loss":
        season.say(name, "resolve_loss", territory=pick.choice(own))
        return
    if not me["attacks_left"] and not me["global_attacks"]:
        return
    near = sorted({id_ for place in own for id_ in state["territories"][place]["neighbours"]} - set(own))
    fresh = [id_ for id_ in near if id_ not in me["cooldown"]]
    use: dict[str, Any] = {}
    held = {item["effect"] for item in me["inventory"] if item["usable_from"] <= state["round"]}
    if "P1" in held:
        use["plus5"] = True
    if "P6" in held:
        use["tie"] = True
    if "P3" in held:
        use["rerolls"] = 1
    target = pick.choice(fresh or near)
    if me["global_attacks"]:
        use["global"] = True
        target = pick.choice(foreign)
    elif me["attacks_left"] >= 2 and me["attacked_this_round"] and pick.randrange(2):
        use["repeat"] = True
        target = pick.choice(me["attacked_this_round"])
    season.say(name, "attack", target=target, use=use)


def _policy(season: "Season", name: str) -> dict[str, Any]:
    state = season.state()
    seat = state["players"][name]["seat"]
    own = [id_ for id_, entry in sorted(state["territories"].items()) if entry["owner"] == seat]
    return {
        "defence_plus5": season.random.choice(("off", "next", own[:2])),
        "defence_rerolls": season.random.randrange(3),
        "sa_give": own[:3],
    }
