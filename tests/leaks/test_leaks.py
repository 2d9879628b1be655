"""Tellings of one war that differ only in what red keeps to itself: nobody else gets one byte of difference."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from services.gateway.openapi import build_document
from tests.leaks.house import Drawn, House, pin
from tests.leaks.visitors import RECIPES, Heard, blank, blanked, same, visit
from tests.leaks.war import SECRETS, War, at_random, talk

OPEN, CLOSED, OVER = "turn 3 open", "turn 3 closed", "war over"
MOMENTS = (OPEN, CLOSED, OVER)
SEEDS = range(1, 1 + int(os.environ.get("LEAK_SEEDS", "12")))
"""Tellings with secrets at random in the long form."""


class Told(NamedTuple):
    """What everybody heard in one telling, by moment, and the records of the chronicle at its end."""

    heard: Mapping[str, Heard]
    chronicle: list[tuple[object, ...]]


Tell = Callable[[str, Callable[[War], None], int], Told]


@pytest.fixture(scope="module")
def tell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tell]:
    """Tells the war with some secrets of turn 3, and so many words in turn 4."""
    patches = pytest.MonkeyPatch()
    pin(patches)
    # Small packs, so that few secrets already fill one.
    patches.setattr("services.resolver.outcome.ORIGINS_A_PACK", 4)
    drawn = Drawn(patches)
    yield lambda name, secrets, words: _tell(tmp_path_factory.mktemp("house"), drawn, secrets, words)
    patches.undo()


@pytest.fixture(scope="module")
def quiet(tell: Tell) -> Told:
    return tell("quiet", SECRETS["quiet"], 0)


def _tell(folder: Path, drawn: Drawn, secrets: Callable[[War], None], words: int) -> Told:
    house = House(folder)
    war = War(house, drawn)
    heard = {}
    try:
        war.begin()
        secrets(war)
        war.pass_time()
        heard[OPEN] = visit(war, drawn, OPEN)
        war.settle_red()
        war.close(3)
        heard[CLOSED] = blanked(visit(war, drawn, CLOSED))
        talk(war, words)
        war.settle_red()
        war.close(4)
        heard[OVER] = blanked(visit(war, drawn, OVER))
        chronicle: list[tuple[object, ...]] = [
            (record.offset, record.at, record.key, record.headers, blank(record.value)) for record in house.chronicle()
        ]
    finally:
        house.close()
    return Told(heard, chronicle)


def test_every_operation_of_the_api_is_asked(tmp_path: Path) -> None:
    house = House(tmp_path)
    document = build_document(house.apps["gateway"])
    house.close()
    operations = {
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method in item
        if method != "parameters"
    }
    assert set(RECIPES) == operations


@pytest.mark.slow
def test_nobody_who_may_not_know_gets_another_byte(tell: Tell, quiet: Told) -> None:
    """Reads, writes, refusals, streams, ETags, sizes and records of the chronicle."""
    _same(quiet, tell("busy", SECRETS["busy"], 11))


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_nor_with_other_secrets(tell: Tell, quiet: Told) -> None:
    _same(quiet, tell("otherwise busy", SECRETS["otherwise busy"], 2))


@pytest.mark.faults
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_nor_with_any_secrets(tell: Tell, quiet: Told, seed: int) -> None:
    _same(quiet, tell(f"seed {seed}", at_random(seed), seed))


def _same(quiet: Told, other: Told) -> None:
    for moment in MOMENTS:
        same(quiet.heard[moment], other.heard[moment])
    assert quiet.chronicle == other.chronicle
