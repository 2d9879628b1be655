"""A page of an input file that a disk has spoilt stops its partition; every other game is judged."""

from shared.log import partition_of
from tests.contract.sqlite_faults import damage
from tests.unit.resolver.house import House

ELSEWHERE = next(f"h{number}" for number in range(99) if partition_of(f"h{number}") != partition_of("g1"))


def test_a_damaged_input_file_stops_its_partition_alone(house: House) -> None:
    house.open("g1")
    house.open(ELSEWHERE)
    house.settle()
    house.say("g1", "ana", "order", name="cannot be read")
    house.say(ELSEWHERE, "ana", "order", name="goes on")
    damage(house.folder / "log" / "orders.db", f"orders_{partition_of('g1'):02}")

    for _ in range(6):
        house.resolver.round(0)

    assert house.told(ELSEWHERE)[-1] == "named"
    assert house.told("g1")[-1] == "opened"
    fault = house.resolver.ready_fault() or ""
    assert fault.startswith(f"partition {partition_of('g1')}: stopped: orders {partition_of('g1')} cannot be read")
