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


TABLE = {"columns": ["id", "Zone", "Troops"], "rows": [["n", "Northmark", 12], ["s", "South", ""]]}
NO_MAP = Answer(406, {}, {"code": "not_acceptable", "detail": "no map"})


class Gateway(Client):
    """Gives one answer to who asks for a drawing, and one to who asks for its table."""

    def __init__(self, drawing: Answer, table: Answer) -> None:
        super().__init__("http://127.0.0.1:1")
        self._answers = {"image/svg+xml": drawing, "application/json": table}

    def get(self, path: str, **headers: str) -> Any:
        answer = self._answers[headers["Accept"]]
        if answer.status >= 400:
            raise Refused(answer)
        return answer.body


def test_the_last_map_is_drawn_in_all_its_layers_beside_tables_that_say_the_same(tmp_path: Path) -> None:
    gateway = Gateway(Answer(200, {}, "<svg/>"), Answer(200, {}, TABLE))
    said = [*draw(gateway, "war", tmp_path / "war.svg", LAYERS)]
    assert said == [
        f"final map: {tmp_path / 'war.svg'}, {tmp_path / 'war-forces.svg'}",
        f"the same as tables: {tmp_path / 'war.txt'}, {tmp_path / 'war-forces.txt'}",
    ]
    for name in ("war", "war-forces"):
        assert (tmp_path / f"{name}.svg").read_text() == "<svg/>"
        lines = (tmp_path / f"{name}.txt").read_text().splitlines()
        assert lines == ["id  Zone       Troops", "n   Northmark  12", "s   South"]


def test_a_map_that_cannot_be_drawn_has_its_tables(tmp_path: Path) -> None:
    said = [*draw(Gateway(NO_MAP, Answer(200, {}, TABLE)), "war", tmp_path / "war.svg", LAYERS)]
    assert "none that can be drawn" in said[0]
    assert said[1].startswith("the same as tables: ")
    assert {path.name for path in tmp_path.iterdir()} == {"war.txt", "war-forces.txt"}


def test_a_game_without_a_map_is_played_all_the_same(tmp_path: Path) -> None:
    [said] = draw(Gateway(NO_MAP, NO_MAP), "war", tmp_path / "war.svg", LAYERS)
    assert "none that can be drawn" in said
    assert list(tmp_path.iterdir()) == []


def test_any_other_refusal_of_the_map_is_a_fault(tmp_path: Path) -> None:
    unknown = Answer(404, {}, {"code": "unknown_id", "detail": "no game"})
    with pytest.raises(Refused):
        list(draw(Gateway(unknown, unknown), "war", tmp_path / "war.svg", LAYERS))


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
