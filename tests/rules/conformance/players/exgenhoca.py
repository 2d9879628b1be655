"""A random player of Exgenhoca Wars: the whole board or a small one, every reading, all commands."""

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.rules.conformance.players import Canonical, Fork, Move

HOUR_MS = 3_600_000
NAMES = tuple(f"p{number}" for number in range(7))
EFFECTS = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "N1", "N2", "N3", "N4", "N5", "N6", "N7")
READINGS: Mapping[str, tuple[Any, ...]] = {
    "first_round_attacks": (1, 2, 3),
    "territories_per_extra_attack": (2, 5),
    "cooldown_rounds": (0, 1, 2),
    "inactive_in_a_row": (2, 4),
    "inactive_total": (5, 9),
    "window_rounds": (2, 5),
    "continent_loss_rounds": (1, 3),
    "europe_on_defence": (True, False),
    "inventory_public": (True, False),
    "objective_set": ("compact", "classic"),
    "max_rounds": (None, 12),
}
HARD: Mapping[str, Any] = {f"A{number}": {"min_total": 100 + number} for number in range(7)}
"""Objectives that nobody fulfils: games that go on until one is left."""


class ExgenhocaPlayer:
    """Plays Exgenhoca Wars; see `Player`."""

    def create(self, random: Random) -> Mapping[str, Any]:
        players = list(NAMES[: random.randint(2, 7)])
        random.shuffle(players)
        config = {key: random.choice(values) for key, values in READINGS.items() if random.random() < 0.5}
        if random.random() < 0.3:
            config["objective_set"] = HARD
        if random.random() < 0.3:
            return {"players": players[:3], "map": _small_map(random), "config": {**config, **_small(random)}}
        return {"players": players, "map": None, "config": config}

    def move(self, random: Random, state: Canonical) -> Move:
        if state["phase"] == "lobby":
            return Move("operator", "operator", "start_game", {})
        if random.random() < 0.06:
            return _nonsense(random, state)
        if random.random() < 0.05:
            return _host(random, state)
        active = _active(state)
        waited = [name for name in active if state["players"][name]["pending"] or _rights(state["players"][name])]
        return _player_move(random, state, random.choice(waited if waited and random.random() < 0.9 else active))

    def fork(self, random: Random, state: Canonical) -> Fork | None:
        """Policies of one player, of one and of another kind and number; others change theirs, answer and pass."""
        if state["phase"] != "running" or len(_active(state)) < 2:
            return None
        name = random.choice(_active(state))
        others = [other for other in _active(state) if other != name]
        one = [_policy(random, state, name) for _ in range(random.randint(1, 2))]
        other = [_policy(random, state, name) for _ in range(random.randint(0, 3))]
        then = [_policy(random, state, other) for other in others]
        lazy = random.choice(others)
        if len(others) > 1 and any(_rights(state["players"][item]) for item in others if item != lazy):
            then.append(_said(lazy, "pass_round"))
        return Fork(one, other, then, [*others, "public"])


PLAYER = ExgenhocaPlayer()


def _small_map(random: Random) -> Mapping[str, Any]:
    """Two rows of four territories, in three continents with advantages."""
    ids = [f"T{number}" for number in range(8)]
    edges = {(ids[i], ids[i + 1]) for i in range(7)} | {tuple(sorted(random.sample(ids, 2))) for _ in range(4)}
    territories = {
        id_: {
            "name": f"Terra {id_}",
            "label": f"Land {id_}",
            "neighbours": sorted(other for edge in sorted(edges) if id_ in edge for other in edge if other != id_),
        }
        for id_ in ids
    }
    names = random.sample(("north_america", "south_america", "europe", "africa", "asia", "oceania"), 3)
    members = (ids[:2], ids[2:4], ids[4:])
    return {
        "territories": territories,
        "continents": {name: {"name": name, "territories": held} for name, held in zip(names, members, strict=True)},
    }


def _small(random: Random) -> Mapping[str, Any]:
    effects = random.sample(EFFECTS, 2)
    objectives = {
        "A1": {"eliminate": 1},
        "A2": {"min_total": 7, "extra_continents": 1},
        "A3": {"spread": {"continents": 3, "each": 2}, "min_total": 7},
        "A4": {"eliminate": 2, "min_total": 5},
    }
    return {"shared_territories": 6, "effects": effects, "objective_set": objectives}


def _active(state: Canonical) -> list[str]:
    return [name for name in sorted(state["players"]) if state["players"][name]["status"] == "active"]


def _rights(player: Mapping[str, Any]) -> bool:
    return not player["passed"] and (player["attacks_left"] > 0 or player["global_attacks"] > 0)


def _said(name: str, type: str, **payload: Any) -> Move:
    return Move(name, "player", type, payload)


def _own(state: Canonical, name: str) -> list[str]:
    seat = state["players"][name]["seat"]
    return [item for item in sorted(state["territories"]) if state["territories"][item]["owner"] == seat]


