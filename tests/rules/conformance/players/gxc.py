"""A random player of GXC: small maps with every special territory, every reading of the configuration, all commands."""

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.rules.conformance.players import Canonical, Fork, Move

TEAMS = ("blue", "green", "red")
SPECIALS = (
    "high_ground",
    "low_ground",
    "fortified",
    "no_cover",
    "medical",
    "radioactive",
    "transport",
    None,
    None,
    None,
)
READINGS: Mapping[str, tuple[Any, ...]] = {
    "recruitment_turns": (0, 1),
    "last_turn": (None, 9),
    "duel_mode": ("per_energy", "single_roll"),
    "attacker_order": ("shuffle", "energy_desc", "seq"),
    "assault_order": ("shuffle", "id"),
    "multi_attack": ("melee_first", "shared_siege"),
    "reserve_defends": ("always", "after_attack_defeat"),
    "idle_policy": ("defend_all", "none"),
    "special_requires_start": (True, False),
    "first_commander_nominations": (1, 2),
    "commander_nominations": (1, 2),
    "impeach_nominations": (1, 2),
    "spy_nominations": (1, 2),
    "self_nomination": (True, False),
    "shield_max_territories": (3, 14),
    "shield_solo_commanders": (0, 0, 2),
    "shield_public": (True, False),
    "eliminated_may_join": (True, False),
    "late_join_until_turn": (None, 5),
    "public_energy": (True, False),
    "reliability_turns": (2, 5),
    "empire_size": (2, 5),
}
HOUR_MS = 3_600_000
NAMES = tuple(f"p{number}" for number in range(10))


class GxcPlayer:
    """Plays GXC; see `Player`."""

    def create(self, random: Random) -> Mapping[str, Any]:
        count = random.randint(7, 14)
        ids = [f"T{number:02d}" for number in range(count)]
        edges = {tuple(sorted((ids[i], ids[i - 1]))) for i in range(1, count)}
        for _ in range(random.randint(1, count)):
            edges.add(tuple(sorted(random.sample(ids, 2))))
        teams = TEAMS[: random.randint(2, 3)]
        owned: dict[str, list[str]] = {team: [] for team in teams}
        for number, territory in enumerate(ids):
            if number < len(teams):
                owned[teams[number]].append(territory)
            elif random.random() < 0.8:
                owned[random.choice(teams)].append(territory)
        config = {key: random.choice(values) for key, values in READINGS.items() if random.random() < 0.6}
        return {
            "map": {"territories": {territory: _territory(random, territory, edges) for territory in ids}},
            "teams": {team: {"name": team.title(), "territories": owned[team]} for team in teams},
            "config": config,
        }

    def move(self, random: Random, state: Canonical) -> Move:
        if random.random() < 0.05:
            return _nonsense(random, state)
        if state["phase"] == "lobby":
            return self._in_the_lobby(random, state)
        return _host(random, state) if random.random() < 0.04 else self._as_player(random, state)

    def fork(self, random: Random, state: Canonical) -> Fork | None:
        """Orders, nominations, votes and talk of one team in the open turn, of one and of another kind and number."""
        if state["phase"] != "running":
            return None
        team = random.choice(sorted(state["teams"]))
        mates = [name for name in _active(state) if state["players"][name]["team"] == team]
        others = [name for name in _active(state) if state["players"][name]["team"] != team]
        if not mates or not others:
            return None
        one = [move for name in mates for move in _secrets(random, state, name, random.randint(0, 2))]
        other = [move for name in mates for move in _secrets(random, state, name, random.randint(0, 3))]
        then = [_player_move(random, state, name) for name in others]
        blind = [name for name in others if not _has_sight(state, name)]
        return Fork(one, other, [move for move in then if move.type != "chat"], [*blind, "public"])

    def _in_the_lobby(self, random: Random, state: Canonical) -> Move:
        unplaced = [name for name in sorted(state["players"]) if state["players"][name]["status"] == "unplaced"]
        if len(state["players"]) > 5 and random.random() < 0.2:
            return Move("operator", "operator", "start_game", {})
        if unplaced and random.random() < 0.7:
            return _place(random, state, random.choice(unplaced))
        return _join(random, state)

    def _as_player(self, random: Random, state: Canonical) -> Move:
        if not state["players"] or random.random() < 0.1:
            return _join(random, state)
        name = random.choice(sorted(state["players"]))
        if state["players"][name]["status"] == "unplaced":
            return _place(random, state, name)
        return _player_move(random, state, name)


PLAYER = GxcPlayer()


def _territory(random: Random, territory: str, edges: set[tuple[str, ...]]) -> Mapping[str, Any]:
    return {
        "name": f"Land {territory}",
        "neighbours": sorted(
            other for edge in sorted(edges) if territory in edge for other in edge if other != territory
        ),
        "centroid": {"x": random.randint(-50, 50), "y": random.randint(-50, 50)},
        "special": random.choice(SPECIALS),
    }


def _active(state: Canonical) -> list[str]:
    return [name for name in sorted(state["players"]) if state["players"][name]["status"] == "active"]


def _has_sight(state: Canonical, name: str) -> bool:
    start = state["players"][name]["turn_start_location"]
    return start is not None and state["territories"][start]["special"] in ("high_ground", "low_ground")


def _said(name: str, type: str, **payload: Any) -> Move:
    return Move(name, "player", type, payload)


def _join(random: Random, state: Canonical) -> Move:
    return _said(random.choice(NAMES), "join", team=random.choice(sorted(state["teams"])))


