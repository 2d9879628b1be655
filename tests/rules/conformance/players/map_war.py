"""A random player of Map War 3: small maps of land and sea, every reading, all commands, rich nations and poor ones."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.rules.conformance.players import Canonical, Fork, Move

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NAMES = tuple(f"p{number}" for number in range(5))
STRUCTURES = ("city", "industry", "agriculture", "commerce", "defense", "research")
READINGS: Mapping[str, tuple[Any, ...]] = {
    "turn_days": (7, {"seconds": 3600}),
    "fix_days": (4, {"seconds": 1800}),
    "non_adjacent_factor": (1, 3),
    "defense_multiplier": (1, 4),
    "reduction_mode": ("multiplicative", "additive"),
    "captured_armies": ("destroyed", "captured"),
    "pollution_affects_tech": (True, False),
    "riot_base_pct": (5, 60, 100),
    "barbaria_spread_pct": (10, 50),
    "barbaria_spread_per": ("zone", "nation"),
    "rulerless_protection_turns": (0, 1, 4),
    "decay_riots": (1, 2),
    "npc_ownerless_pct": (2, 30),
    "inactive_turns_to_rulerless": (None, 1, 3),
    "sale_payer": ("buyer", "bank"),
    "open_submissions": (True, False),
    "late_join": (True, False),
}


class MapWarPlayer:
    """Plays Map War 3; see `Player`."""

    def create(self, random: Random) -> Mapping[str, Any]:
        zones = a_map(random, random.randint(6, 20))
        config: dict[str, Any] = {key: random.choice(of) for key, of in READINGS.items() if random.random() < 0.4}
        if random.random() < 0.8:
            rich = {"currency": 60_000, "resources": 20_000, "food": 5_000, "technology": 3_000}
            config["start_stock"] = {good: random.randint(0, most) for good, most in rich.items()}
        npcs = [{"id": "nix", "zone": min(zones), "name": "Nix", "color": "#334455"}] if random.random() < 0.6 else []
        players = random.sample(NAMES, random.randint(0, 4))
        return {"map": {"zones": zones}, "players": players, "npcs": npcs, "config": config}

    def move(self, random: Random, state: Canonical) -> Move:
        if random.random() < 0.06:
            return _nonsense(random, state)
        if state["opened_at"] is None:
            if len(state["players"]) < 2 or random.random() < 0.3:
                return _said(random.choice(NAMES), "join")
            return Move("operator", "operator", "start_game", {})
        founded = any(nation["player"] is not None for nation in state["nations"].values())
        if founded and random.random() < 0.06:
            return _host(random, state)
        if state["phase"] == "start":
            return _start(random, state)
        if state["phase"] == "fix":
            return _fix(random, state)
        if random.random() < 0.04:
            return _start(random, state) if random.random() < 0.6 else _said(random.choice(NAMES), "join")
        nations = [item for item in sorted(state["nations"]) if state["nations"][item]["player"] is not None]
        if not nations:
            return _close(state, random)
        missing = [item for item in nations if state["nations"][item]["submission"] is None]
        name = random.choice(missing if missing and random.random() < 0.7 else nations)
        if state["nations"][name]["kind"] == "rulerless":
            return _said(name, "rejoin") if random.random() < 0.5 else _close(state, random)
        if random.random() < 0.25:
            return trade(random, state, name)
        if random.random() < 0.01:
            return _said(name, "abandon")
        return _said(name, "submit_turn", **orders(random, state, name))

    def fork(self, random: Random, state: Canonical) -> Fork | None:
        """Two offers between the same nations, or two submissions where they are closed."""
        if state["phase"] != "orders":
            return None
        rulers = [item for item in sorted(state["nations"]) if state["nations"][item]["kind"] == "player"]
        rulers = [item for item in rulers if state["nations"][item]["status"] == "active"]
        if len(rulers) < 2:
            return None
        one, two = random.sample(rulers, 2)
        viewers = [item for item in sorted(state["players"]) if item not in (one, two)]
        if state["config"]["open_submissions"] or random.random() < 0.5:
            goods = random.sample(("food", "currency", "resources"), 2)
            offers = [[_said(one, "offer", kind="agreement", to=two, good=good)] for good in goods]
            return Fork(offers[0], offers[1], [], viewers)
        first, second = (
            [_said(one, "submit_turn", moves=[], cancels=_cancel(state, one, number))] for number in (0, 1)
        )
        if state["nations"][two]["submission"] is not None:
            return None
        return Fork(first, second, [], [*viewers, two])


PLAYER = MapWarPlayer()


def a_map(random: Random, size: int) -> dict[str, Any]:
    """A connected map: a line of zones with some edges more."""
    ids = [f"z{number:02}" for number in range(size)]
    edges = {(number - 1, number) for number in range(1, size)}
    for _ in range(size):
        one, other = sorted(random.sample(range(size), 2))
        edges.add((one, other))
    zones: dict[str, Any] = {}
    for number, id_ in enumerate(ids):
        sea = random.random() < 0.3
        near = sorted({ids[a if b == number else b] for a, b in edges if number in (a, b)})
        zones[id_] = {
            "kind": "sea" if sea else "land",
            "neighbours": near,
            "city_max": 0 if sea else random.randint(0, 6),
        }
    return zones


def orders(random: Random, state: Canonical, name: str) -> dict[str, Any]:
    """A submission, mostly without faults."""
    zones = state["zones"]
    own = [item for item in sorted(zones) if zones[item]["owner"] == name]
    near = sorted({other for item in own for other in zones[item]["neighbours"]}) or sorted(zones)
    near = near if random.random() < 0.9 else sorted(zones)
    free = [item for item in near if zones[item]["owner"] is None]
    foreign = [item for item in near if zones[item]["owner"] not in (None, name)]
    given: dict[str, Any] = {"turn": state["turn"]}
    if free and random.random() < 0.6:
        given["claims"] = random.sample(free, min(len(free), random.randint(1, 2)))
    if foreign and random.random() < 0.5:
        target = random.choice(foreign)
        given["conquests"] = [{"zone": target, "support": _support(random, state, name, target)}]
    if own and random.random() < 0.8:
        given["builds"] = [_build(random, state, item) for item in random.sample(own, min(len(own), 2))]
    under = [(item, name_) for item in own for name_ in zones[item]["building"]]
    if under and random.random() < 0.15:
        item, structure = random.choice(under)
        given["cancels"] = [{"zone": item, "structure": structure}]
    used = set(given.get("conquests", [{}])[0].get("support", []))
    moves = [move for piece in _pieces(state, name) if piece["id"] not in used for move in _move(random, state, piece)]
    if moves:
        given["moves"] = moves
    return given


def _said(name: str, type: str, /, **payload: Any) -> Move:
    return Move(name, "player", type, payload)


def _pieces(state: Canonical, name: str) -> list[Any]:
    return [piece for piece in state["pieces"].values() if piece["nation"] == name]


def _support(random: Random, state: Canonical, name: str, target: str) -> list[int]:
    if random.random() < 0.3:
        return []
    near = set(state["zones"][target]["neighbours"])
    fitting = [piece for piece in _pieces(state, name) if piece["zone"] in near and piece["aboard"] is None]
    ships = [piece["id"] for piece in fitting if piece["kind"] == "ship"][:1]
    land = state["zones"][target]["kind"] == "land"
    return [*ships, *([piece["id"] for piece in fitting if piece["kind"] == "army"][:2] if land else [])]


def _build(random: Random, state: Canonical, zone: str) -> dict[str, str]:
    entry = state["zones"][zone]
    fitting = ["industry", "defense", "defense"]
    if entry["kind"] == "land":
        fitting += ["city"] * (entry["levels"]["city"] < entry["city_max"])
        fitting += ["agriculture"] if entry["city_max"] <= 2 else ["commerce"]
        fitting += ["research"] * (entry["levels"]["city"] >= 4 and entry["city_max"] >= 5)
    if random.random() < 0.05:
        fitting = list(STRUCTURES)
    return {"zone": zone, "structure": random.choice(fitting)}


def _move(random: Random, state: Canonical, piece: Any) -> list[dict[str, Any]]:
    if random.random() < 0.4:
        return []
    zones = state["zones"]
    near = zones[piece["zone"]]["neighbours"]
    kind = "sea" if piece["kind"] == "ship" else "land"
    fitting = [item for item in near if zones[item]["kind"] == kind]
    if piece["kind"] == "army":
        fitting = [item for item in fitting if zones[item]["owner"] == piece["nation"]]
        ships = [other["id"] for other in _pieces(state, piece["nation"]) if other["zone"] in near]
        ships = [number for number in ships if state["pieces"][str(number)]["kind"] == "ship"]
        if ships and piece["aboard"] is None and random.random() < 0.5:
            return [{"piece": piece["id"], "board": random.choice(ships)}]
    if random.random() < 0.05:
        fitting = near
    return [{"piece": piece["id"], "to": random.choice(fitting)}] if fitting else []


def _cancel(state: Canonical, name: str, number: int) -> list[dict[str, str]]:
    own = [item for item in sorted(state["zones"]) if state["zones"][item]["owner"] == name]
    return [{"zone": own[0], "structure": STRUCTURES[number]}] if own else []


def trade(random: Random, state: Canonical, name: str) -> Move:
    """An offer of any kind, or an answer to one."""
    live = [deal for deal in state["deals"].values() if deal["status"] in ("offered", "active")]
    mine = [deal for deal in live if name in (deal.get("a"), deal.get("b"), deal.get("from"), deal.get("to"))]
    if mine and random.random() < 0.6:
        deal = random.choice(mine)
        asked = deal.get("b", deal.get("to")) == name
        choices = ["accept"] * 4 + ["decline"] if asked else ["decline"]
        if deal["status"] == "active":
            choices = ["end_agreement"]
        return _said(name, random.choice(choices), deal=deal["id"])
    others = [item for item in sorted(state["nations"]) if item != name]
    to = random.choice(others)
    kind = random.choice(("agreement", "agreement", "exchange", "sale"))
    if kind == "agreement":
        return _said(name, "offer", kind=kind, to=to, good=random.choice(("food", "currency", "resources")))
    own = [item for item in sorted(state["zones"]) if state["zones"][item]["owner"] == name]
    if kind == "sale":
        if own and random.random() < 0.5:
            return _said(name, "offer", kind=kind, to=to, zone=random.choice(own))
        good = random.choice(("food", "resources", "resources", "currency"))
        return _said(name, "offer", kind=kind, to=to, good=good, amount=random.randint(1, 500))
    give: dict[str, Any] = {"currency": random.randint(0, 300)}
    if own and random.random() < 0.4:
        give["zones"] = [random.choice(own)]
    get = {random.choice(("currency", "food", "resources")): random.randint(0, 300)}
    extra = {"until_turn": state["turn"] + random.randint(0, 2)} if random.random() < 0.4 else {}
    return _said(name, "offer", kind=kind, to=to, give=give, get=get, **extra)


def _start(random: Random, state: Canonical) -> Move:
    choosing = [item for item in sorted(state["players"]) if state["players"][item]["status"] == "choosing"]
    name = random.choice(choosing) if choosing and random.random() < 0.9 else random.choice(NAMES)
    free = [item for item in sorted(state["zones"]) if state["zones"][item]["owner"] is None] or sorted(state["zones"])
    color = f"#{random.choice(('AA', 'BB', 'CC'))}{random.randint(0, 255):02X}00"
    return _said(name, "choose_start", zone=random.choice(free), name=name.upper(), color=color)


def _fix(random: Random, state: Canonical) -> Move:
    faulty = [item for item in sorted(state["nations"]) if (state["nations"][item]["submission"] or {}).get("faults")]
    if not faulty or random.random() < 0.3:
        return _close(state, random)
    name = random.choice(faulty)
    return _said(name, "submit_turn", **(orders(random, state, name) if random.random() < 0.3 else {}))


def _close(state: Canonical, random: Random) -> Move:
    type = "close_fix" if state["phase"] == "fix" else "close_turn"
    return Move("operator", "operator", type, {"turn": state["turn"]}, random.randint(1, HOUR_MS))


def _host(random: Random, state: Canonical) -> Move:
    chosen, deadline = random.random(), state["deadline"]
    if chosen < 0.5 or deadline is None:
        return _close(state, random)
    if chosen < 0.7:
        return Move("operator", "operator", "shift_time", {"by_ms": HOUR_MS, "reason": "credit"}, 8 * DAY_MS)
    if chosen < 0.95:
        payload = {"deadline": deadline + random.randint(-HOUR_MS, HOUR_MS), "reason": "schedule"}
        return Move("operator", "operator", "set_deadline", payload)
    return Move("operator", "operator", "set_deadline", {"deadline": None, "reason": "pause"})


def _nonsense(random: Random, state: Canonical) -> Move:
    name = random.choice(NAMES)
    zone = random.choice(sorted(state["zones"]))
    said: Sequence[Move] = (
        _said(name, "fly"),
        _said(name, "submit_turn", claims="all"),
        _said(name, "submit_turn", claims=["nowhere"]),
        _said(name, "submit_turn", turn=state["turn"] + 1),
        _said(name, "submit_turn", moves=[{"piece": 1}]),
        _said(name, "submit_turn", moves=[{"piece": 999_999, "to": zone}]),
        _said(name, "submit_turn", builds=[{"zone": zone, "structure": random.choice(STRUCTURES)}]),
        _said(name, "offer", kind="sale", to="nix", good="food", amount=1),
        _said(name, "offer", kind="exchange", to=name, give={}, get={}),
        _said(name, "accept", deal=random.randint(1, 5)),
        _said(name, "end_agreement", deal=1),
        _said(name, "rejoin"),
        _said(name, "join"),
        _said(name, "choose_start", zone=zone, name="X", color="#FFFFFF"),
        _said(name, "choose_start", zone=zone, name="X", color="red"),
        _said(name, "close_turn", turn=state["turn"]),
        _said("stranger", "abandon"),
        Move("operator", "operator", "close_turn", {"turn": state["turn"] + 1}),
        Move("operator", "operator", "close_fix", {"turn": state["turn"]}),
        Move("clock", "clock", "close_turn", {"turn": state["turn"]}),
        Move("operator", "operator", "start_game", {}),
    )
    return random.choice(said)
