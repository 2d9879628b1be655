"""What the leak test knows of a game: one module a game, of its name, with an object `STORY`.

A story is one game, told several times on a house of its own. The tellings differ in secrets alone, their content and
number; `visit` gives what everybody hears who may not know of them.

To tell it: begin a game of a subclass of `War` on the house (tests/leaks/war.py) in a way of its own. `r1` keeps the
secrets, few in one telling and many in another; some are said under the key `again`, after which visitors ask. `visit`
at each moment, the clock put on alike before it. Then `r1` ends the same in all, the period closes, `visit` again.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from tests.leaks.house import Drawn, House
from tests.leaks.visitors import Heard

Teller = Callable[[House, Drawn], Mapping[str, Heard]]
"""Tells the game, and gives what was heard at each of its moments."""


class Telling(NamedTuple):
    """The game with other secrets.

    From the moment `covered` on there are certificates that cover the secrets: answers are compared without these
    commitments, and if their number becomes known with these (`counted`), without leaves, digests and sizes. At
    `revealed` the secrets are none any more: there the two must differ.
    """

    tell: Teller
    covered: str
    revealed: str | None = None
    counted: bool = True


class Story(NamedTuple):
    """`plain` is compared with each of `others`, and with each of `long` in the long form of the test."""

    plain: Teller
    others: Mapping[str, Telling]
    long: Mapping[str, Telling] = {}


def story_of(package: str) -> Story:
    """The story of a game, by the name of its package. Raises ImportError for a game without one."""
    return cast(Story, importlib.import_module(f"tests.leaks.{package}").STORY)
