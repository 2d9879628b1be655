"""A random player of FORCES: small maps with water, every reading, all commands."""

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.rules.conformance.players import Canonical, Fork, Move

HOUR_MS = 3_600_000
NAMES = ("ana", "bia", "caio", "duda", "eva")
READINGS: Mapping[str, tuple[Any, ...]] = {
    "auto_pick": (True, False),
    "draft_pattern": ("source", "snake"),
    "seat_order": ("join", "shuffle"),
    "first_year": (0, 1914),
    "starting_credits": (0, 60, "first_income"),
    "capital_loss_eliminates": (True, False, False, False),
    "elimination": ("zones_and_forces", "zones"),
    "eliminated_land": ("neutral", "captor"),
    "refund_unproduced": (True, False),
    "casualty_rule": ("random", "cheapest", "owner_first"),
    "neutral_odds": ("attack", "defense"),
    "early_victory": ([], [{"condition": "zones", "value": 15}, {"condition": "capitals", "value": 4}]),
    "victory_tie": ("continue", "shared"),
    "pick_hours": (None, {"seconds": 60}),
    "capital_hours": (None, 1),
    "year_hours": (None, 24),
    "credits_public": (True, False),
}


class ForcesPlayer:
    """Plays FORCES; see `Player`."""

    def create(self, random: Random) -> Mapping[str, Any]:
        config = {key: random.choice(values) for key, values in READINGS.items() if random.random() < 0.5}
        return {"map": {"zones": zones(random, random.randint(12, 18))}, "config": config}

    def move(self, random: Random, state: Canonical) -> Move:
        if random.random() < 0.15:
            return _nonsense(random, state)
        if state["phase"] == "lobby":
            return _in_the_lobby(random, state)
        if random.random() < 0.05:
            return _host(random, state)
        active = _active(state)
        if random.random() < 0.02 and len(active) > 2:
            return _departure(random, state, active)
        return _player_move(random, state, active)

    def fork(self, random: Random, state: Canonical) -> Fork | None:
        """Capitals or submissions of one player, of another content and number; others do the same, but for one."""
        waiting = _waiting(state)
        if state["phase"] not in ("capitals", "year") or len(waiting) < 2:
            return None
        name, lazy = random.sample(waiting, 2)
        busy = [other for other in waiting if other not in (name, lazy)]
        # That she has submitted is no secret (FOR-78): she has in both, however illegal what she says afterwards is.
        submitted = [] if state["phase"] == "capitals" else [_said(name, "submit_turn")]
        one = [*submitted, *(_secret(random, state, name) for _ in range(random.randint(1, 2)))]
        other = [*submitted, *(_secret(random, state, name) for _ in range(random.randint(0, 3)))]
        then = [_secret(random, state, item) for item in busy]
        return Fork(one, other, then, [item for item in _active(state) if item != name] + ["public"])


PLAYER = ForcesPlayer()


