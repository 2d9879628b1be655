"""A war of GXC, told with other secrets of red: orders, plans, votes and words, and so many words in turn 4."""

import os
from collections.abc import Callable, Mapping

from tests.leaks.house import Drawn, House
from tests.leaks.story import Story, Telling
from tests.leaks.visitors import Heard, visit
from tests.leaks.war import SECRETS, War, at_random, talk

OPEN, CLOSED, OVER = "turn 3 open", "turn 3 closed", "war over"
SEEDS = range(1, 1 + int(os.environ.get("LEAK_SEEDS", "12")))
"""Tellings with secrets at random in the long form."""


def _with(secrets: Callable[[War], None], words: int) -> Telling:
    """The war with these secrets in turn 3."""

    def tell(house: House, drawn: Drawn) -> Mapping[str, Heard]:
        war = War(house, drawn)
        heard = {}
        war.begin()
        secrets(war)
        war.pass_time()
        heard[OPEN] = visit(war, drawn, OPEN)
        war.settle_red()
        war.close(3)
        heard[CLOSED] = visit(war, drawn, CLOSED)
        talk(war, words)
        war.settle_red()
        war.close(4)
        heard[OVER] = visit(war, drawn, OVER)
        return heard

    return Telling(tell, covered=CLOSED)


STORY = Story(
    plain=_with(SECRETS["quiet"], 0).tell,
    others={"busy": _with(SECRETS["busy"], 11)},
    long={
        "otherwise busy": _with(SECRETS["otherwise busy"], 2),
        **{f"seed {seed}": _with(at_random(seed), seed) for seed in SEEDS},
    },
)
