"""Messages: read by whoever may see their event, removed by moderators, and the log stays whole."""

from typing import Any

import pytest

from shared.canonical import canonical, sha256_hex
from shared.events import input_id
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code, register


class Talk:
    """A war of red with the commander `red`, and blue, in which something was said."""

    def __init__(self, house: House, operator: Player) -> None:
        self.house, self.operator = house, operator
        self.game = house.war(operator)
        self.red, self.mate, self.blue = (
            house.recruit(self.game, "red", "dunmere"),
            house.recruit(self.game, "red", "dunmere"),
            house.recruit(self.game, "blue", "elmgate"),
        )

    def say(self, who: Player, channel: str, text: str, key: str | None = None) -> str:
        """Say something; returns the message's id."""
        headers = {"Idempotency_Key": key} if key else {}
        answer = who.command(self.game, "chat", {"channel": channel, "text": text}, **headers)
        assert answer.status_code == 201, answer.get_data(as_text=True)
        return str(answer.get_json()["id"])

    def page(self, who: Player, query: str = "") -> Any:
        answer = who.get(f"/games/{self.game}/messages{query}")
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_json()

    def read(self, who: Player, query: str = "") -> list[str | None]:
        """The texts that somebody reads, None for one that was removed."""
        listed = self.page(who, query)["messages"]
        return [item["texts"]["text"] if item["texts"] else None for item in listed]

    def elect(self) -> None:
        """Make `red` a commander: nominated, voted, two turns closed."""
        third = self.house.recruit(self.game, "red", "dunmere")
        for voter in (self.mate, third):
            answer = voter.command(self.game, "nominate", {"kind": "commander", "target": self.red.account})
            assert answer.status_code == 201, answer.get_data(as_text=True)
        assert self.mate.command(self.game, "vote", {"poll": "red-1", "choice": "yes"}).status_code == 201
        for turn in (1, 2):
            assert self.operator.command(self.game, "close_turn", {"turn": turn}).status_code == 201


@pytest.fixture
def talk(house: House, operator: Player) -> Talk:
    return Talk(house, operator)


def test_a_message_is_read_by_those_who_may_see_its_event(house: House, operator: Player, talk: Talk) -> None:
    talk.say(talk.red, "team", "dawn")
    talk.say(talk.blue, "all", "hello")
    talk.say(talk.blue, "team", "dusk")
    assert talk.read(talk.red) == talk.read(talk.mate) == ["dawn", "hello"]
    assert talk.read(talk.blue) == ["hello", "dusk"]
    assert talk.read(house.nobody()) == talk.read(house.somebody()) == ["hello"]
    assert talk.read(operator) == ["dawn", "hello", "dusk"]


def test_a_channel_is_read_by_itself_and_a_foreign_one_does_not_exist(operator: Player, talk: Talk) -> None:
    talk.say(talk.red, "team", "dawn")
    talk.say(talk.red, "all", "hello")
    assert talk.read(talk.red, "?channel=team:red") == ["dawn"]
    assert talk.read(talk.red, "?channel=public") == ["hello"]
    assert talk.read(operator, "?channel=team:red") == ["dawn"]
    for channel in ("team:red", "team:nowhere", ""):
        answer = talk.blue.get(f"/games/{talk.game}/messages?channel={channel}")
        assert code(answer) == (404, "not_found")
        assert "public, team:blue" in answer.get_json()["detail"]


def test_messages_come_in_pages_in_the_order_of_time(talk: Talk) -> None:
    for number in range(5):
        talk.say(talk.red, "team" if number % 2 else "all", str(number))
    seen: list[str | None] = []
    query = "?limit=2"
    while True:
        body = talk.page(talk.red, query)
        seen += [item["texts"]["text"] for item in body["messages"]]
        if body["next"] is None:
            break
        query = f"?limit=2&after={body['next']}"
    assert seen == ["0", "1", "2", "3", "4"]
    assert code(talk.red.get(f"/games/{talk.game}/messages?after=x")) == (400, "malformed")


def test_a_reader_can_check_the_hash_of_what_she_reads(talk: Talk) -> None:
    talk.say(talk.red, "team", "dawn")
    (item,) = talk.page(talk.mate)["messages"]
    assert item["hash"] == sha256_hex(canonical({"salt": item["salt"], "texts": item["texts"]}))
    assert (item["channel"], item["author"], item["type"]) == (
        "team:red",
        talk.red.account,
        "warledger.gxc.chat_sent.v1",
    )
    assert item["name"].startswith("somebody")


def test_plan_and_mail_are_read_by_the_team_and_the_plan_stands_on_its_page(house: House, talk: Talk) -> None:
    talk.elect()
    assert talk.red.command(talk.game, "edit_battle_plan", {"text": "All on Elmgate."}).status_code == 201
    mail = talk.red.command(talk.game, "send_team_mail", {"subject": "Tonight", "body": "Say nothing."})
    assert mail.status_code == 201
    texts = [item["texts"] for item in talk.page(talk.mate)["messages"]]
    assert texts == [{"text": "All on Elmgate."}, {"subject": "Tonight", "body": "Say nothing."}]
    plan = talk.mate.get(f"/games/{talk.game}/orders").get_json()["teams"]["red"]["battle_plan"]
    assert plan["texts"] == {"text": "All on Elmgate."}
    for outsider in (talk.blue, house.nobody()):
        assert b"Elmgate." not in outsider.get(f"/games/{talk.game}/orders").data
        assert talk.read(outsider) == []


