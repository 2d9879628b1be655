"""What somebody writes straight into an input file is never obeyed, is listed, and disturbs nobody (design, Inputs)."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shared.canonical import canonical
from shared.events import Submitted
from shared.log import partition_of
from shared.log.sqlite_schema import table_of
from shared.signing import Signer
from shared.sqlite_file import connect
from shared.views.dump import lines
from tests.unit.gateway.house import House, Player
from tests.unit.warledger.running import call, eventually, rows, write_row
from warledger.journals import journal
from warledger.local import local_log

pytestmark = pytest.mark.slow


class Row(NamedTuple):
    """A record as a forger writes it."""

    topic: str
    key: str
    value: bytes
    at: int
    signature: str | None
    offset: int | None = None


class Crime:
    """The scene: a game and a bystander, what is genuine, and the keys that a forger might have got hold of."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.operator = house.somebody("operator")
        self.game, self.other = house.war(self.operator), house.war(self.operator)
        self.red = house.recruit(self.game, "red", "dunmere")
        self.blue = house.recruit(self.game, "blue", "elmgate")
        self.bystander = house.recruit(self.other, "red", "dunmere")
        spoken = self.red.command(self.game, "chat", {"channel": "team", "text": "now votes has a file of its own"})
        assert spoken.status_code == 201
        self.now = time.time_ns() // 1_000_000
        self._count = 0

    def order(self, **changes: Any) -> Submitted:
        """The order that everybody would like to have given."""
        self._count += 1
        payload = {"attack": {"target": "elmgate", "energy": 9}}
        made = Submitted(f"{self._count:032}", self.game, self.red.account, "player", "set_order", payload, "5" * 32)
        return replace(made, **changes)

    def signed(self, submitted: Submitted, service: str = "orders", at: int | None = None) -> str:
        """A signature with an intake's own key."""
        return Signer(service, self.house.settings.key(service)).sign(submitted.value(), self.now if at is None else at)

    def row(self, submitted: Submitted, signature: str | None, topic: str = "orders", key: str | None = None) -> Row:
        return Row(topic, key or submitted.game, submitted.value(), self.now, signature)


def unsigned(crime: Crime) -> Row:
    return crime.row(crime.order(), None)


def another_signature(crime: Crime) -> Row:
    return crime.row(crime.order(), f"orders:{'ab' * 32}")


def a_key_of_the_forger(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, Signer("orders", bytes(32)).sign(order.value(), crime.now))


