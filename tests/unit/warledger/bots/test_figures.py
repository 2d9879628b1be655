"""Statistics of a series, against values of published tables."""

import pytest

from warledger.bots.figures import chi_square, chi_square_beyond, even, lengths, share


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (22.362, 13, 0.05)],
)
def test_the_chance_of_a_chi_square_is_that_of_the_tables(statistic: float, degrees: int, p: float) -> None:
    assert chi_square_beyond(statistic, degrees) == pytest.approx(p, rel=0.002)


def test_counts_as_expected_have_no_chi_square_and_skewed_ones_have_a_large_one() -> None:
    assert chi_square([10, 10, 10], [10, 10, 10]) == (0, 2, 1)
    assert even({1: 30, 2: 10, 3: 20}).p == pytest.approx(0.0067, abs=1e-4)


def test_a_share_has_wilsons_interval() -> None:
    found = share(50, 100)
    assert [found.share, found.low, found.high] == pytest.approx([0.5, 0.4038, 0.5962], abs=1e-4)
    assert (share(0, 20).low, share(20, 20).high) == (0, 1)


def test_lengths_are_values_that_occurred_in_their_order() -> None:
    assert lengths([5, 1, 4, 2, 3]) == (1, 2, 3, 4, 5, 5)
    assert lengths([7]) == (7, 7, 7, 7, 7, 7)