def _foreign(state: Canonical, name: str) -> list[str]:
    own = set(_own(state, name))
    return [item for item in sorted(state["territories"]) if item not in own]


def _player_move(random: Random, state: Canonical, name: str) -> Move:
    player = state["players"][name]
    if player["pending"] == "swap" and random.random() < 0.6:
        if random.random() < 0.2:
            return _said(name, "resolve_swap", decline=True)
        return _said(
            name, "resolve_swap", give=random.choice(_own(state, name)), take=random.choice(_foreign(state, name))
        )
    if player["pending"] == "loss" and random.random() < 0.6:
        return _said(name, "resolve_loss", territory=random.choice(_own(state, name)))
    chosen = random.random()
    if chosen < 0.82:
        return _attack(random, state, name)
    if chosen < 0.92:
        return _policy(random, state, name)
    return _said(name, "pass_round" if chosen < 0.99 else "resign")


def _attack(random: Random, state: Canonical, name: str) -> Move:
    player = state["players"][name]
    own = set(_own(state, name))
    near = sorted({item for place in own for item in state["territories"][place]["neighbours"]} - own)
    fresh = [item for item in near if item not in player["cooldown"]]
    use: dict[str, Any] = {}
    held = [item["effect"] for item in player["inventory"] if item["usable_from"] <= state["round"]]
    if "P1" in held and random.random() < 0.7:
        use["plus5"] = True
    if "P6" in held and random.random() < 0.7:
        use["tie"] = True
    if "P3" in held and random.random() < 0.7:
        use["rerolls"] = random.randint(1, 2)
    targets = fresh or near or sorted(state["territories"])
    if player["global_attacks"] and random.random() < 0.6:
        use["global"] = True
        targets = _foreign(state, name)
    elif player["attacks_left"] >= 2 and player["attacked_this_round"] and random.random() < 0.4:
        use["repeat"] = True
        targets = player["attacked_this_round"]
    if random.random() < 0.08:
        targets = sorted(state["territories"])
    payload: dict[str, Any] = {"target": random.choice(targets)}
    if use or random.random() < 0.1:
        payload["use"] = use
    if random.random() < 0.05:
        payload["round"] = random.choice((state["round"], state["round"] + 1))
    return _said(name, "attack", **payload)


def _policy(random: Random, state: Canonical, name: str) -> Move:
    own = _own(state, name)
    payload: dict[str, Any] = {}
    if random.random() < 0.6:
        payload["defence_plus5"] = random.choice(("off", "next", random.sample(own, min(2, len(own)))))
    if random.random() < 0.6:
        payload["defence_rerolls"] = random.randint(0, 2)
    if random.random() < 0.6:
        payload["sa_give"] = random.sample(own, random.randint(0, min(3, len(own))))
    return _said(name, "set_policy", **payload)


def _host(random: Random, state: Canonical) -> Move:
    chosen = random.random()
    deadline = state["round_deadline"]
    if chosen < 0.5 or deadline is None:
        return Move("operator", "operator", "close_round", {"round": state["round"]}, random.randint(1, HOUR_MS))
    if chosen < 0.7:  # the clock closes before this input, perhaps twice
        return Move("operator", "operator", "shift_time", {"by_ms": HOUR_MS, "reason": "credit"}, 25 * HOUR_MS)
    if chosen < 0.95:
        payload = {"deadline": deadline + random.randint(-HOUR_MS, HOUR_MS), "reason": "schedule"}
        return Move("operator", "operator", "set_deadline", payload)
    return Move("operator", "operator", "set_deadline", {"deadline": None, "reason": "pause"})


def _nonsense(random: Random, state: Canonical) -> Move:
    name = random.choice(sorted(state["players"]))
    some = random.choice(sorted(state["territories"]))
    return random.choice(
        (
            _said(name, "fly"),
            _said(name, "attack", target="atlantis"),
            _said(name, "attack", target=some, use={"rerolls": 3}),
            _said(name, "attack", target=some, use={"global": True, "repeat": True}),
            _said(name, "attack", target=some, use={"plus5": True, "tie": True, "rerolls": 2}),
            _said(name, "attack", target=some, use={"global": True}),
            _said(name, "set_policy", defence_plus5="always"),
            _said(name, "set_policy", sa_give=["atlantis"]),
            _said(name, "set_policy", defence_rerolls=-1),
            _said(name, "resolve_swap", decline=True),
            _said(name, "resolve_swap", give=some),
            _said(name, "resolve_loss", territory=some),
            _said(name, "close_round", round=state["round"]),
            _said("stranger", "pass_round"),
            Move("operator", "operator", "close_round", {"round": state["round"] + 1}),
            Move("clock", "clock", "close_round", {"round": state["round"]}),
            Move("operator", "operator", "start_game", {}),
        )
    )
