"""Tellings of one game that differ in secrets alone: nobody who may not know gets one byte of difference."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from services.gateway.openapi import build_document
from shared.log import Record
from shared.rules import GAMES
from tests.leaks.house import Drawn, House, pin
from tests.leaks.story import Story, Teller, Telling, story_of
from tests.leaks.visitors import RECIPES, Heard, blank, blanked, same

PACKAGES = sorted({item.package for item in GAMES})
STORIES: Mapping[str, Story] = {
    package: story_of(package) for package in PACKAGES if Path(__file__).with_name(f"{package}.py").exists()
}
QUICK = [(package, name) for package, story in STORIES.items() for name in story.others]
LONG = [(package, name) for package, story in STORIES.items() for name in story.long]


class Told(NamedTuple):
    """What everybody heard in one telling, by moment, and the records of the chronicle at its end."""

    heard: Mapping[str, Heard]
    chronicle: list[Record]


Tell = Callable[[Teller], Told]


@pytest.fixture(scope="module")
def tell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tell]:
    """Tells a game; the same teller once."""
    with pytest.MonkeyPatch.context() as patches:
        pin(patches)
        # Small packs, so that few secrets already fill one.
        patches.setattr("services.resolver.outcome.ORIGINS_A_PACK", 4)
        # Few feeds stand together, and few entries: whether they do depends on secrets, and no reader may tell.
        patches.setattr("shared.views.chunks.FEWEST_TOGETHER", 1)
        patches.setattr("shared.views.chunks.MOST_TOGETHER", 6)
        drawn = Drawn(patches)
        yield cache(lambda teller: _tell(tmp_path_factory.mktemp("house"), drawn, teller))


def _tell(folder: Path, drawn: Drawn, teller: Teller) -> Told:
    house = House(folder)
    try:
        heard = teller(house, drawn)
        chronicle = house.chronicle()
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


@pytest.mark.parametrize("package", PACKAGES)
def test_every_game_is_told_with_other_secrets(package: str) -> None:
    assert package in STORIES, f"add tests/leaks/{package}.py with STORY (tests/leaks/story.py)"
    assert STORIES[package].others


@pytest.mark.slow
@pytest.mark.parametrize(("package", "name"), QUICK)
def test_nobody_who_may_not_know_gets_another_byte(tell: Tell, package: str, name: str) -> None:
    """Reads, writes, refusals, advice, streams, ETags, sizes and records of the chronicle."""
    _compare(tell, STORIES[package].plain, STORIES[package].others[name])


@pytest.mark.faults
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("package", "name"), LONG)
def test_nor_with_other_secrets(tell: Tell, package: str, name: str) -> None:
    _compare(tell, STORIES[package].plain, STORIES[package].long[name])


def _compare(tell: Tell, plainly: Teller, telling: Telling) -> None:
    plain, other = tell(plainly), tell(telling.tell)
    moments = list(plain.heard)
    assert list(other.heard) == moments
    covered = moments.index(telling.covered)
    for number, moment in enumerate(moments):
        one, two = plain.heard[moment], other.heard[moment]
        if number >= covered:
            one, two = (blanked(heard, counted=telling.counted) for heard in (one, two))
        if moment == telling.revealed:
            assert one != two, f"{moment}: the secrets are revealed"
            return
        same(one, two)
    told, as_told = ([_blanked(record, telling.counted) for record in item.chronicle] for item in (plain, other))
    assert told == as_told


def _blanked(record: Record, counted: bool) -> tuple[object, ...]:
    return record.offset, record.at, record.key, record.headers, blank(record.value, counted=counted)
