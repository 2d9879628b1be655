"""`warledger demo`: a war of bots over HTTP against real processes, verified and replayed."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import click

from warledger.commands.journal import export_game, replay_game, verify_file
from warledger.demo.exgenhoca import Campaign, ranking_of
from warledger.demo.gxc import GAME, War
from warledger.demo.installation import Installation, installation
from warledger.maps import map_named
from warledger.output import DIFFERENCE, MALFORMED, fail

FOLDER = "build/demo"
GO_ON = """
To go on by hand, start the same installation and join the war that waits in it, `next`:

  .venv/bin/warledger --data FOLDER up &
  URL=http://127.0.0.1:8080
  post() { curl -sS "$URL$1" -H 'Content-Type: application/json' -H "Authorization: Bearer ${3:-}" -d "$2"; echo; }
  post /accounts '{"name": "ana", "password": "a long password"}'
  TOKEN=$(post /tokens '{"name": "ana", "password": "a long password"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  post /games/next/commands '{"type": "join", "payload": {"team": "ash"}}' "$TOKEN"
  post /games/next/commands '{"type": "place", "payload": {"territory": "FIRST"}}' "$TOKEN"
  post /games/next/commands '{"type": "energize", "payload": {}}' "$TOKEN"
  post /games/next/commands '{"type": "set_order", "payload": {"defend": 5}}' "$TOKEN"
  .venv/bin/warledger --data FOLDER game close next
  curl -sS $URL/games/next/orders -H "Authorization: Bearer $TOKEN"; echo

The page of the finished war is http://127.0.0.1:8080/games/war in a browser."""


GXC, EXGENHOCA = "gxc", "exgenhoca"
PLAYERS = {GXC: 120, EXGENHOCA: 6}
TURNS = {GXC: 12, EXGENHOCA: 40}
MOST_SEATS = 14


@click.command()
@click.argument("game", default=GXC, type=click.Choice([GXC, EXGENHOCA]))
@click.option("--players", type=click.IntRange(2, 5000), help="Default: 120, in exgenhoca 6 (at most 14).")
@click.option("--teams", type=click.IntRange(2, 12), default=6, show_default=True, help="Of gxc.")
@click.option("--turns", type=click.IntRange(1, 900), help="Turns, or the most rounds. Default: 12, in exgenhoca 40.")
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
    players, turns = players or PLAYERS[game], turns or TURNS[game]
    board = map_named(map_name)
    if game == GXC:
        click.echo(
            f"{players} players in {teams} teams on {board.name}: {len(board.territories)} territories, {turns} turns"
        )
    elif players > MOST_SEATS:
        fail(MALFORMED, f"--players: a game of {game} has at most {MOST_SEATS} seats")
    else:
        click.echo(f"{players} players with secret objectives, at most {turns} rounds")
    with ExitStack() as stack:
        storage = stack.enter_context(_share(folder.absolute())) if servers else {}
        house = stack.enter_context(installation(folder.absolute(), storage))
        click.echo(f"six processes ready after {time.monotonic() - started:.1f} s at {house.operator.url}")
        accounts = house.players(players)
        if game == GXC:
            War(house.operator, board, teams, turns, click.echo).play(accounts)
        else:
            Campaign(house.operator, turns, click.echo).play(accounts)
        _report(house)
        _draw(house, folder / "war.svg")
        true = _check(house, folder / "war.jsonl")
        if game == GXC and not servers:
            _prepare_next(house)
    if game == GXC and not servers:
        _how_to_go_on(folder)
    click.echo(f"{time.monotonic() - started:.1f} s in all")
    if not true:
        fail(DIFFERENCE, "a turn did not verify: see above")


def _share(folder: Path) -> AbstractContextManager[dict[str, str]]:
    """Beside the folder of the installation, which has to be empty at its start."""
    from warledger.demo.share import share_of_servers  # loads the clients of both servers

    return share_of_servers(folder.with_name(f"{folder.name}-servers"), click.echo)


def _report(house: Installation) -> None:
    ended = house.operator.get(f"/games/{GAME}")
    of_teams = ended["kind"] == GXC
    click.echo("ranking: " + (_of_teams(ended["ranking"]) if of_teams else ranking_of(ended)))
    certificates = _certificates(house)
    last = certificates[-1]
    click.echo(f"{len(certificates)} certificates; the last, {last['label']}: digest {last['digest']}")


def _certificates(house: Installation) -> list[dict[str, Any]]:
    """All of them, page by page."""
    found: list[dict[str, Any]] = []
    while more := house.operator.get(f"/games/{GAME}/certificates?after={len(found)}&limit=1000")["certificates"]:
        found += more
    return found


def _of_teams(ranking: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{item['rank']}. {item['team']}" for item in ranking)


def _check(house: Installation, path: Path) -> bool:
    """Export the war; verify it with the stranger's tool, then decide every turn again."""
    export_game(house.settings, GAME, path)
    code, lines = verify_file(path)
    click.echo(f"verify_turn.py {path}: " + (lines[-1] if lines else "no output"))
    differences = replay_game(house.settings, GAME)
    click.echo(f"replay: {'every turn decided again, no difference' if not differences else differences[0]}")
    return code == 0 and not differences


def _draw(house: Installation, path: Path) -> None:
    path.write_text(str(house.operator.get(f"/games/{GAME}/map", Accept="image/svg+xml")))
    click.echo(f"final map: {path}")


def _prepare_next(house: Installation) -> None:
    """A second war that waits for people, for the curl session below."""
    board = map_named("small-eight")
    territories = sorted(board.territories)
    half = len(territories) // 2
    teams = {
        "ash": {"name": "Ash", "territories": territories[:half]},
        "birch": {"name": "Birch", "territories": territories[half:]},
    }
    creation = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0}}
    house.operator.post("/games", {"id": "next", "game": "gxc", "create": creation})
    house.operator.command("next", "start_game")


def _how_to_go_on(folder: Path) -> None:
    click.echo(GO_ON.replace("FOLDER", str(folder)).replace("FIRST", sorted(map_named("small-eight").territories)[0]))
