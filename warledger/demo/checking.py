"""The end of a demo: every turn of every game that was played is verified by a stranger's tool and decided again."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shared.config import Settings
from shared.host_events import ACCEPTED, REJECTED
from warledger.commands.journal import export_game, replay_game, verify_file
from warledger.journals import journal
from warledger.local import local_log


class Checked(NamedTuple):
    """What was found of one game. `verified` is the last line of verify_turn.py, `difference` what replay found."""

    game: str
    path: Path
    holds: bool
    verified: str
    difference: str | None
    judged: Counter[str]
    """Commands by verdict, those of the clock included."""

    @property
    def true(self) -> bool:
        return self.holds and self.difference is None


def check(settings: Settings, game: str, path: Path) -> Checked:
    """Export the game to `path`, verify the file, and decide every turn again."""
    with local_log(settings) as log:
        events = list(journal(log, game))
    export_game(settings, game, path, events=events)
    code, lines = verify_file(path)
    differences = replay_game(settings, game, events=events)
    judged = Counter(event.type.split(".")[-2] for event in events if event.type in (ACCEPTED, REJECTED))
    difference = str(differences[0]) if differences else None
    return Checked(game, path, code == 0, lines[-1] if lines else "no output", difference, judged)


def _same(checked: Checked) -> bool:
    return checked.difference is None


def told(checked: Sequence[Checked], turns: int) -> list[str]:
    """The lines of one game, or of many: how many hold, and what is wrong with those that do not."""
    if len(checked) == 1:
        [one] = checked
        again = one.difference or "every turn decided again, no difference"
        return [f"verify_turn.py {one.path}: {one.verified}", f"replay: {again}"]
    wrong = [item for item in checked if not item.true]
    judged = sum((item.judged for item in checked), Counter())
    folder = checked[0].path.parent
    return [
        *(f"{item.game}: {item.path}: {item.verified}; replay: {item.difference or 'no difference'}" for item in wrong),
        f"verify_turn.py: {sum(item.holds for item in checked)} of {len(checked)} journals in {folder} hold",
        f"replay: {turns:,} turns decided again, {len(checked) - sum(map(_same, checked))} journals differ",
        f"commands in the journals: {judged['accepted']:,} accepted, {judged['rejected']:,} rejected",
    ]
