"""The demo of any game: the one that is named is played, and one without a map to draw is none the worse."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from shared.rules import GAMES
from shared.rules.interface import CONTROL, Layer
from warledger.api import Answer, Client, Refused
from warledger.demo.drawing import draw

ROOT = Path(__file__).parents[3]


LAYERS = (CONTROL, Layer("forces", "Forces"))


class Gateway(Client):
    """Gives one answer to everything that is read."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__("http://127.0.0.1:1")
        self._answer = Answer(status, {}, body)

    def get(self, path: str, **headers: str) -> Any:
        if self._answer.status >= 400:
            raise Refused(self._answer)
        return self._answer.body


def test_the_last_map_is_drawn_in_all_its_layers(tmp_path: Path) -> None:
    said = draw(Gateway(200, "<svg/>"), "war", tmp_path / "war.svg", LAYERS)
    assert said == f"final map: {tmp_path / 'war.svg'}, {tmp_path / 'war-forces.svg'}"
    assert (tmp_path / "war-forces.svg").read_text() == "<svg/>"
    assert (tmp_path / "war.svg").read_text() == "<svg/>"


def test_a_game_without_a_map_to_draw_is_played_all_the_same(tmp_path: Path) -> None:
    said = draw(Gateway(406, {"code": "not_acceptable", "detail": "no map"}), "war", tmp_path / "war.svg", LAYERS)
    assert "none that can be drawn" in said
    assert list(tmp_path.iterdir()) == []


def test_any_other_refusal_of_the_map_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        draw(Gateway(404, {"code": "unknown_id", "detail": "no game"}), "war", tmp_path / "war.svg", LAYERS)


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_make_demo_plays_the_game_that_is_named(game: str) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "-n", "demo", f"GAME={game}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=200,
    )
    assert done.stdout.rstrip().endswith(f"warledger demo {game}")
