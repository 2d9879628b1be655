"""Games of bots on the pure rules: how long they last, and whether seats and bots win as they should."""

from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from shared.rules.exgenhoca import RULES
from tests.counts import Counts
from warledger.bots.bot import Command, Sight
from warledger.bots.table import NotLegal, Order, Table
from warledger.bots.trial import ANY, BY_SEAT, Trial, as_data, figures, outcomes, report
from warledger.cli import cli

MIXED = ("planner", "random")
PER_MILLE = 0.001
GROUP = "games"


class Stubborn:
    """Attacks one territory, whatever it sees."""

    def choose(self, sight: Sight, /) -> Command | None:
        return Command("attack", {"target": "brasil"})


def test_a_game_of_a_trial_is_the_same_whenever_it_is_played() -> None:
    trial = Trial(MIXED, players=3, most_rounds=6)
    assert trial.play(1) == trial.play(1)
    assert trial.play(1) != trial.play(2)
    assert trial.play(1) != Trial(MIXED, players=3, most_rounds=6, seed=2).play(1)


def test_bots_move_on_by_a_seat_with_every_game() -> None:
    trial = Trial(MIXED, players=3)
    assert [trial.seated(number) for number in (0, 1)] == [
        ["planner", "random", "planner"],
        ["random", "planner", "random"],
    ]


def test_a_command_that_the_rules_refuse_ends_the_trial() -> None:
    table = Table("stubborn", b"k" * 32, [Stubborn(), Stubborn()], {})
    with pytest.raises(NotLegal, match=r"seat-\d attack"):
        table.play(Order(None))


def test_questions_at_the_table_are_answered_as_the_rules_answer_them() -> None:
    table = Table("asked", b"k" * 32, [Stubborn(), Stubborn()], {})
    sight = table.sight("seat-1")
    attack: dict[str, Any] = {"payload": {"target": "brasil", "use": {"tie": True}}}
    questions: list[tuple[str, dict[str, Any]]] = [("reach", {}), ("attack", attack), ("reach", {}), ("items", {})]
    for type, question in questions:
        assert sight.ask(type, **question) == RULES.advise(sight.view, {"type": type, **question})
    assert table.sight("seat-1").ask("nonsense") is None


def test_by_seat_everybody_gives_one_command_in_turn() -> None:
    order = Order(None)
    waiting = ["seat-1", "seat-10", "seat-2"]
    assert [order.next(waiting) for _ in range(4)] == ["seat-1", "seat-2", "seat-10", "seat-1"]


def test_the_command_tells_the_figures_of_its_games() -> None:
    arguments = ["bot", "trial", "--games", "2", "--bots", "random", "--players", "2", "--rounds", "3", "--jobs", "1"]
    told = CliRunner().invoke(cli, arguments)
    assert (told.exit_code, told.stdout.splitlines()[0]) == (0, "2 games")
    trial = Trial(("random",), players=2, most_rounds=3)
    data = as_data(figures(trial, list(outcomes(trial, 2))))
    assert orjson.loads(CliRunner().invoke(cli, ["--json", *arguments]).stdout) == data
    assert "'nobody'" in CliRunner().invoke(cli, ["bot", "trial", "--bots", "nobody"]).output


@pytest.mark.slow
def test_games_end_in_time_the_stronger_bot_wins_and_every_seat_may_win() -> None:
    """The short form of the trial of docs/bots.md; its seeds are fixed, so that it says the same every time."""
    trial = Trial(MIXED)
    found = figures(trial, list(outcomes(trial, 36)))
    assert found.reasons["objective"].share > 0.9
    assert 10 <= found.rounds.median <= 35
    assert found.bots["planner"].low > 0.5
    assert min(item.times for item in found.seats.values()) >= 1
    assert found.fairness.p > PER_MILLE
    assert any(line.startswith("seats alike: chi-square") for line in report(found))


@pytest.mark.faults
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("bots", "order"), [(("planner",), ANY), (MIXED, ANY), (("planner",), BY_SEAT)])
def test_a_thousand_games_show_lengths_and_fairness(bots: tuple[str, ...], order: str, counts: Counts) -> None:
    trial = Trial(bots, order=order)
    found = figures(trial, list(outcomes(trial, 1000, jobs=2)))
    for name, item in (*found.bots.items(), *((f"seat {seat}", item) for seat, item in found.seats.items())):
        counts.largest(f"{GROUP} of {','.join(bots)}, order {order}", f"wins of {name}", item.times)
    counts.largest(f"{GROUP} of {','.join(bots)}, order {order}", "rounds, median", found.rounds.median)
    assert found.reasons["objective"].share > 0.95
    assert 15 <= found.rounds.median <= 25
    assert found.bots["planner"].share >= found.seats_of_bots["planner"]
    assert order == BY_SEAT or found.fairness.p > PER_MILLE
