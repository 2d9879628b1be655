"""Notices over HTTP: the list, the stream, the page, and who reads them."""

from collections.abc import Iterator
from typing import Any

import pytest

from shared.commands import DEFAULT_REMINDERS
from shared.rules import GAMES
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code
from tests.unit.gateway.test_streams import Reader, Sent


class Poll:
    """A war in which red is asked for votes: each poll is a notice to red."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.operator = house.somebody("operator")
        self.game = house.war(self.operator, first_commander_nominations=1, spy_nominations=1)
        self.red, self.mate, self.other = (house.recruit(self.game, "red", "dunmere") for _ in range(3))
        self.blue = house.recruit(self.game, "blue", "elmgate")

    def open(self, target: Player) -> None:
        """Nominate somebody of red; one nomination opens the poll."""
        answer = self.red.command(self.game, "nominate", {"kind": "commander", "target": target.account})
        assert answer.status_code == 201, answer.get_data(as_text=True)

    def list(self, who: Player, query: str = "") -> Any:
        answer = who.get(f"/games/{self.game}/notices{query}")
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_json()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A streams instance, which answers every other request too."""
    made = House(tmp_path_factory.mktemp("notices"), role="streams")
    made.run()
    yield made
    made.close()


@pytest.fixture
def poll(served: House) -> Poll:
    return Poll(served)


def until_notices(stream: Reader, count: int) -> list[Sent]:
    """The next so many notices of a stream."""
    return [stream.until("notice") for _ in range(count)]


def test_a_notice_reaches_those_whom_it_concerns_by_name_and_in_words(poll: Poll) -> None:
    poll.open(poll.mate)
    (told,) = poll.list(poll.red)["notices"]
    name = poll.red.get(f"/accounts/{poll.mate.account}").get_json()["name"]
    assert told["code"] == "vote_pending"
    assert told["text"] == f"Your vote is asked for: shall {name} command? Until turn 2 closes"
    assert told["data"] == {"poll": "red-1", "kind": "commander", "target": poll.mate.account, "closes_turn": 2}
    assert told["id"] == "team:red=1"
    assert told["at"] > 0
    assert poll.list(poll.mate)["notices"] == [told]
    assert poll.list(poll.blue) == poll.list(poll.operator) == {"notices": [], "next": None}


def test_the_list_is_in_pages_from_the_newest_to_the_oldest(poll: Poll) -> None:
    for target in (poll.mate, poll.other):
        poll.open(target)
    poll.operator.command(poll.game, "suspend_bonus", {"team": "red", "bonus": "empire"})
    first = poll.list(poll.red, "?limit=2")
    second = poll.list(poll.red, f"?limit=2&after={first['next']}")
    listed = first["notices"] + second["notices"]
    assert [item["id"] for item in listed] == ["team:red=3", "team:red=2", "team:red=1"]
    assert [item["code"] for item in listed] == ["bonus_suspended", "vote_pending", "vote_pending"]
    assert second["next"] is None
    assert poll.list(poll.red)["notices"] == listed


def test_a_list_that_is_known_is_not_sent_again_and_what_happens_to_others_does_not_change_it(poll: Poll) -> None:
    poll.open(poll.mate)
    path = f"/games/{poll.game}/notices"
    tags = {who.account: who.get(path).headers["ETag"] for who in (poll.red, poll.blue)}
    poll.open(poll.other)
    assert poll.blue.get(path, If_None_Match=tags[poll.blue.account]).status_code == 304
    assert poll.red.get(path, If_None_Match=tags[poll.red.account]).status_code == 200


def test_notices_are_for_whoever_has_a_token(poll: Poll) -> None:
    assert code(poll.house.nobody().get(f"/games/{poll.game}/notices")) == (401, "unauthenticated")
    assert code(poll.red.get("/games/nowhere/notices")) == (404, "unknown_game")
    for query in ("after=x", "after=team:red", "limit=0"):
        assert code(poll.red.get(f"/games/{poll.game}/notices?{query}")) == (400, "malformed")