def test_a_moderator_removes_a_text_and_everything_else_stays(house: House, operator: Player, talk: Talk) -> None:
    message = talk.say(talk.red, "all", "rude")
    said = talk.page(talk.blue)["messages"][0]
    receipt = talk.red.get(f"/games/{talk.game}/inputs/{message}").get_json()
    before = talk.blue.get(f"/games/{talk.game}/messages")
    assert operator.send("DELETE", f"/games/{talk.game}/messages/{message}").status_code == 204
    after = talk.blue.get(f"/games/{talk.game}/messages", If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    (removed,) = after.get_json()["messages"]
    assert removed == {**said, "texts": None, "salt": None, "removed_at": removed["removed_at"]}
    assert removed["removed_at"] > 0
    assert talk.red.get(f"/games/{talk.game}/inputs/{message}").get_json() == receipt
    assert b"rude" not in b"".join(path.read_bytes() for path in house.settings.log_folder.iterdir() if path.is_file())


def words_on_disk(house: House, *words: bytes) -> list[bytes]:
    """Those of these words that stand in a file of the document stores, WAL included."""
    files = [path.read_bytes() for path in house.settings.docs_folder.iterdir() if path.is_file()]
    return [word for word in words if any(word in content for content in files)]


def test_the_words_of_a_removed_text_stand_in_no_file(house: House, operator: Player, talk: Talk) -> None:
    message = talk.say(talk.red, "all", "unspeakably rude")
    talk.say(talk.blue, "all", "politely put")
    salt = talk.page(talk.blue)["messages"][0]["salt"].encode()
    both = (b"unspeakably rude", b"politely put")
    assert words_on_disk(house, *both, salt) == [*both, salt]
    assert operator.send("DELETE", f"/games/{talk.game}/messages/{message}").status_code == 204
    assert words_on_disk(house, *both, salt) == [b"politely put"]


def test_the_name_of_a_deleted_account_stands_in_no_file(house: House) -> None:
    player = register(house, "Quillon Ashgrove")
    address = {"email": "quillon@ashgrove.example"}
    assert player.send("PATCH", "/accounts/me", address).status_code == 200
    words = (b"Quillon Ashgrove", b"quillon ashgrove", b"quillon@ashgrove.example")
    assert words_on_disk(house, *words) == [*words]
    assert player.send("DELETE", "/accounts/me").status_code == 204
    assert words_on_disk(house, *words) == []


def test_a_removed_plan_is_no_longer_on_the_page_of_orders(operator: Player, talk: Talk) -> None:
    talk.elect()
    plan = talk.red.command(talk.game, "edit_battle_plan", {"text": "All on Elmgate."}).get_json()["id"]
    path = f"/games/{talk.game}/orders"
    tag = talk.mate.get(path).headers["ETag"]
    assert operator.send("DELETE", f"/games/{talk.game}/messages/{plan}").status_code == 204
    shown = talk.mate.get(path, If_None_Match=tag).get_json()["teams"]["red"]["battle_plan"]
    assert (shown["message"], shown["texts"]) == (plan, None)


def test_what_was_removed_does_not_come_back_with_the_same_request(operator: Player, talk: Talk) -> None:
    message = talk.say(talk.red, "all", "rude", key="once")
    assert operator.send("DELETE", f"/games/{talk.game}/messages/{message}").status_code == 204
    assert talk.say(talk.red, "all", "rude", key="once") == message
    assert talk.read(talk.blue) == [None]


def test_only_operators_remove_and_only_what_is_there(house: House, operator: Player, talk: Talk) -> None:
    message = talk.say(talk.red, "all", "hello")
    path = f"/games/{talk.game}/messages/{message}"
    assert code(talk.red.send("DELETE", path)) == (403, "forbidden")
    assert code(house.nobody().send("DELETE", path)) == (401, "unauthenticated")
    assert code(operator.send("DELETE", f"/games/{talk.game}/messages/{'0' * 32}")) == (404, "not_found")
    assert code(operator.send("DELETE", f"/games/nowhere/messages/{message}")) == (404, "unknown_game")
    assert talk.read(talk.blue) == ["hello"]


def test_a_refused_message_is_read_by_nobody(talk: Talk) -> None:
    stranger = talk.house.somebody()
    answer = stranger.command(talk.game, "chat", {"channel": "all", "text": "let me in"})
    assert code(answer) == (422, "not_authorised")
    assert talk.read(stranger) == talk.read(talk.operator) == []


def test_a_player_who_deletes_her_account_leaves_hashes_and_no_text(talk: Talk) -> None:
    talk.say(talk.red, "team", "mine", key="mine")
    talk.say(talk.mate, "team", "hers")
    before = talk.page(talk.mate)["messages"]
    assert talk.red.send("DELETE", "/accounts/me").status_code == 204
    mine, hers = talk.page(talk.mate)["messages"]
    assert hers == before[1]
    assert (mine["id"], mine["hash"]) == (input_id(talk.game, talk.red.account, "mine"), before[0]["hash"])
    assert (mine["texts"], mine["salt"], mine["name"]) == (None, None, None)
