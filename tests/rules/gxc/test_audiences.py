"""Who is told what, event by event (GXC-99 to GXC-103)."""

from typing import Any

from shared.rules.gxc import RULES
from tests.rules.gxc.play import Game, creation, territory

MAP = {
    "H": territory("L", x=0, special="high_ground"),
    "L": territory("H", "T", x=1, special="low_ground"),
    "T": territory("L", x=2),
}
TEAMS = {"red": ["H"], "blue": ["L"], "green": ["T"]}


def _game(**config: Any) -> Game:
    game = Game(creation(MAP, TEAMS, {"first_commander_nominations": 1, **config}))
    for player, place in (("red_1", "H"), ("blue_1", "L"), ("blue_2", "L"), ("green_1", "T")):
        game.say(player, "join", team=player.split("_")[0])
        game.say(player, "place", territory=place)
    game.say("operator", "start_game")
    return game


def _told(game: Game) -> list[tuple[str, tuple[str, ...]]]:
    return [(event.type, tuple(event.to)) for event in game.events]


def test_the_sight_of_high_and_low_ground_is_told_to_each_watcher_alone() -> None:
    game = _game()
    sights = {event.to: event.data["sight"] for event in game.events if event.type == "sight_set"}
    assert sights == {
        ("player:red_1",): "high_ground",
        ("player:blue_1",): "low_ground",
        ("player:blue_2",): "low_ground",
    }


def test_an_order_is_told_to_the_team_and_its_number_to_operators() -> None:
    game = _game()
    game.say("green_1", "energize")
    assert _told(game) == [("energized", ("team:green",))]
    game.say("green_1", "set_order", defend=3)
    assert _told(game) == [("order_set", ("team:green",)), ("order_numbered", ())]


def test_high_ground_is_told_of_attacks_from_low_ground_only_when_they_change() -> None:
    game = _game()
    game.say("blue_1", "energize")
    assert [event.type for event in game.events] == ["energized"]
    game.say("blue_1", "set_order", attack={"target": "T", "energy": 4}, defend=1)
    assert _told(game)[2:] == [("attack_sighted", ("sight:high_ground",))]
    assert game.of("attack_sighted") == [{"player": "blue_1", "turn": 1, "target": "T", "energy": 4}]
    game.say("blue_1", "set_order", attack={"target": "T", "energy": 4}, defend=2)
    assert len(game.events) == 2
    game.say("blue_1", "clear_order")
    assert game.of("attack_sighted") == [{"player": "blue_1", "turn": 1, "target": None, "energy": 0}]


def test_low_ground_is_told_of_the_defence_that_would_stand_on_high_ground() -> None:
    game = _game()
    game.say("red_1", "energize")
    assert game.of("defence_sighted") == [{"player": "red_1", "turn": 1, "energy": 10}]
    game.say("red_1", "set_order", defend=3)
    assert [data["energy"] for data in game.of("defence_sighted")] == [3]
    game.say("red_1", "clear_order")
    assert [data["energy"] for data in game.of("defence_sighted")] == [10]
    game.say("operator", "remove_player", player="red_1")
    assert [data["energy"] for data in game.of("defence_sighted")] == [0]


def test_an_idle_player_who_does_not_defend_is_not_seen() -> None:
    game = _game(idle_policy="none")
    game.say("red_1", "energize")
    assert [event.type for event in game.events] == ["energized"]


def test_who_voted_how_is_the_voters_own() -> None:
    game = _game()
    game.say("blue_1", "nominate", kind="commander", target="blue_2")
    assert _told(game) == [("nominated", ("team:blue",)), ("poll_opened", ("team:blue",))]
    game.say("blue_1", "vote", poll="blue-1", choice="yes")
    assert _told(game) == [("voted", ("player:blue_1",)), ("poll_counted", ("team:blue",))]
    game.say("operator", "remove_player", player="blue_1")
    assert ("vote_dropped", ("player:blue_1",)) in _told(game)
    assert game.of("poll_counted") == [{"poll": "blue-1", "team": "blue", "yes": 0, "no": 0}]


def test_a_poll_of_another_team_is_as_unknown_as_one_that_does_not_exist() -> None:
    game = _game()
    game.say("blue_1", "nominate", kind="commander", target="blue_2")
    answers = []
    for poll in ("blue-1", "blue-2"):
        assert game.say("green_1", "vote", poll=poll, choice="yes") == "unknown_id"
        assert game.refusal is not None
        answers.append(game.refusal.detail.replace(poll, "?"))
    assert answers[0] == answers[1]


def test_a_secret_shield_is_told_to_its_team_alone() -> None:
    for public, audience in ((True, ("public",)), (False, ("team:blue",))):
        game = _game(shield_public=public, shield_turns=2)
        game.give(teams={"blue": {"commanders": ["blue_1"]}})
        game.say("blue_1", "activate_shield")
        assert _told(game) == [("shield_activated", audience)]
        game.close()
        assert ("shield_counted", audience) in _told(game)
        game.close()
        assert ("shield_ended", audience) in _told(game)


def test_strengths_are_public_or_each_teams_own() -> None:
    assert [event.to for event in _game().events if event.type == "strength"] == [("public",)]
    own = {event.data["team"]: event.to for event in _game(public_energy=False).events if event.type == "strength"}
    assert own == {team: (f"team:{team}",) for team in TEAMS}


def test_energies_after_a_turn_are_told_to_the_team() -> None:
    game = _game()
    for player in ("blue_1", "green_1"):
        game.say(player, "energize")
    game.say("blue_1", "set_order", attack={"target": "T", "energy": 9})
    game.say("green_1", "set_order", defend=1, attack={"target": "L", "energy": 1})
    game.close()
    told = {event.data["team"]: event for event in game.events if event.type == "energies"}
    assert all(event.to == (f"team:{team}",) for team, event in told.items())
    after = game.canonical["players"]
    assert told
    for event in told.values():
        assert event.data["energy"] == {player: after[player]["energy"] for player in event.data["energy"]}


def test_chat_goes_to_the_channel_and_what_an_outcast_says_to_herself_too() -> None:
    game = _game()
    game.say("blue_1", "chat", text="hello", channel="all")
    assert _told(game) == [("chat_sent", ("public",))]
    game.say("blue_1", "chat", text="hello", channel="team")
    assert _told(game) == [("chat_sent", ("team:blue",))]
    game.say("operator", "disqualify_team", team="blue", reason="conduct")
    game.say("blue_1", "chat", message="m1", hash="0" * 64, channel="team")
    assert _told(game) == [("chat_sent", ("team:blue", "player:blue_1"))]
    assert game.of("chat_sent")[0]["message"] == "m1"


def test_texts_enter_no_event() -> None:
    game = _game()
    game.give(teams={"blue": {"commanders": ["blue_1"]}})
    for type_, payload in (
        ("chat", {"channel": "all", "text": "a secret word"}),
        ("edit_battle_plan", {"text": "a secret word"}),
        ("send_team_mail", {"subject": "a secret word", "body": "a secret word"}),
    ):
        assert game.say("blue_1", type_, None, **payload) == "accepted"
        assert "secret" not in str(game.events)
    assert "secret" not in str(RULES.encode(game.state))
    assert game.say("blue_1", "edit_battle_plan") == "malformed"
    assert game.say("blue_1", "edit_battle_plan", text="x", message="m") == "malformed"
    assert game.say("blue_1", "send_team_mail", subject="x" * 201, body="") == "too_long"
