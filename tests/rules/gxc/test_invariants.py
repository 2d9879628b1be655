"""What holds in every game whatever is played (GXC-105): random maps, random play of several turns."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.gxc import RULES
from shared.rules.gxc.board import SPECIALS
from tests.rules.gxc.play import Game, creation

pytestmark = pytest.mark.slow

CONFIGS = {
    "duel_mode": ("per_energy", "single_roll"),
    "attacker_order": ("shuffle", "energy_desc", "seq"),
    "assault_order": ("shuffle", "id"),
    "multi_attack": ("melee_first", "shared_siege"),
    "reserve_defends": ("always", "after_attack_defeat"),
    "idle_policy": ("defend_all", "none"),
    "special_requires_start": (True, False),
    "public_energy": (True, False),
    "shield_public": (True, False),
    "eliminated_may_join": (True, False),
    "first_commander_nominations": (1, 2),
    "commander_nominations": (1, 2),
    "spy_nominations": (1, 2),
    "impeach_nominations": (1, 2),
}


def random_creation(chance: random.Random) -> dict[str, Any]:
    """Two to four teams on up to ten territories, some without owner, some special."""
    names = [f"t{number}" for number in range(chance.randint(3, 10))]
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for one in names:
        for other in names:
            if one < other and chance.random() < 0.4:
                neighbours[one].add(other)
                neighbours[other].add(one)
    territories = {
        name: {
            "name": name,
            "neighbours": sorted(neighbours[name]),
            "centroid": {"x": chance.randint(-9, 9), "y": chance.randint(-9, 9)},
            "special": chance.choice([*SPECIALS, None, None, None]),
        }
        for name in names
    }
    teams: dict[str, list[str]] = {f"team{number}": [] for number in range(chance.randint(2, 4))}
    teams["team0"].append(names[0])
    teams["team1"].append(names[1])
    for name in names[2:]:
        if chance.random() < 0.9:
            teams[chance.choice(sorted(teams))].append(name)
    config = {key: chance.choice(values) for key, values in CONFIGS.items() if chance.random() < 0.5}
    return creation(territories, teams, {"last_turn": chance.choice([None, 4]), **config})


def random_command(game: Game, chance: random.Random) -> tuple[str, str, dict[str, Any]]:
    """A command that may be legal or not."""
    places, teams = sorted(game.canonical["territories"]), sorted(game.canonical["teams"])
    players = [f"p{number}" for number in range(9)]
    actor, place, other = chance.choice(players), chance.choice(places), chance.choice(players)
    attack = {"target": chance.choice(places), "energy": chance.randint(0, 12)}
    polls = sorted(game.canonical["polls"]) or ["team0-1"]
    return chance.choice(
        [
            (actor, "join", {"team": chance.choice(teams)}),
            (actor, "place", {"territory": place}),
            (actor, "energize", {}),
            (actor, "set_order", {"attack": attack, "defend": chance.randint(-1, 9)}),
            (actor, "set_order", {"move_to": place, "attack": chance.choice([attack, None]), "defend": 1}),
            (actor, "clear_order", {}),
            (actor, "nominate", {"kind": chance.choice(["commander", "impeach", "spy"]), "target": other}),
            (actor, "vote", {"poll": chance.choice(polls), "choice": chance.choice(["yes", "yes", "no"])}),
            (actor, "activate_shield", {}),
            (actor, "vote_shield", {"choice": "yes"}),
            (actor, "chat", {"text": "hello", "channel": "team"}),
            (actor, "edit_battle_plan", {"text": "north"}),
            ("operator", chance.choice(["suspend_bonus", "restore_bonus"]), {"team": teams[0], "bonus": "empire"}),
            ("operator", "shift_time", {"by_ms": chance.randint(0, 1000), "reason": "operator"}),
        ]
    )


def play_a_turn(game: Game, chance: random.Random) -> None:
    """Some commands of any kind, then everybody acts sensibly, then perhaps the operator does."""
    for _ in range(chance.randint(5, 15)):
        actor, type_, payload = random_command(game, chance)
        game.say(actor, type_, **payload)
    for player in sorted(game.canonical["players"]):
        _act(game, chance, player)
        _politics(game, chance, player)
    if chance.random() < 0.1:
        game.say("operator", "remove_player", player=f"p{chance.randrange(9)}", reason="conduct")
    if chance.random() < 0.05:
        game.say("operator", "disqualify_team", team="team0", reason="conduct")


def _act(game: Game, chance: random.Random, player: str) -> None:
    state = game.canonical
    team, territories = state["players"][player]["team"], state["territories"]
    own = [name for name, territory in territories.items() if territory["owner"] == team]
    if not own:
        return
    game.say(player, "place", territory=chance.choice(own))
    if chance.random() < 0.9:
        game.say(player, "energize")
    place = game.canonical["players"][player]["location"]
    if place is None or chance.random() < 0.2:
        return
    move_to = chance.choice(own) if chance.random() < 0.4 else None
    foreign = [name for name in territories[move_to or place]["neighbours"] if name not in own]
    attack = {"target": chance.choice(foreign), "energy": chance.randint(1, 8)} if foreign else None
    game.say(player, "set_order", move_to=move_to, attack=attack, defend=chance.randint(0, 4))
    if chance.random() < 0.1:
        game.say(player, "clear_order")


def _politics(game: Game, chance: random.Random, player: str) -> None:
    state = game.canonical
    players = state["players"]
    mates = [name for name in sorted(players) if players[name]["team"] == players[player]["team"]]
    kind = chance.choice(["commander", "commander", "impeach", "spy"])
    game.say(player, "nominate", kind=kind, target=chance.choice(mates))
    for poll in sorted(state["polls"]):
        game.say(player, "vote", poll=poll, choice=chance.choice(["yes", "yes", "no"]))
    if chance.random() < 0.2:
        game.say(player, "activate_shield")
        game.say(player, "vote_shield", choice=chance.choice(["yes", "no"]))
        game.say(player, "edit_battle_plan", text="to the north")


def check_close(game: Game, before: dict[str, Any], exchanges: int) -> None:
    """The invariants of one close."""
    after = game.canonical
    for name, player in after["players"].items():
        assert player["energy"] >= 0, name
        if player["status"] == "active":
            assert after["territories"][player["location"]]["owner"] == player["team"], name
            assert player["order"] is None
    captured = [event["territory"] for event in game.of("captured")]
    assert len(captured) == len(set(captured)), "a territory fell twice in one close"
    protected = {name for team in before["teams"].values() for name in team["shield"]["protected"]}
    assert not protected & set(captured)
    for name, territory in after["territories"].items():
        assert (territory["owner"] != before["territories"][name]["owner"]) == (name in captured)
    left = any(game.of(kind) for kind in ("players_out", "spy_expelled"))
    if before["config"]["duel_mode"] == "per_energy" and not left:
        paid = sum(event["cost"] for event in game.of("moved"))
        assert _energy(before) - _energy(after) == paid + exchanges


def _energy(state: dict[str, Any]) -> int:
    return sum(player["energy"] for player in state["players"].values())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_the_invariants_hold_in_any_game(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(random_creation(chance), seed)
    for player in range(8):
        game.say(f"p{player}", "join", team=chance.choice(sorted(game.canonical["teams"])))
    game.say("operator", "start_game")
    for _ in range(5):
        if RULES.over(game.state):
            break
        play_a_turn(game, chance)
        before, game.dice.exchanges = game.canonical, 0
        game.close()
        check_close(game, before, game.dice.exchanges)
    if RULES.over(game.state):
        assert RULES.due(game.state) is None
        assert game.say("p0", "energize") == "game_over"


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_the_same_play_gives_the_same_state_from_a_decoded_one(seed: int) -> None:
    """Nothing that the rules do may depend on what the canonical state leaves out (ENG-11)."""
    states = []
    for decoded in (False, True):
        chance = random.Random(seed)
        game = Game(random_creation(chance), seed)
        for player in range(8):
            game.say(f"p{7 - player}", "join", team=chance.choice(sorted(game.canonical["teams"])))
        game.say("operator", "start_game")
        journal = []
        for _ in range(3):
            if RULES.over(game.state):
                break
            play_a_turn(game, chance)
            if decoded:
                game.state = RULES.decode(game.canonical)
            journal.append(game.close())
        states.append((game.canonical, journal))
    assert states[0] == states[1]
