"""What a demo refuses before anything is started, and what it tells of a rush of commands."""

import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from warledger.api import Answer, Client, NotJudged
from warledger.cli import cli
from warledger.demo.rush import AT_ONCE, Rush, rush

REFUSED = {
    "--players 5001": "--players: a game of gxc has at most 5000",
    "exgenhoca --players 15": "--players: a game of exgenhoca has at most 14",
    "exgenhoca --games 2": "--games: at most 1 of exgenhoca are played at once",
    "--games 1001": "--games: at most 1000 of gxc are played at once",
    "--players 500 --games 201": "are 100,500 players; a demo has at most 100,000 in all",
    "--players 0": "0 is not in the range x>=2",
}


@pytest.mark.parametrize("options", REFUSED)
def test_more_than_a_demo_plays_is_refused_before_anything_starts(options: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    done = CliRunner().invoke(cli, ["demo", *options.split(), "--folder", str(folder)])
    assert done.exit_code == 2
    assert REFUSED[options] in done.stderr
    assert not folder.exists()


class Judging(Client):
    """A gateway that has judged the answers that it gave up to a number."""

    def __init__(self, judged_up_to: int) -> None:
        super().__init__("http://127.0.0.1:1")
        self._limit = judged_up_to
        self._lock = threading.Lock()
        self._given = 0
        self.asked: set[int] = set()

    def give(self) -> Answer:
        with self._lock:
            self._given += 1
            return Answer(202, {"Location": str(self._given)}, {})

    def judged(self, answer: Answer, seconds: float = 0, *, every: float = 0) -> Answer:
        number = int(answer.headers["Location"])
        self.asked.add(number)
        if number > self._limit:
            raise NotJudged(f"{number} is not judged")
        return answer


def test_a_rush_is_over_when_the_last_command_of_every_game_is_judged() -> None:
    gateway = Judging(400)
    found = rush(gateway, [(f"war-{number % 2}", gateway.give) for number in range(400)])
    assert found.commands == 400
    assert found.judged >= found.acknowledged > 0
    assert {399, 400} <= gateway.asked
    assert len(gateway.asked) == 2 * AT_ONCE


def test_a_rush_whose_last_command_is_not_judged_fails() -> None:
    gateway = Judging(399)
    with pytest.raises(NotJudged):
        rush(gateway, [("war", gateway.give) for _ in range(400)])


def test_rates_count_all_rushes_together() -> None:
    both = Rush(100, 1.0, 2.0).and_(Rush(300, 1.0, 2.0))
    assert both.told() == "400 commands, acknowledged 200/s, judged 100/s"
    assert Rush().told() == "no commands"
