"""`warledger map show` asks for the layer that is named, as a picture or as a table."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warledger.commands import map as command

TABLE = {
    "columns": ["id", "Zone", "Owner", "Forces"],
    "rows": [["a", "Alder Bay", "Ana", "Ana: 2 troops"], ["b", "Barrow", "nobody", ""]],
}


class Gateway:
    """Answers every map with a picture or the table, and notes what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get(self, path: str, **headers: str) -> Any:
        self.asked.append(path)
        return "<svg/>" if headers else TABLE


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Gateway:
    made = Gateway()
    monkeypatch.setattr(command, "gateway", lambda: made)
    return made


def show(*arguments: str) -> str:
    done = CliRunner().invoke(command.map_group, ["show", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_layer_is_drawn(gateway: Gateway, tmp_path: Path) -> None:
    assert show("spring", "--layer", "forces") == "<svg/>\n"
    show("spring", "--layer", "a/b", "--out", str(tmp_path / "x.svg"))
    show("spring")
    assert gateway.asked == ["/games/spring/map?layer=forces", "/games/spring/map?layer=a%2Fb", "/games/spring/map"]
    assert (tmp_path / "x.svg").read_text() == "<svg/>"


def test_a_layer_is_told_as_a_table_control_if_none_is_named(gateway: Gateway) -> None:
    told = show("spring", "--table")
    assert [word for word in ("Zone", "Alder Bay", "Ana: 2 troops", "nobody") if word not in told] == []
    assert gateway.asked == ["/games/spring/map?layer=control"]


def test_a_map_of_a_file_has_no_layers(gateway: Gateway) -> None:
    assert "Ashford" in show("small-eight")
    assert gateway.asked == []
