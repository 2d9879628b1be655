"""`warledger replay`, `verify`, `export`, `rebuild`: what can be done with a journal that is written."""

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import click

from services.resolver.replay import Difference, NoResolution
from services.resolver.replay import replay as decide_again
from shared.batches import At
from shared.config import Settings
from shared.events import JournalEvent, Unreadable
from shared.export import Form, write_export
from shared.log import CHRONICLE, TURNS
from shared.views import generations
from warledger.houses import freeze_game
from warledger.journals import Incomplete, chronicle, journal
from warledger.local import local_documents, local_log
from warledger.local import settings as local_settings
from warledger.output import DIFFERENCE, MALFORMED, UNREACHABLE, fail, show

VERIFIER = Path(__file__).parents[2] / "tools" / "verify_turn.py"
_REBUILD_WITHIN = 600.0


class NoJournal(LookupError):
    """The log holds nothing of the game."""


class Place(click.ParamType[At]):
    """TOPIC:PARTITION:OFFSET of a record."""

    name = "topic:partition:offset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> At:
        topic, *numbers = str(value).split(":")
        if topic not in (TURNS, CHRONICLE) or len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            self.fail(f"{value} is no {TURNS}:PARTITION:OFFSET or {CHRONICLE}:PARTITION:OFFSET", param, ctx)
        return At(topic, *map(int, numbers))


SKIP = click.option(
    "--skip",
    "skipped",
    type=Place(),
    multiple=True,
    help="Leave this record out: it stands under the game's key and is none of its own.",
)


def _events(settings: Settings, game: str, form: Form, skipped: Collection[At] = ()) -> list[JournalEvent]:
    with local_log(settings) as log:
        found = list(journal(log, game, skipped=skipped) if form == "journal" else chronicle(log, game, skipped))
    if not found:
        raise NoJournal(f"{settings.log_name} holds no game {game}")
    return found


def _fail_to_read(game: str, error: Unreadable | Incomplete) -> NoReturn:
    if isinstance(error, Incomplete):
        fail(DIFFERENCE, f"something of the game is missing: {error}")
    fail(MALFORMED, f"{error}; if somebody else put that record under the key {game}, --skip leaves it out")


def replay_game(
    settings: Settings,
    game: str,
    period: int | None = None,
    most: int | None = 1,
    events: list[JournalEvent] | None = None,
) -> list[Difference]:
    """The first differences (at most `most`, None for all) between a journal and what its rules decide."""
    if events is None:
        events = _events(settings, game, "journal")
    return list(islice(decide_again(events, period=period), most))


def export_game(
    settings: Settings, game: str, path: Path, form: Form = "journal", events: list[JournalEvent] | None = None
) -> int:
    """Write an export; returns the number of events. A journal's file can be read by its owner alone."""
    if events is None:
        events = _events(settings, game, form)
    path.touch(mode=0o600)
    if path.is_file():
        path.chmod(0o600 if form == "journal" else 0o644)
    with path.open("wb") as file:
        file.writelines(write_export(game, form, events))
    return len(events)


def file_sha256(path: Path) -> str:
    """Hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify_file(path: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run tools/verify_turn.py on an export: its exit code (0, 1 or 2), and the lines it printed."""
    done = subprocess.run(
        [sys.executable, str(VERIFIER), str(path), *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


@click.command()
@click.argument("game")
@click.option("--turn", type=click.IntRange(1), help="Decide this turn, round or year alone.")
@click.option("--all", "every", is_flag=True, help="Go on after a difference and show each.")
@SKIP
def replay(game: str, turn: int | None, every: bool, skipped: tuple[At, ...]) -> None:
    """Decide a game's recorded inputs again and compare every event, byte for byte; nothing is written."""
    try:
        events = _events(local_settings(), game, "journal", skipped)
        differences = replay_game(local_settings(), game, turn, None if every else 1, events)
    except (Unreadable, Incomplete) as error:
        _fail_to_read(game, error)
    except (NoJournal, NoResolution) as error:
        fail(MALFORMED, str(error))
    if not differences:
        show({"game": game, "differences": []}, f"{game}: decided again, no difference")
        return
    for item in differences:
        data = {
            "n": item.n,
            "cause": item.cause,
            "expected": None if item.expected is None else item.expected.decode(),
            "actual": None if item.actual is None else item.actual.decode(),
        }
        show(
            data,
            f"event {item.n}: {item.cause}\n  recorded: {data['expected']}\n  decided:  {data['actual']}",
        )
    sys.exit(DIFFERENCE)


@click.command()
@click.argument("game")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--public", is_flag=True, help="The chronicle: what everybody may know.")
@click.option("--freeze", is_flag=True, help="Stop the game here first: it moves to another house with this file.")
@SKIP
def export(game: str, out: Path, public: bool, freeze: bool, skipped: tuple[At, ...]) -> None:
    """Write a game as JSON lines. The journal holds secrets; --public writes the chronicle instead."""
    if freeze and public:
        fail(MALFORMED, "a game moves with its journal: give --freeze or --public")
    try:
        found = local_settings()
        form: Form = "chronicle" if public else "journal"
        events = freeze_game(found, game, skipped) if freeze else _events(found, game, form, skipped)
        count = export_game(found, game, out, form, events)
    except (Unreadable, Incomplete) as error:
        _fail_to_read(game, error)
    except NoJournal as error:
        fail(MALFORMED, str(error))
    data: dict[str, object] = {"game": game, "file": str(out), "events": count}
    said = f"{out}: {count} events"
    if freeze and out.is_file():
        data["sha256"] = file_sha256(out)
        said += f"\nSHA-256 {data['sha256']}: tell the other house, for `warledger import --sha256`"
    show(data, said)


@click.command()
@click.argument("what")
@click.option("--receipt", type=click.Path(exists=True, dir_okay=False), help="Check that this receipt's leaf is in.")
def verify(what: str, receipt: str | None) -> None:
    """Check an export file, or a game of this installation, with tools/verify_turn.py."""
    arguments = ["--receipt", receipt] if receipt else []
    if Path(what).is_file():
        code, lines = verify_file(Path(what), *arguments)
    else:
        code, lines = _verify_game(what, arguments)
    show({"what": what, "verified": code == 0, "lines": lines}, "\n".join(lines))
    sys.exit(code)


def _verify_game(game: str, arguments: list[str]) -> tuple[int, list[str]]:
    """Verify a game by an export that is gone afterwards: it holds secrets."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        try:
            export_game(local_settings(), game, path)
        except NoJournal as error:
            fail(MALFORMED, f"no file {game}, and {error}")
        return verify_file(path, *arguments)


@click.command()
def rebuild() -> None:
    """Make all views anew from the journal, beside the live ones, and show them when they have caught up."""
    with local_documents(local_settings()) as documents:
        generation = generations.request_rebuild(documents)
        end = time.monotonic() + _REBUILD_WITHIN
        while generations.active(documents) < generation:
            if time.monotonic() > end:
                fail(UNREACHABLE, f"generation {generation} is not filled yet; is the projector running?")
            time.sleep(0.05)
    show({"generation": generation}, f"generation {generation} of the views is live")
