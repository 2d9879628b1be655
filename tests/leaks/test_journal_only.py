"""What the journal alone holds is hidden from operators too: what lies where before it is found (EXG-67, EXG-68)."""

from pathlib import Path

import pytest

from shared.dice import Draws, Stream
from shared.rules.exgenhoca import setup
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.state import NOBODY
from tests.leaks.exgenhoca import OWN_RECIPES, Campaign
from tests.leaks.house import Drawn, House, pin
from tests.leaks.visitors import Heard, blanked, same, visit

RECIPES = {name: recipe for name, recipe in OWN_RECIPES.items() if name != "GET /metrics"}
"""Metrics count what the process did, in both tellings together."""


def _hide(patches: pytest.MonkeyPatch) -> None:
    """Other effects lie elsewhere; everything else is dealt as ever."""
    place = setup._place_tokens

    def placed(play: Play, stream: Draws) -> None:
        stream.shuffle(list(range(list(play.state.owner).count(NOBODY))))
        place(play, Stream(b"elsewhere", setup.SCOPE))

    patches.setattr(setup, "_place_tokens", placed)


def _heard(folder: Path, drawn: Drawn, hidden: bool) -> Heard:
    house = House(folder)
    try:
        with pytest.MonkeyPatch.context() as patches:
            if hidden:
                _hide(patches)
            war = Campaign(house, drawn)
            war.begin()
        return visit(war, drawn, "round 2 open", visitors=("op",), recipes=RECIPES, writes=False)
    finally:
        house.close()


@pytest.mark.slow
def test_an_operator_does_not_learn_what_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views, streams, reports, the answer to the start of the game, and certificates without their sealed key."""
    pin(monkeypatch)
    drawn = Drawn(monkeypatch)
    plain, other = (_heard(tmp_path / str(hidden), drawn, hidden) for hidden in (False, True))
    same(blanked(plain), blanked(other))
    told = b"".join(got.body for question, got in plain.items() if "GET /games/" in question)
    assert b"objective_dealt" in told, "she sees what players keep to themselves"
    assert b"tokens_placed" not in told
    assert b'"sealed_key":"' not in told
