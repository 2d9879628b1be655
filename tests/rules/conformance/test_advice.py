"""Advice of any game: its questions are data, and whoever asks what is answered or refused, without a trace."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from shared.rules import GAMES
from shared.rules.interface import Refusal, Registration, Rules
from shared.scenarios.form import COMMON_CODES
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games
from tests.rules.conformance.play import SEEDS, again, deal, played

LOOKED_EVERY = 20
EMPTY: Mapping[str, Any] = {}
JUNK: tuple[Mapping[str, Any], ...] = (
    {"payload": {}},
    {"payload": None},
    {"payload": [1, "x"]},
    {"payload": {"target": "nowhere", "attack": {"target": "nowhere", "energy": -1}, "use": 7}},
    {"player": "nobody"},
    {"player": 7},
    {"no_such_field": True},
)
"""What somebody might add to a question: nothing that fits, and nothing that may break it."""


def questions_of(rules: Rules[Any]) -> Mapping[str, Any]:
    """The questions of a game, by type."""
    found: Mapping[str, Any] = getattr(rules, "questions", EMPTY)
    return found


def views(table: Table) -> Iterator[dict[str, Any]]:
    """The view of everybody who may look: the public, a game master, each player."""
    state = table.rules.encode(table.state)
    for name in ("public", "operator", *sorted(state.get("players", EMPTY))):
        viewer = table.documents.viewer(name)
        yield table.rules.view(table.documents.of(viewer), viewer)


def check(rules: Rules[Any], answer: Mapping[str, Any] | Refusal) -> None:
    if isinstance(answer, Refusal):
        assert answer.code in {*rules.errors, *COMMON_CODES}
        assert answer.rule
        assert answer.detail[-1] not in ".!?"


@games
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_every_question_is_answered_or_refused_whoever_asks_and_changes_nothing(
    registered: Registration[Any], seed: int
) -> None:
    rules = registered.load()
    table = deal(rules, seed)
    answered: set[str] = set()
    for number, _ in enumerate(again(table, played(registered, seed))):
        if number % LOOKED_EVERY:
            continue
        for view in views(table):
            before = copy.deepcopy(view)
            for kind in questions_of(rules):
                for more in (EMPTY, *JUNK):
                    answer = rules.advise(view, {"type": kind, **more})
                    check(rules, answer)
                    if not isinstance(answer, Refusal):
                        answered.add(kind)
            assert view == before
    assert answered == set(questions_of(rules)), "PLAYER must bring the game to where each question has an answer"


@games
@pytest.mark.parametrize("question", [{"type": "no such question"}, {"type": 7}, {}])
def test_a_question_of_no_type_of_the_game_is_malformed(
    registered: Registration[Any], question: Mapping[str, Any]
) -> None:
    rules = registered.load()
    for view in views(deal(rules, 0)):
        answer = rules.advise(view, question)
        assert isinstance(answer, Refusal)
        assert answer.code == "malformed"
        assert all(kind in answer.detail for kind in questions_of(rules))


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_every_game_says_what_it_may_be_asked(game: str) -> None:
    assert questions_of(next(item for item in GAMES if item.game == game).load()), (
        f"{game} has an `advise`; its Ruleset needs `questions`, the forms of what it is asked by type"
    )
