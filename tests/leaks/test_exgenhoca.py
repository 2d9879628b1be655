"""Tellings of one game of Exgenhoca Wars that differ in secrets alone: nobody who may not know gets another byte."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.leaks.exgenhoca import OWN_RECIPES, VISITORS, Campaign, busy, hide, quiet
from tests.leaks.house import Drawn, House, pin
from tests.leaks.visitors import Heard, blanked, same, visit

OPEN, CLOSED, OVER = "round 2 open", "round 2 closed", "game over"
Told = Mapping[str, Heard]
Tell = Callable[[Callable[[Campaign], None], bool], Told]


@pytest.fixture(scope="module")
def tell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tell]:
    """Tells the game with some policies in round 2; True hides other things in its setup."""
    with pytest.MonkeyPatch.context() as patches:
        pin(patches)
        drawn = Drawn(patches)
        yield lambda secrets, hidden: _tell(tmp_path_factory.mktemp("house"), drawn, secrets, hidden)


@pytest.fixture(scope="module")
def told(tell: Tell) -> Told:
    return tell(quiet, False)


def _tell(folder: Path, drawn: Drawn, secrets: Callable[[Campaign], None], hidden: bool) -> Told:
    house = House(folder)
    heard = {}

    def everybody(when: str) -> Heard:
        return visit(war, drawn, when, visitors=VISITORS, recipes=OWN_RECIPES)

    try:
        with pytest.MonkeyPatch.context() as patches:
            if hidden:
                hide(patches)
            war = Campaign(house, drawn)
            war.begin()
        secrets(war)
        war.pass_time()
        heard[OPEN] = everybody(OPEN)
        war.settle()
        for name in ("b1", "b2"):
            war.attack(name)
        war.close(2)
        heard[CLOSED] = everybody(CLOSED)
        war.close(3)
        heard[OVER] = everybody(OVER)
    finally:
        house.close()
    return heard


@pytest.mark.slow
def test_nobody_learns_of_the_policies_of_another_or_how_often_they_changed(tell: Tell, told: Told) -> None:
    """Reads, writes, refusals, advice, streams, ETags and sizes; behind dice the commitments aside."""
    other = tell(busy, False)
    same(told[OPEN], other[OPEN])
    for moment in (CLOSED, OVER):
        same(blanked(told[moment]), blanked(other[moment]))


@pytest.mark.slow
def test_nobody_learns_what_is_hidden_or_the_objective_of_another_before_the_end(tell: Tell, told: Told) -> None:
    other = tell(quiet, True)
    for moment in (OPEN, CLOSED):
        same(blanked(told[moment]), blanked(other[moment]))
    assert blanked(told[OVER]) != blanked(other[OVER]), "at the end both are revealed"
