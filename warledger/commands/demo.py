"""`warledger demo`: a war of bots over HTTP against real processes, verified and replayed."""

import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import click

from warledger.commands.journal import export_game, replay_game, verify_file
from warledger.demo.drawing import draw
from warledger.demo.going_on import how_to_go_on, prepare_next
from warledger.demo.gxc import GAME
from warledger.demo.installation import Installation, installation
from warledger.demo.shows import SHOWS, Show, Wanted
from warledger.output import DIFFERENCE, MALFORMED, fail

FOLDER = "build/demo"
_PLAYERS = ", ".join(f"{show.players} in {game} (at most {show.most})" for game, show in SHOWS.items())
_TURNS = ", ".join(f"{show.turns} in {game}" for game, show in SHOWS.items())


@click.command()
@click.argument("game", default=next(iter(SHOWS)), type=click.Choice(list(SHOWS)))
@click.option("--players", type=click.IntRange(2), help=f"Default: {_PLAYERS}.")
@click.option("--teams", type=click.IntRange(2, 12), default=6, show_default=True, help="Of gxc.")
@click.option("--turns", type=click.IntRange(1, 900), help=f"Turns, or the most rounds. Default: {_TURNS}.")
@click.option("--map", "map_name", default="world", show_default=True, help="Supplied map or map file, of gxc.")
@click.option("--servers", is_flag=True, help="On Kafka and MongoDB instead of files.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, show_default=True)
def demo(
    game: str, players: int | None, teams: int, turns: int | None, map_name: str, servers: bool, folder: Path
) -> None:
    """Play a whole war with bots, then check every turn of it.

    With --servers on those that WARLEDGER_LOG and WARLEDGER_DOCS name, or on some that are started for it; nothing is
    left there.
    """
    started = time.monotonic()
    show = SHOWS[game]
    wanted = Wanted(players or show.players, turns or show.turns, teams, map_name)
    if wanted.players > show.most:
        fail(MALFORMED, f"--players: a game of {game} has at most {show.most}")
    click.echo(show.about(wanted))
    goes_on = show.goes_on and not servers
    with ExitStack() as stack:
        storage = stack.enter_context(_share(folder.absolute())) if servers else {}
        house = stack.enter_context(installation(folder.absolute(), storage))
        click.echo(f"six processes ready after {time.monotonic() - started:.1f} s at {house.operator.url}")
        show.play(house.operator, wanted, house.players(wanted.players))
        _report(house, show)
        click.echo(draw(house.operator, GAME, folder / "war.svg"))
        true = _check(house, folder / "war.jsonl")
        if goes_on:
            prepare_next(house)
    if goes_on:
        click.echo(how_to_go_on(folder))
    click.echo(f"{time.monotonic() - started:.1f} s in all")
    if not true:
        fail(DIFFERENCE, "a turn did not verify: see above")


def _share(folder: Path) -> AbstractContextManager[dict[str, str]]:
    """Beside the folder of the installation, which has to be empty at its start."""
    from warledger.demo.share import share_of_servers  # loads the clients of both servers

    return share_of_servers(folder.with_name(f"{folder.name}-servers"), click.echo)


def _report(house: Installation, show: Show) -> None:
    click.echo("ranking: " + show.ranking(house.operator.get(f"/games/{GAME}")))
    certificates = _certificates(house)
    last = certificates[-1]
    click.echo(f"{len(certificates)} certificates; the last, {last['label']}: digest {last['digest']}")


def _certificates(house: Installation) -> list[dict[str, Any]]:
    """All of them, page by page."""
    found: list[dict[str, Any]] = []
    while more := house.operator.get(f"/games/{GAME}/certificates?after={len(found)}&limit=1000")["certificates"]:
        found += more
    return found


def _check(house: Installation, path: Path) -> bool:
    """Export the war; verify it with the stranger's tool, then decide every turn again."""
    export_game(house.settings, GAME, path)
    code, lines = verify_file(path)
    click.echo(f"verify_turn.py {path}: " + (lines[-1] if lines else "no output"))
    differences = replay_game(house.settings, GAME)
    click.echo(f"replay: {'every turn decided again, no difference' if not differences else differences[0]}")
    return code == 0 and not differences
