"""The partition of a key is Kafka's."""

import pytest

from shared.log import PARTITIONS, murmur2, partition_of


@pytest.mark.parametrize(
    ("data", "signed"),
    [
        # Vectors of Kafka's own UtilsTest.testMurmur2, as signed 32-bit integers.
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_gives_the_published_values(data: bytes, signed: int) -> None:
    assert murmur2(data) == signed & 0xFFFFFFFF


def test_partitions_are_spread_over_all() -> None:
    assert {partition_of(f"game-{n}") for n in range(500)} == set(range(PARTITIONS))