def zones(random: Random, land: int) -> dict[str, Any]:
    """A ring of land with chords, and two waters beside it."""
    ids = [f"L{number}" for number in range(land)]
    waters = ["W0", "W1"]
    edges = {frozenset((ids[i], ids[(i + 1) % land])) for i in range(land)}
    edges |= {frozenset(random.sample(ids, 2)) for _ in range(land // 3)}
    edges |= {frozenset((water, random.choice(ids))) for water in waters for _ in range(2)}
    made: dict[str, Any] = {}
    for id_ in [*ids, *waters]:
        near = sorted({other for edge in edges if id_ in edge for other in edge} - {id_})
        made[id_] = {"kind": "land" if id_ in ids else "water", "neighbours": near}
        if id_ in ids:
            made[id_]["income"] = random.randint(0, 20)
            made[id_]["start_forces"] = {
                "troop": random.randint(0, 2),
                "tank": random.randint(0, 2),
                "factory": random.random() < 0.4,
            }
    return made


def _active(state: Canonical) -> list[str]:
    return [name for name in sorted(state["players"]) if state["players"][name]["status"] == "active"]


def _waiting(state: Canonical) -> list[str]:
    field = {"capitals": "capital", "year": "submission"}.get(state["phase"])
    return [name for name in _active(state) if field is not None and state["players"][name][field] is None]


def _said(name: str, type: str, **payload: Any) -> Move:
    return Move(name, "player", type, payload)


def _in_the_lobby(random: Random, state: Canonical) -> Move:
    there = sorted(state["players"])
    if len(there) >= 2 and random.random() < (0.1 if len(there) == 2 else 0.35):
        return Move("operator", "operator", "start_game", {})
    if there and random.random() < 0.1:
        return _said(random.choice(there), "resign")
    return _said(random.choice([name for name in NAMES if name not in there] or [*NAMES]), "join")


def _departure(random: Random, state: Canonical, active: list[str]) -> Move:
    name = random.choice(active)
    if random.random() < 0.5:
        return _said(name, "resign")
    return Move("operator", "operator", "remove_player", {"seat": state["players"][name]["seat"], "reason": "absent"})


def _player_move(random: Random, state: Canonical, active: list[str]) -> Move:
    if state["phase"] == "picking":
        free = [id_ for id_, zone in sorted(state["zones"].items()) if zone["kind"] == "land" and not zone["owner"]]
        return _said(_picker(random, state, active), "pick_zone", zone=random.choice(free))
    waiting = _waiting(state)
    return _secret(random, state, random.choice(waiting if waiting and random.random() < 0.8 else active))


def _picker(random: Random, state: Canonical, active: list[str]) -> str:
    """Whose pick it is (FOR-24), and now and then somebody else."""
    seats = len(state["players"])
    round_, position = divmod(state["pick_index"], seats)
    forward = round_ % 2 == 0 if state["config"]["draft_pattern"] == "snake" else round_ == 0
    seat = position + 1 if forward else seats - position
    if random.random() < 0.05:
        return random.choice(active)
    return next(name for name in active if state["players"][name]["seat"] == seat)


def _own(state: Canonical, name: str) -> list[str]:
    seat = state["players"][name]["seat"]
    return [id_ for id_, zone in sorted(state["zones"].items()) if zone["owner"] == seat]


def _secret(random: Random, state: Canonical, name: str) -> Move:
    own = _own(state, name)
    if state["phase"] == "capitals":
        return _said(name, "choose_capital", zone=random.choice(own or sorted(state["zones"])))
    return _said(name, "submit_turn", **submission(random, state, name))


def submission(random: Random, state: Canonical, name: str) -> dict[str, Any]:
    """Purchases and moves that are mostly legal."""
    payload: dict[str, Any] = {}
    if random.random() < 0.6:
        payload["purchases"] = _purchases(random, state, name)
    if random.random() < 0.9:
        payload["moves"] = _moves(random, state, name)
    if random.random() < 0.1:
        payload["year"] = state["year"]
    return payload


def _purchases(random: Random, state: Canonical, name: str) -> list[dict[str, Any]]:
    player = state["players"][name]
    items: list[dict[str, Any]] = []
    left = player["credits"]
    for id_ in random.sample(_own(state, name), len(_own(state, name))):
        zone = state["zones"][id_]
        type_ = random.choice(("troop", "tank")) if zone["factory"] else "factory"
        cost = {"troop": 10, "tank": 15, "factory": 45}[type_]
        most = left // cost
        if type_ == "factory":
            most = min(1, most)
        elif id_ != player["capital"]:
            most = min(zone["income"], most)
        if most and random.random() < 0.6:
            count = random.randint(1, most)
            items.append({"type": type_, "zone": id_, "count": count})
            left -= cost * count
    return items


def _moves(random: Random, state: Canonical, name: str) -> list[dict[str, Any]]:
    seat = str(state["players"][name]["seat"])
    items: list[dict[str, Any]] = []
    for id_, zone in sorted(state["zones"].items()):
        held = zone["forces"].get(seat)
        if held is None or (len(zone["forces"]) > 1 and random.random() < 0.95):
            continue
        for type_, steps in (("troop", 1), ("tank", 2)):
            path = _path(random, state, id_, random.randint(1, steps))
            if held[type_] and path and random.random() < 0.6:
                items.append({"from": id_, "type": type_, "count": random.randint(1, held[type_]), "path": path})
    return items


def _path(random: Random, state: Canonical, at: str, steps: int) -> list[str]:
    path: list[str] = []
    for _ in range(steps):
        near = [item for item in state["zones"][at]["neighbours"] if state["zones"][item]["kind"] == "land"]
        at = random.choice(near)
        path.append(at)
    return path


def _host(random: Random, state: Canonical) -> Move:
    chosen = random.random()
    if chosen < 0.4:
        year = {"year": state["year"]} if state["phase"] == "year" else {}
        payload = {"phase": state["phase"], **year}
        return Move("operator", "operator", "close_phase", payload, random.randint(1, HOUR_MS))
    if chosen < 0.6:
        return Move("operator", "operator", "shift_time", {"by_ms": HOUR_MS, "reason": "credit"}, 25 * HOUR_MS)
    if chosen < 0.9 and state["deadline"] is not None:
        payload = {"deadline": state["deadline"] + random.randint(0, HOUR_MS), "reason": "schedule"}
        return Move("operator", "operator", "set_deadline", payload)
    return Move("operator", "operator", "set_deadline", {"deadline": None, "reason": "pause"})


def _nonsense(random: Random, state: Canonical) -> Move:
    name = random.choice(sorted(state["players"]) or ["nobody"])
    some = random.choice(sorted(state["zones"]))
    item = {"from": some, "type": "tank", "count": 1, "path": ["atlantis"]}
    return random.choice(
        (
            _said(name, "fly"),
            _said(name, "join"),
            _said(name, "pick_zone", zone="W0"),
            _said(name, "choose_capital", zone=some),
            _said(name, "submit_turn", moves=[item]),
            _said(name, "submit_turn", moves=[{**item, "path": []}]),
            _said(name, "submit_turn", moves=[{**item, "path": [some], "count": 99}]),
            _said(name, "submit_turn", purchases=[{"type": "ship", "zone": some, "count": 1}]),
            _said(name, "submit_turn", purchases=[{"type": "factory", "zone": some, "count": 2}]),
            _said(name, "submit_turn", year=1),
            _said(name, "close_phase", phase="picking"),
            _said("stranger", "resign"),
            Move("operator", "operator", "close_phase", {"phase": "year", "year": 1}),
            Move("operator", "operator", "remove_player", {"seat": 9, "reason": "absent"}),
            Move("clock", "clock", "close_phase", {"phase": "capitals"}),
            Move("operator", "operator", "start_game", {}),
        )
    )