def _place(random: Random, state: Canonical, name: str) -> Move:
    return _said(name, "place", territory=random.choice(_own(state, name) or sorted(state["territories"])))


def _own(state: Canonical, name: str) -> list[str]:
    team = state["players"][name]["team"]
    return [item for item in sorted(state["territories"]) if state["territories"][item]["owner"] == team]


def _player_move(random: Random, state: Canonical, name: str) -> Move:
    player = state["players"][name]
    if player["status"] == "active" and player["energized_turn"] != state["turn"] and random.random() < 0.7:
        return _said(name, "energize")
    if random.random() < 0.5:
        return _order(random, state, name)
    return _politics(random, state, name)


def _secrets(random: Random, state: Canonical, name: str, count: int) -> list[Move]:
    moves = [_said(name, "energize")] if random.random() < 0.7 else []
    for _ in range(count):
        chosen = _order(random, state, name) if random.random() < 0.6 else _politics(random, state, name)
        if chosen.type != "chat" or chosen.payload["channel"] == "team":
            moves.append(chosen)
    return [move for move in moves if move.type not in ("activate_shield", "vote_shield")]


def _order(random: Random, state: Canonical, name: str) -> Move:
    if random.random() < 0.1:
        return _said(name, "clear_order")
    player = state["players"][name]
    place, energy = player["location"], player["energy"]
    payload: dict[str, Any] = {}
    own = _own(state, name)
    if own and random.random() < 0.35:
        place = payload["move_to"] = random.choice(own)
    if place is not None and random.random() < 0.7:
        target = random.choice(state["territories"][place]["neighbours"] or own or [place])
        payload["attack"] = {"target": target, "energy": random.randint(1, max(1, energy * 2 // 3))}
    if random.random() < 0.6:
        payload["defend"] = random.randint(0, max(0, energy // 3))
    if random.random() < 0.1:
        payload["turn"] = random.choice((state["turn"], state["turn"] + 1))
    return _said(name, "set_order", **payload)


def _politics(random: Random, state: Canonical, name: str) -> Move:
    team = state["players"][name]["team"]
    mates = [mate for mate in sorted(state["players"]) if state["players"][mate]["team"] == team]
    polls = [poll for poll in sorted(state["polls"]) if state["polls"][poll]["team"] == team]
    commanders = state["teams"][team]["commanders"]
    choices = ["nominate", "nominate", "chat"]
    choices += ["vote"] * 8 if polls else []
    choices += ["power"] * 12 if name in commanders else []
    chosen = random.choice(choices)
    if chosen == "nominate":
        kind = random.choice(("commander", "commander", "commander", "impeach", "spy"))
        target = random.choice(commanders or mates) if kind == "impeach" else random.choice(mates)
        return _said(name, "nominate", kind=kind, target=target)
    if chosen == "vote":
        return _said(name, "vote", poll=random.choice(polls), choice=random.choice(("yes", "yes", "yes", "no")))
    if chosen == "chat":
        return _said(name, "chat", channel=random.choice(("team", "all")), text="To arms!")
    return random.choice(
        (
            _said(name, "activate_shield"),
            _said(name, "vote_shield", choice=random.choice(("yes", "no"))),
            _said(name, "edit_battle_plan", text="North, then east."),
            _said(name, "send_team_mail", subject="Tonight", body="Hold the line."),
            _said(name, "nominate", kind="spy", target=random.choice(mates)),
        )
    )


def _host(random: Random, state: Canonical) -> Move:
    chosen = random.random()
    deadline = state["turn_deadline"]
    if chosen < 0.5 or deadline is None:
        return Move("operator", "operator", "close_turn", {"turn": state["turn"]}, random.randint(1, HOUR_MS))
    if chosen < 0.6:  # the clock closes before this input, perhaps twice
        return Move("operator", "operator", "shift_time", {"by_ms": HOUR_MS, "reason": "credit"}, 25 * HOUR_MS)
    if chosen < 0.7:
        payload = {"deadline": deadline + random.randint(-HOUR_MS, HOUR_MS), "reason": "schedule"}
        return Move("operator", "operator", "set_deadline", payload)
    if chosen < 0.72:
        return Move("operator", "operator", "set_deadline", {"deadline": None, "reason": "pause"})
    team = random.choice(sorted(state["teams"]))
    if chosen < 0.9 or not state["players"]:
        type = random.choice(("suspend_bonus", "restore_bonus"))
        bonus = random.choice(("reliability", "conquer", "empire"))
        return Move("operator", "operator", type, {"team": team, "bonus": bonus})
    if chosen < 0.97:
        player = random.choice(sorted(state["players"]))
        return Move("operator", "operator", "remove_player", {"player": player, "reason": "two accounts"})
    return Move("operator", "operator", "disqualify_team", {"team": team, "reason": "automation"})


def _nonsense(random: Random, state: Canonical) -> Move:
    name = random.choice(NAMES)
    return random.choice(
        (
            _said(name, "fly"),
            _said(name, "set_order", defend=-1),
            _said(name, "set_order", defend="all"),
            _said(name, "set_order", attack={"target": "T00", "energy": 10**9}),
            _said(name, "vote", poll="red-99", choice="yes"),
            _said(name, "nominate", kind="commander", target="nobody"),
            _said(name, "close_turn", turn=state["turn"]),
            _said("stranger", "energize"),
            _said(name, "chat", channel="all", text="x" * 2001),
            Move("operator", "operator", "close_turn", {"turn": state["turn"] + 1}),
            Move("clock", "clock", "close_turn", {"turn": state["turn"]}),
            Move("operator", "operator", "start_game", {}),
        )
    )
