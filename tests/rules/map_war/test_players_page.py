"""Every command on the players' page is accepted as it stands there, and every question is answered."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from shared.rules.interface import Refusal
from shared.rules.map_war import RULES
from shared.scenarios.table import Table

PAGE = (Path(__file__).parents[3] / "docs" / "players.md").read_text()
PART = PAGE[PAGE.index("In Map War 3 everybody") : PAGE.index("## What an answer means")]
ZONES: Mapping[str, Any] = {
    "a": {"kind": "land", "neighbours": ["b", "m", "s"], "city_max": 3},
    "b": {"kind": "land", "neighbours": ["a", "s"], "city_max": 0},
    "m": {"kind": "land", "neighbours": ["a"], "city_max": 0},
    "s": {"kind": "sea", "neighbours": ["a", "b"], "city_max": 0},
}
STOCK = {"currency": 10_000, "resources": 10_000, "food": 10_000, "technology": 10_000}
ARMY = {"id": 1, "kind": "army", "nation": "ana", "zone": "a", "aboard": None, "moved_turn": 0}
SHIP = {"id": 2, "kind": "ship", "nation": "ana", "zone": "s", "aboard": None, "moved_turn": 0}


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """Command and payload of every example in the table, and of those that its remarks show."""
    for line in PART.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            for command in re.findall(r"`([a-z_]+)`", cells[0]):
                for text in re.findall(r"`(\{[^`]*\})`", cells[1] + (cells[2] if command == "offer" else "")):
                    yield command, json.loads(text)


def table_for(command: str) -> Table:
    """A game in which the command is possible: ana at a, bia at m, with an army, a ship, and an offer of bia."""
    table = Table(RULES, "0" * 64)
    table.create({"map": {"zones": ZONES}, "players": ["bia"], "config": {"start_stock": STOCK}})
    if command == "join":
        return table
    table.say("j", "ana", "player", "join", {}, 1)
    table.say("s", "operator", "operator", "start_game", {}, 2)
    if command == "choose_start":
        return table
    for number, (name, zone) in enumerate((("ana", "a"), ("bia", "m"))):
        payload = {"zone": zone, "name": name, "color": f"#AA00{number:02}"}
        table.say(f"c{number}", name, "player", "choose_start", payload, 3 + number)
    state = RULES.encode(table.state)
    state["pieces"], state["pieces_made"] = {"1": ARMY, "2": SHIP}, 2
    table.state = RULES.decode(state)
    if command in ("accept", "decline", "end_agreement"):
        table.say("o", "bia", "player", "offer", {"kind": "agreement", "to": "ana", "good": "food"}, 10)
    if command == "end_agreement":
        table.say("y", "ana", "player", "accept", {"deal": 1}, 11)
    if command == "rejoin":
        table.say("q", "ana", "player", "abandon", {}, 11)
    return table


@pytest.mark.parametrize(("command", "payload"), list(examples()), ids=lambda value: str(value)[:40])
def test_an_example_of_the_page_is_accepted(command: str, payload: dict[str, Any]) -> None:
    judged = table_for(command).say("x", "ana", "player", command, payload, 100)[-1]
    assert judged.refusal is None, judged.refusal
    stored = [event.data for event in judged.events if event.type == "turn_submitted"]
    assert all(not data["faults"] for data in stored), stored


def test_every_command_of_players_stands_on_the_page() -> None:
    players = {name for name, row in RULES.commands.items() if "player" in row.roles}
    assert {command for command, _ in examples()} == players


def test_the_questions_of_the_page_are_answered() -> None:
    table = table_for("submit_turn")
    state = RULES.encode(table.state)
    viewer = table.documents.viewer("ana")
    view = {**RULES.view(table.documents.of(viewer), viewer), "pieces": state["pieces"]}
    texts = [text.replace("…", "{}") for text in re.findall(r'`(\{"type"[^`]*\})`', PART)]
    asked = [json.loads(text) for text in texts]
    for question in asked:
        assert not isinstance(RULES.advise(view, question), Refusal), question
    assert {question["type"] for question in asked} == set(RULES.questions)
