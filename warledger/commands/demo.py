"""`warledger demo`: a war of bots over HTTP against real processes, verified and replayed."""

import time
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import click

from shared.config import SERVICES
from shared.rules import rules_of
from warledger.demo.checking import check, told
from warledger.demo.drawing import draw
from warledger.demo.going_on import how_to_go_on, prepare_next
from warledger.demo.installation import Installation, installation
from warledger.demo.shows import SHOWS, Show, Wanted
from warledger.output import DIFFERENCE, MALFORMED, fail

FOLDER = "build/demo"
_PLAYERS = ", ".join(f"{show.players} in {game} (at most {show.most})" for game, show in SHOWS.items())
_GAMES = ", ".join(f"{game} {show.games}" for game, show in SHOWS.items())
MOST_PLAYERS = 100_000
"""Of all games of a demo."""
_TURNS = ", ".join(f"{show.turns} in {game}" for game, show in SHOWS.items())


@click.command()
@click.argument("game", default=next(iter(SHOWS)), type=click.Choice(list(SHOWS)))
@click.option("--players", type=click.IntRange(2), help=f"Default: {_PLAYERS}.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help=f"At once. At most: {_GAMES}.")
@click.option("--teams", type=click.IntRange(2, 12), default=6, show_default=True, help="Of gxc.")
@click.option("--turns", type=click.IntRange(1, 900), help=f"Turns, or the most rounds. Default: {_TURNS}.")
@click.option(
    "--map",
    "map_name",
    default="world",
    show_default=True,
    help="Supplied map or map file, of games that are played on one.",
)
@click.option("--servers", is_flag=True, help="On Kafka and MongoDB instead of files.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, show_default=True)
def demo(
    game: str,
    players: int | None,
    games: int,
    teams: int,
    turns: int | None,
    map_name: str,
    servers: bool,
    folder: Path,
) -> None:
    """Play a whole war with bots, or several at once with as many players each, then check every turn.

    It prints how many commands a second were acknowledged and judged; the bots take their share of the processors.
    With --servers on those that WARLEDGER_LOG and WARLEDGER_DOCS name, or on some that are started for it; nothing is
    left there.
    """
    started = time.monotonic()
    show = SHOWS[game]
    wanted = Wanted(players or show.players, turns or show.turns, teams, map_name, games)
    _refuse(game, show, wanted)
    click.echo(show.about(wanted))
    goes_on = show.goes_on and not servers and games == 1
    with ExitStack() as stack:
        storage = stack.enter_context(_share(folder.absolute())) if servers else {}
        house = stack.enter_context(installation(folder.absolute(), storage))
        click.echo(f"{len(SERVICES)} processes ready after {time.monotonic() - started:.1f} s at {house.operator.url}")
        show.play(house.operator, wanted, house.players(wanted.players * games))
        true = _end(house, game, wanted, folder)
        if goes_on:
            prepare_next(house)
    if goes_on:
        click.echo(how_to_go_on(folder))
    click.echo(f"{time.monotonic() - started:.1f} s in all")
    if not true:
        fail(DIFFERENCE, "a turn did not verify: see above")


def _refuse(game: str, show: Show, wanted: Wanted) -> None:
    """End the command for more than it plays."""
    if wanted.players > show.most:
        fail(MALFORMED, f"--players: a game of {game} has at most {show.most}")
    if wanted.games > show.games:
        fail(MALFORMED, f"--games: at most {show.games} of {game} are played at once")
    if (total := wanted.players * wanted.games) > MOST_PLAYERS:
        each = f"--players {wanted.players} in each of --games {wanted.games}"
        fail(MALFORMED, f"{each} are {total:,} players; a demo has at most {MOST_PLAYERS:,} in all")


def _share(folder: Path) -> AbstractContextManager[dict[str, str]]:
    """Beside the folder of the installation, which has to be empty at its start."""
    from warledger.demo.share import share_of_servers  # loads the clients of both servers

    return share_of_servers(folder.with_name(f"{folder.name}-servers"), click.echo)


def _end(house: Installation, game: str, wanted: Wanted, folder: Path) -> bool:
    """Say how it ended, and check every turn of every game; whether all hold."""
    certificates = [_certificates(house, name) for name in wanted.names]
    rankings = [SHOWS[game].ranking(house.operator.get(f"/games/{name}/roster")) for name in wanted.names]
    if wanted.games == 1:
        last = certificates[0][-1]
        click.echo(f"ranking: {rankings[0]}")
        click.echo(f"{len(certificates[0])} certificates; the last, {last['label']}: digest {last['digest']}")
        for line in draw(house.operator, wanted.names[0], folder / "war.svg", rules_of(game).parts.layers):
            click.echo(line)
    else:
        winners = Counter(ranking.partition(",")[0].removeprefix("1. ") for ranking in rankings)
        click.echo("won: " + ", ".join(f"{who} {count}" for who, count in winners.most_common()))
    checked = [check(house.settings, name, folder / f"{name}.jsonl") for name in wanted.names]
    for line in told(checked, sum(map(len, certificates))):
        click.echo(line)
    return all(item.true for item in checked)


def _certificates(house: Installation, game: str) -> list[dict[str, Any]]:
    """All of them, page by page."""
    found: list[dict[str, Any]] = []
    while more := house.operator.get(f"/games/{game}/certificates?after={len(found)}&limit=1000")["certificates"]:
        found += more
    return found