def another_actor(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(replace(order, actor=crime.blue.account), crime.signed(order))


def another_role(crime: Crime) -> Row:
    order = crime.order()
    closing = replace(order, role="operator", type="close_turn", payload={"turn": 1})
    return crime.row(closing, crime.signed(order))


def a_genuine_record_of_yesterday(crime: Crime) -> Row:
    """Well signed, and older than the record before it: somebody copied it to the end."""
    order, yesterday = crime.order(), crime.now - 86_400_000
    return crime.row(order, crime.signed(order, at=yesterday))._replace(at=yesterday)


def behind_a_gap(crime: Crime) -> Row:
    return unsigned(crime)._replace(offset=2**31)


def another_service(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, crime.signed(order, "polls"))


def a_service_that_claims_anothers_name(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, "orders:" + crime.signed(order, "polls").partition(":")[2])


def another_topic(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, crime.signed(order), topic="votes")


def a_type_that_the_service_may_not_write(crime: Crime) -> Row:
    closing = crime.order(role="operator", type="close_turn", payload={"turn": 1})
    return crime.row(closing, crime.signed(closing, "polls"), topic="votes")


def an_input_of_the_clock(crime: Crime) -> Row:
    closing = crime.order(role="clock", actor="clock", type="close_turn", payload={"turn": 1})
    return crime.row(closing, crime.signed(closing))


def another_game_inside(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(replace(order, game=crime.other), crime.signed(order), key=crime.game)


def a_genuine_record_under_another_key(crime: Crime) -> Row:
    order = crime.order(game=crime.other, actor=crime.bystander.account)
    return crime.row(order, crime.signed(order), key=crime.game)


def another_time(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, crime.signed(order, at=crime.now - 60_000))


def a_tick_of_tomorrow(crime: Crime) -> Row:
    """A genuine tick whose time somebody moved behind the deadline, to close the turn."""
    tick = Signer("ticks", crime.house.settings.key("ticks")).sign(b"", crime.now)
    return Row("orders", "", b"", crime.now + 30 * 86_400_000, tick)


def a_command_in_the_name_of_the_ticks(crime: Crime) -> Row:
    order = crime.order()
    return crime.row(order, crime.signed(order, "ticks").replace("ticks", "orders"))


def no_input_at_all(crime: Crime) -> Row:
    value = canonical({"type": "set_order"})
    signature = Signer("orders", crime.house.settings.key("orders")).sign(value, crime.now)
    return Row("orders", crime.game, value, crime.now, signature)


FORGERIES: dict[Callable[[Crime], Row], tuple[str, str]] = {
    unsigned: ("forged", "the record has no valid signature"),
    another_signature: ("forged", "the record has no valid signature"),
    a_key_of_the_forger: ("forged", "the record has no valid signature"),
    another_actor: ("forged", "the record has no valid signature"),
    another_role: ("forged", "the record has no valid signature"),
    a_genuine_record_of_yesterday: ("forged", "the record has no valid signature"),
    behind_a_gap: ("forged", "the record has no valid signature"),
    another_service: ("forged", "polls may not write 'set_order' to orders"),
    a_service_that_claims_anothers_name: ("forged", "the record has no valid signature"),
    another_topic: ("forged", "orders may not write 'set_order' to votes"),
    a_type_that_the_service_may_not_write: ("forged", "polls may not write 'close_turn' to votes"),
    an_input_of_the_clock: ("unreadable", "role must be player or operator, payload an object"),
    another_game_inside: ("forged", "the record has no valid signature"),
    a_genuine_record_under_another_key: (
        "forged",
        "the record stands under the key, or in the partition, of another game",
    ),
    another_time: ("forged", "the record has no valid signature"),
    a_tick_of_tomorrow: ("forged", "the record has no valid signature"),
    a_command_in_the_name_of_the_ticks: ("forged", "the record has no valid signature"),
    no_input_at_all: ("unreadable", "an input has exactly actor, game, id, payload, role, salt, type"),
}


def told(house: House, game: str) -> list[bytes]:
    with local_log(house.settings) as log:
        return [event.line() for event in journal(log, game)]


def accepted(player: Player, game: str, defend: int) -> bool:
    return player.command(game, "set_order", {"defend": defend}).status_code == 201


@pytest.fixture
def crime(house: House) -> Crime:
    return Crime(house)


def test_forged_records_are_listed_and_nothing_else_happens(house: House, crime: Crime, tmp_path: Path) -> None:
    data = house.settings.keys.parent
    before = {game: told(house, game) for game in (crime.game, crime.other)}
    shown = list(lines(house.documents, 1))
    assert rows(data, "deadletters") == []

    expected = []
    for forgery, (reason, detail) in FORGERIES.items():
        row = forgery(crime)
        place = write_row(house.settings.log_folder, row.topic, crime.game, *row[2:5], key=row.key, offset=row.offset)
        expected.append((*place, reason, detail))
    eventually(lambda: len(rows(data, "deadletters")) == len(expected), "every forged record is a dead letter")

    listed = rows(data, "deadletters")
    found = [tuple(row[name] for name in ("topic", "partition", "offset", "reason", "detail")) for row in listed]
    assert sorted(found) == sorted(expected)
    assert all(crime.now <= row["at"] <= time.time_ns() // 1_000_000 for row in listed)
    assert {row["game"] for row in listed} == {crime.game, "unknown"}
    assert len(rows(data, "deadletters", "--game", crime.game)) == len(expected) - 1  # the tick has no key
    assert rows(data, "deadletters", "--game", crime.other) == []

    assert {game: told(house, game) for game in before} == before
    assert list(lines(house.documents, 1)) == shown
    for player, game in ((crime.red, crime.game), (crime.blue, crime.game), (crime.bystander, crime.other)):
        assert accepted(player, game, 2)
    assert crime.operator.command(crime.game, "close_turn", {"turn": 1}).status_code == 201
    assert len(rows(data, "deadletters")) == len(expected)


@pytest.mark.parametrize("offset", [-1, -(2**63), 2**62 - 1, 2**62, 2**63 - 1])
def test_a_row_beyond_every_offset_is_no_record_and_stops_nobody(house: House, crime: Crime, offset: int) -> None:
    row = unsigned(crime)
    write_row(house.settings.log_folder, row.topic, crime.game, *row[2:5], offset=offset)

    assert accepted(crime.red, crime.game, 3)
    assert accepted(crime.blue, crime.game, 2)
    assert crime.operator.command(crime.game, "close_turn", {"turn": 1}).status_code == 201
    assert rows(house.settings.keys.parent, "deadletters") == []


def test_the_list_can_be_read_by_people(house: House, crime: Crime) -> None:
    data = house.settings.keys.parent
    row = unsigned(crime)
    write_row(house.settings.log_folder, row.topic, crime.game, *row[2:5])
    eventually(lambda: bool(rows(data, "deadletters")), "the forged record is a dead letter")
    printed = call(data, "deadletters").output
    assert "forged" in printed
    assert "has no" in printed


def test_a_tick_that_is_written_a_second_time_says_nothing_new(house: House, crime: Crime) -> None:
    """Its time is true, and passed: whatever is appended behind it has a later one. So it closes nothing."""
    data = house.settings.keys.parent
    value = Signer("ticks", house.settings.key("ticks")).sign(b"", crime.now)
    for _ in range(3):
        write_row(house.settings.log_folder, "orders", crime.game, b"", crime.now, value, key="")
    before = told(house, crime.game)

    assert accepted(crime.red, crime.game, 1)

    new = told(house, crime.game)[len(before) :]
    assert [b"warledger.host.input." in line for line in new] == [True] + [False] * (len(new) - 1)
    assert b'"defend":1' in new[0]
    assert rows(data, "deadletters") == []


def test_a_genuine_record_that_is_written_a_second_time_is_judged_as_repeated(house: House, crime: Crime) -> None:
    assert accepted(crime.red, crime.game, 4)
    table = table_of("orders", partition_of(crime.game))
    connection = connect(house.settings.log_folder / "orders.db", create=False)
    sql = f"SELECT at, value, signature FROM {table} WHERE key = ? ORDER BY offset DESC LIMIT 1"
    at, value, signature = connection.execute(sql, (crime.game,)).fetchone()
    connection.close()

    write_row(house.settings.log_folder, "orders", crime.game, value, at, signature)

    eventually(lambda: b"input.repeated" in told(house, crime.game)[-1], "the second one is judged as repeated")
    assert rows(house.settings.keys.parent, "deadletters") == []
