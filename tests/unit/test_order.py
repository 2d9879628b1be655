"""The order of the files in a whole run."""

from pathlib import Path

from tests.order import LONGEST_FIRST

ROOT = Path(__file__).parents[2]


def test_every_file_that_is_to_come_first_exists_and_is_named_once() -> None:
    assert [file for file in LONGEST_FIRST if not (ROOT / file).is_file()] == []
    assert len(set(LONGEST_FIRST)) == len(LONGEST_FIRST)
