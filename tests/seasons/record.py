"""Records a season for tests/seasons: `python -m tests.seasons.record NAME` writes NAME.jsonl, never over an old one.

NAME is the game and a number: `gxc-2` is a season of GXC, played by tests/seasons/gxc.py. A season is kept for good: it
shows that what was decided once is decided the same way today. Record a new one for a new rules version or a new kind
of event; do not replace one whose replay fails.
"""

import importlib
import sys
import tempfile
from pathlib import Path

from services.resolver.hosting.judging import Context
from services.resolver.hosting.secrets import MasterKey
from shared.export import write_export
from tests.seasons.season import Season

FOLDER = Path(__file__).parent


def play(name: str, game: str, key: str) -> Season:
    """A season of a game, played by its module here with a master key of these hex digits."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "master.key"
        file.write_text(key)
        file.chmod(0o600)
        store: dict[str, bytes] = {}
        season = Season(name, Context(MasterKey(file), store.get), store)
        importlib.import_module(f"tests.seasons.{game.replace('-', '_')}").play(season)
    return season


def main(name: str) -> None:
    """Record the season of this name."""
    season = play(name, name.rpartition("-")[0], "00" * 32)
    with (FOLDER / f"{name}.jsonl").open("xb") as file:
        file.writelines(write_export(name, "journal", season.journal))


if __name__ == "__main__":
    main(sys.argv[1])
