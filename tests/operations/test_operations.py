"""The guard of `make check` that does not time: no workload does more than it did, and nothing grows with who rests."""

import pytest

from tests.operations.comparing import HOW_TO, differences, read
from tests.operations.counting import Counts
from tests.operations.workloads import counted, gxc_turn, one_orders, plain


def test_no_workload_does_more_than_is_recorded() -> None:
    found = [item.told() for item in differences(read(), plain(counted()))]
    assert not found, "\n".join(["", *found, HOW_TO])


def test_the_same_workload_counts_the_same_again() -> None:
    assert gxc_turn(120, 24) == gxc_turn(120, 24)


@pytest.mark.parametrize("players", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_turn_in_which_one_player_orders_does_as_much_in_a_large_game_as_in_one_of_a_hundred(players: int) -> None:
    for small, large in zip(one_orders(100), one_orders(players), strict=True):
        assert _operations(large) == _operations(small)
        for name in ("bytes of the journal", "bytes of documents", "bytes of feeds", "bytes of judgements"):
            # Sums of energy have more digits.
            assert 0 < large[name] <= 1.2 * small[name], name


def test_work_grows_with_the_players_and_not_faster() -> None:
    small, large = gxc_turn(200, 40), gxc_turn(2_000, 400)
    for counter in ("events", "calls of evolve", "draws", "territories looked around", "writes projected"):
        assert large[counter] <= 11 * small[counter], counter


def _operations(counts: Counts) -> dict[str, int]:
    """Without bytes, and without the snapshot, which holds the whole game."""
    return {name: count for name, count in counts.items() if "bytes" not in name and "snapshots" not in name}
