"""Server-sent events: each id counts the viewer's own feed, and a stream goes on where it stopped."""

import contextlib
import itertools
import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from services.gateway import streams
from services.gateway.streaming_ids import event_id, read_event_id
from services.gateway.tokens import Identity
from shared.errors import Problem
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code


class Sent(NamedTuple):
    """One server-sent event."""

    id: str
    event: str
    data: Any


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A streams instance with room for two streams."""
    house = House(tmp_path_factory.mktemp("streams"), role="streams", WARLEDGER_MAX_STREAMS="2")
    house.run()
    yield house
    house.close()


class Reader:
    """Reads an open stream event by event."""

    def __init__(self, answer: TestResponse) -> None:
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
        self._answer = answer
        self._chunks = answer.iter_encoded()
        self._text = ""

    def next(self) -> Sent:
        while "\n\n" not in self._text:
            self._text += next(self._chunks).decode()
        block, _, self._text = self._text.partition("\n\n")
        if block.startswith(":"):
            return Sent("", "comment", block)
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        return Sent(fields["id"], fields["event"], json.loads(fields["data"]))

    def until(self, event: str) -> Sent:
        while True:
            sent = self.next()
            if sent.event == event:
                return sent

    def rest(self) -> Iterator[Sent]:
        """Everything up to the end of the stream."""
        with contextlib.suppress(StopIteration):
            while True:
                yield self.next()

    def close(self) -> None:
        self._answer.close()


def opened(player: Player, game: str, query: str = "", **headers: str) -> Reader:
    return Reader(player.get(f"/games/{game}/stream{query}", **headers))


@pytest.fixture
def master(served: House) -> Player:
    return served.somebody("operator")


@pytest.fixture
def game(served: House, master: Player) -> str:
    return served.war(master)


def test_a_stream_begins_with_now_and_tells_what_happens(served: House, game: str) -> None:
    stream = opened(served.nobody(), game)
    assert stream.next().event == "opened"
    served.recruit(game, "red", "dunmere")
    sent = stream.next()
    assert sent.event == "warledger.gxc.joined.v1"
    assert sent.data["type"] == sent.event
    stream.close()


def test_a_stream_goes_on_after_the_last_event_that_was_read(served: House, game: str) -> None:
    served.recruit(game, "red", "dunmere")
    stream = opened(served.nobody(), game, "?after=start")
    everything = [stream.next() for _ in range(5)]
    stream.close()
    resumed = opened(served.nobody(), game, Last_Event_ID=everything[2].id)
    assert resumed.next().event == "opened"
    assert [resumed.next() for _ in range(2)] == everything[3:]
    resumed.close()


def test_a_stranger_sees_no_order_and_her_ids_do_not_move(served: House, game: str) -> None:
    red = served.recruit(game, "red", "dunmere")
    stream, own = opened(served.nobody(), game), opened(red, game)
    before = stream.next().id
    red.command(game, "set_order", {"defend": 1})
    assert own.until("warledger.gxc.order_set.v1").data["data"]["defend"] == 1
    stream.close()
    again = opened(served.nobody(), game)
    assert again.next().id == before
    again.close()
    own.close()


def test_a_judgement_does_not_tell_its_sender_how_much_others_send(served: House, master: Player, game: str) -> None:
    red = served.recruit(game, "red", "dunmere")
    own, all_of_it = opened(red, game), opened(master, game)
    red.command(game, "set_order", {"defend": 1})
    for verdict, payload in (("accepted", {"defend": 1}), ("rejected", {"defend": 999})):
        red.command(game, "set_order", payload)
        shown = own.until(f"warledger.host.input.{verdict}.v1").data["data"]
        assert "seq" not in shown
        assert shown["input"]["actor"] == red.account
        assert "seq" in all_of_it.until(f"warledger.host.input.{verdict}.v1").data["data"]
    own.close()
    all_of_it.close()


def test_a_players_feed_grows_with_the_team_she_joins(served: House, game: str) -> None:
    player = served.somebody()
    stream = opened(player, game)
    assert "team:red" not in stream.next().id
    player.command(game, "join", {"team": "red"})
    player.command(game, "place", {"territory": "dunmere"})
    assert "team:red" in stream.until("warledger.gxc.placed.v1").id
    stream.close()


def test_streams_beyond_the_limit_are_refused_and_a_closed_one_makes_room(served: House, game: str) -> None:
    first, second = opened(served.nobody(), game), opened(served.nobody(), game)
    refused = served.nobody().get(f"/games/{game}/stream")
    assert code(refused) == (429, "too_many_streams")
    assert refused.headers["Retry-After"]
    first.close()
    third = opened(served.nobody(), game)
    assert third.next().event == "opened"
    third.close()
    second.close()


def test_a_head_request_takes_no_place(served: House, game: str) -> None:
    for _ in range(5):
        assert served.nobody().send("HEAD", f"/games/{game}/stream").status_code == 200
    opened(served.nobody(), game).close()


def test_silence_is_broken_by_a_heartbeat_and_ends_with_the_token(
    served: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.05)
    player = served.somebody()
    stream = opened(player, game)
    stream.next()
    assert stream.next().event == "comment"
    player.send("DELETE", "/tokens")
    assert all(sent.event == "comment" for sent in stream.rest())
    stream.close()


@pytest.mark.parametrize("gone", ["/tokens", "/accounts/me"])
def test_a_stream_ends_soon_after_its_token_while_there_is_always_something_to_tell(
    served: House, game: str, gone: str
) -> None:
    reader, mate = (served.recruit(game, "red", "dunmere") for _ in range(2))
    stream = opened(reader, game)
    assert stream.next().event == "opened"
    said = 0

    def hears() -> bool:
        """Whether the reader is told what her mate says now; False if her stream ends instead."""
        nonlocal said
        said += 1
        assert mate.command(game, "chat", {"channel": "team", "text": f"secret {said}"}).status_code == 201
        return [sent.event for sent in itertools.islice(stream.rest(), 1)] == ["warledger.gxc.chat_sent.v1"]

    assert hears()
    assert hears()
    assert reader.send("DELETE", gone).status_code == 204
    end = time.monotonic() + streams.TOKEN_SECONDS
    in_time = True
    while hears():
        assert in_time, "she was told after her token had been gone for so long"
        in_time = time.monotonic() < end
    stream.close()


@pytest.mark.parametrize("last", ["x", "public", "public=", "public=-1", "public=1,x=2", "=1", "public=1e3", "ü=1"])
def test_an_id_that_is_none_is_malformed(served: House, game: str, last: str) -> None:
    assert code(served.nobody().get(f"/games/{game}/stream?after={last}")) == (400, "malformed")


@pytest.mark.parametrize("counts", [{"public": 0}, {"": 12}, {"player:u-1_x": 3, "public": 9, "team:red": 4}])
def test_an_id_reads_back_as_the_counts_it_was_made_of(counts: Mapping[str, int]) -> None:
    assert read_event_id(event_id(counts)) == counts


def test_an_id_from_beyond_the_end_or_of_others_is_taken_as_the_end(served: House, game: str) -> None:
    stream = opened(served.nobody(), game, Last_Event_ID="public=999999;team:blue=5")
    sent = stream.next()
    counts = read_event_id(sent.id)
    assert counts is not None
    assert counts.keys() == {"public"}
    assert counts["public"] < 999999
    stream.close()


def test_an_unknown_game_has_no_stream(served: House) -> None:
    assert code(served.nobody().get("/games/nowhere/stream")) == (404, "unknown_game")


def test_the_main_instance_sends_on_with_a_ticket_in_place_of_the_token(house: House, played: str) -> None:
    player = house.somebody()
    answer = player.get(f"/games/{played}/stream?after=start")
    assert answer.status_code == 307
    location = answer.headers["Location"]
    assert location.startswith(f"{house.settings.urls['streams']}/games/{played}/stream?after=start&ticket=")
    assert player.token is not None
    assert player.token.split(".")[2] not in location
    anonymous = house.nobody().get(f"/games/{played}/stream").headers["Location"]
    assert anonymous == f"{house.settings.urls['streams']}/games/{played}/stream"


def test_a_ticket_opens_the_holders_stream(served: House, game: str) -> None:
    red = served.recruit(game, "red", "dunmere")
    ticket = served.context.tickets.issue(game, identity_of(served, red))
    stream = opened(served.nobody(), game, f"?ticket={ticket}")
    assert "team:red" in stream.next().id
    stream.close()


def identity_of(house: House, player: Player) -> Identity:
    assert player.token is not None
    return house.context.tokens.check(player.token)


def test_a_ticket_that_was_changed_or_is_for_another_game_opens_nothing(served: House, game: str) -> None:
    ticket = served.context.tickets.issue(game, identity_of(served, served.somebody()))
    for wrong in (ticket[:-1], "9" + ticket, "", "a.b.c", ticket.replace(".", "", 1), "ü"):
        with pytest.raises(Problem, match="unauthenticated"):
            served.context.tickets.take(game, wrong)
    with pytest.raises(Problem, match="unauthenticated"):
        served.context.tickets.take("other", ticket)


def test_a_ticket_dies_with_its_token(served: House, game: str) -> None:
    player = served.somebody()
    ticket = served.context.tickets.issue(game, identity_of(served, player))
    player.send("DELETE", "/tokens")
    assert code(served.nobody().get(f"/games/{game}/stream?ticket={ticket}")) == (401, "unauthenticated")


@pytest.mark.slow
def test_streams_end_when_the_process_stops(tmp_path: Path) -> None:
    house = House(tmp_path, role="streams")
    house.run()
    try:
        game = house.war(house.somebody("operator"))
        stream = opened(house.nobody(), game)
        stream.next()
        ended = threading.Event()

        def read() -> None:
            with pytest.raises(StopIteration):
                stream.next()
            ended.set()

        reader = threading.Thread(target=read)
        reader.start()
        house.context.watch.stop()
        assert ended.wait(60)
        reader.join()
        stream.close()
    finally:
        house.close()