def test_a_stream_tells_a_notice_behind_its_event_and_resumed_neither_loses_nor_repeats_one(poll: Poll) -> None:
    stream = Reader(poll.red.get(f"/games/{poll.game}/stream"))
    poll.open(poll.mate)
    opened = stream.until("warledger.gxc.poll_opened.v1")
    notice = stream.next()
    assert notice.event == "notice"
    assert notice.data == poll.list(poll.red)["notices"][0]
    stream.close()
    poll.open(poll.other)

    for last, count in ((opened.id, 2), (notice.id, 1)):
        resumed = Reader(poll.red.get(f"/games/{poll.game}/stream", Last_Event_ID=last))
        assert [sent.data["id"] for sent in until_notices(resumed, count)] == ["team:red=1", "team:red=2"][-count:]
        resumed.close()


def test_a_stream_from_the_beginning_has_every_notice_once(poll: Poll) -> None:
    for target in (poll.mate, poll.other):
        poll.open(target)
    stream = Reader(poll.mate.get(f"/games/{poll.game}/stream?after=start"))
    told = until_notices(stream, 2)
    stream.close()
    assert [sent.data for sent in told] == poll.list(poll.mate)["notices"][::-1]
    blue = Reader(poll.blue.get(f"/games/{poll.game}/stream?after=start"))
    poll.operator.command(poll.game, "suspend_bonus", {"team": "blue", "bonus": "empire"})
    assert [sent.data["code"] for sent in until_notices(blue, 1)] == ["bonus_suspended"]
    blue.close()


def test_a_stream_id_from_before_there_were_notices_goes_on_with_all_of_them(poll: Poll) -> None:
    poll.open(poll.mate)
    stream = Reader(poll.red.get(f"/games/{poll.game}/stream", Last_Event_ID="public=1;team:red=1"))
    (told,) = until_notices(stream, 1)
    stream.close()
    assert told.data["id"] == "team:red=1"


def test_the_page_of_a_game_tells_a_player_what_concerns_her(poll: Poll) -> None:
    poll.open(poll.mate)
    path = f"/games/{poll.game}"
    own = poll.red.get(path, Accept="text/html")
    assert "What concerns you" in own.get_data(as_text=True)
    assert "Your vote is asked for" in own.get_data(as_text=True)
    for other in (poll.blue, poll.operator, poll.house.nobody()):
        assert "What concerns you" not in other.get(path, Accept="text/html").get_data(as_text=True)
    poll.operator.command(poll.game, "suspend_bonus", {"team": "red", "bonus": "empire"})
    assert "suspended your empire bonus" in poll.red.get(path, Accept="text/html").get_data(as_text=True)


@pytest.mark.parametrize(
    ("given", "stored"), [(None, list(DEFAULT_REMINDERS)), ([], []), ([30, {"seconds": 5}], [30, {"seconds": 5}])]
)
def test_a_creation_has_the_reminders_that_it_names_or_the_usual_one(
    served: House, given: list[Any] | None, stored: list[Any]
) -> None:
    operator, players = served.somebody("operator"), [served.somebody().account for _ in range(2)]
    body: dict[str, Any] = {"game": "exgenhoca", "create": {"players": players}}
    answer = operator.post("/games", body if given is None else {**body, "reminders": given})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    assert answer.get_json()["input"]["payload"]["reminders"] == stored


@pytest.mark.parametrize("wrong", [[0], [10_081], ["5"], "5", [1, 2, 3, 4, 5], [None], [{"seconds": 0}]])
def test_reminders_that_are_none_are_malformed(served: House, wrong: Any) -> None:
    body = {"game": GAMES[0].game, "create": {}, "reminders": wrong}
    assert code(served.somebody("operator").post("/games", body)) == (400, "malformed")
