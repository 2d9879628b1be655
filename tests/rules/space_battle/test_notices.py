"""What a player is told of what concerns her, in words, and the tables of her page."""

from services.gateway.telling import Names, table_of_sheet, told
from shared.rules.notices import given_by, sentences_by_code
from shared.rules.space_battle import RULES
from tests.rules.space_battle.play import START, Room, running

NAMES = Names(teams={"C": "Ana", "D": "Bia"}, players={"ana": "Ana", "bia": "Bia", "caio": "Caio"})
WORDS = sentences_by_code(RULES.notices)


def notices(room: Room) -> list[tuple[str, str]]:
    """Audience and words of each notice of the last command."""
    return [
        (given.audience, told(WORDS[given.code], given.data, NAMES) or "")
        for event in room.events
        for given in given_by(event, RULES.notices)
    ]


def test_a_challenge_and_its_answers_come_to_the_other() -> None:
    """SPB-21 to SPB-24."""
    room = Room()
    room.done("ana", "issue_challenge", challenged="bia")
    assert notices(room)[0][0] == "player:bia"
    assert notices(room)[0][1].startswith("Ana challenges you; answer by ")
    room.done("bia", "accept_challenge", challenge=1, number=2, time=START)
    assert notices(room)[0][1].startswith("Bia accepts your challenge: 2 craft on each side, on ")
    room.done("ana", "propose_time", challenge=1, time=START + 1)
    assert [audience for audience, _ in notices(room)] == ["player:bia"]
    room.done("bia", "agree_time", challenge=1, time=START + 1)
    assert [audience for audience, _ in notices(room)] == ["player:ana", "player:bia"]
    room.clock(START + 600_001)
    assert notices(room)[-1] == ("player:bia", "Your battle was cancelled")


def test_a_player_is_told_of_her_move_of_its_end_and_of_what_she_loses() -> None:
    room = running([[9, 2]])
    room.done("bia", "end_move")
    assert notices(room) == [("side:C", "Move 2 is yours")]
    room.clock(room.at + 55_000)
    assert notices(room) == [("side:C", "5 seconds are left of your move 2")]
    room.clock(room.at + 5_000)
    assert notices(room) == [
        ("side:C", "The time of your move 2 is over; 1 forfeit in a row"),
        ("side:D", "Move 3 is yours"),
    ]
    room.done("bia", "move_craft", craft="D:y", to=[8, 2])
    assert notices(room) == [("side:D", "You lost D:y, a scout, in move 3")]
    room.done("bia", "surrender")
    assert notices(room) == [
        ("player:ana", "Your battle is over: Ana won it"),
        ("player:bia", "Your battle is over: Ana won it"),
    ]


def sheet(room: Room, name: str, id_: str) -> list[tuple[object, ...]]:
    """The rows of one table of a page, as they are shown."""
    found = next(item for item in RULES.sheets.of(room.view(name)) if item.id == id_)
    return [tuple(row) for row in table_of_sheet(found, NAMES).rows]


def test_a_page_shows_craft_mines_targets_and_moves() -> None:
    """SPB-77 to SPB-79."""
    room = running([[7, 7]])
    assert sheet(room, "ana", "mines") == [("C:m1", "Ana", "7-7", "live")]
    assert sheet(room, "bia", "mines") == []
    assert ("C:x", "Ana", "cruiser", "2-1", 0, 120, 10, "") in sheet(room, "public", "craft")
    room.give(craft={"C:x": {"col": 8}})
    room.done("bia", "move_craft", craft="D:x", to=[11, 1])
    assert ("D:x", "C:x", "C:x", 3, 64, "") in sheet(room, "bia", "targets")
    room.done("bia", "fire", craft="D:x", target="C:x")
    assert sheet(room, "public", "moves")[-1] == (1, "Bia", "D:x 12-1 to 11-1", "D:x at C:x: C:x 64", "", "", "", "")
    assert sheet(room, "public", "challenges")[0][:5] == (1, "Ana", "Bia", "running", 2)
