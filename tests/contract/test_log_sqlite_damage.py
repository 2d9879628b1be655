"""A file with a page that a disk has spoilt: what is there is read, and what is not is named."""

from pathlib import Path
from typing import NoReturn

import pytest

from shared.log import LogDamaged, Reader, TopicPartition
from tests.contract.log_house import draft, everything, key_in, values
from tests.contract.sqlite_faults import damage
from tests.contract.test_log_sqlite import SqliteHouse


def read_without_end(reader: Reader) -> NoReturn:
    while True:
        reader.poll(0)


def test_damage_names_its_partition_and_the_others_are_read(tmp_path: Path) -> None:
    house = SqliteHouse(tmp_path / "log")
    log = house.log()
    for partition in (0, 1, 2):
        log.append("orders", [draft(key_in(partition), f'{{"p":{partition}}}')])
    log.close()
    damage(tmp_path / "log" / "orders.db", "orders_01")
    wanted = everything("orders", "votes")
    reader = log.reader()
    reader.assign(wanted)

    with pytest.raises(LogDamaged, match="orders 1 cannot be read") as damaged:
        read_without_end(reader)

    assert damaged.value.places == (TopicPartition("orders", 1),)
    reader.assign({place: mark for place, mark in wanted.items() if place not in damaged.value.places})
    assert sorted(values(reader.poll(0))) == ['{"p":0}', '{"p":2}']
    reader.close()
