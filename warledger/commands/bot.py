"""`warledger bot`: bots that play over HTTP, and many games of them on the pure rules."""

import os
import secrets
from collections.abc import Mapping
from typing import Any

import click

from shared.rules.exgenhoca.objectives import MOST_SEATS
from warledger.bots import trial as trials
from warledger.bots.bot import Command
from warledger.bots.play import HttpSight, Player
from warledger.bots.roster import BOTS, BOTS_OF
from warledger.local import gateway
from warledger.output import DIFFERENCE, MALFORMED, fail, show

_NAMES = list(dict.fromkeys(name for bots in BOTS_OF.values() for name in bots))
_DEFAULTS = ", ".join(f"{[*bots][-1]} in {game}" for game, bots in BOTS_OF.items())
_ENDED = ("winner", "end_reason", "ranking", "result")
"""What the view says of the end, in the one game or the other."""


@click.group()
def bot() -> None:
    """Bots for Exgenhoca Wars and Space Battle."""


@bot.command()
@click.argument("game")
@click.option("--bot", "name", type=click.Choice(_NAMES), help=f"Which bot. Default: {_DEFAULTS}.")
@click.option("--seed", help="The same seed decides alike in the same position; without one it is drawn.")
def play(game: str, name: str | None, seed: str | None) -> None:
    """Play in GAME to its end for the account of --token, which must have a seat in it, or a side of its battle."""
    client = gateway()
    kind = client.get(f"/games/{game}")["kind"]
    bots = BOTS_OF.get(kind)
    if bots is None:
        fail(MALFORMED, f"{game} is a game of {kind}; the bots play {' and '.join(BOTS_OF)}")
    if name is not None and name not in bots:
        fail(MALFORMED, f"--bot {name}: {kind} is played by {' and '.join(bots)}")
    you = HttpSight(client, game).view.get("you", {})
    if you.get("seat") is None and you.get("side") is None:
        fail(DIFFERENCE, f"the account of this token has no seat in {game}; give a player's token with --token")
    Player(client, game, bots[name or [*bots][-1]](seed or secrets.token_hex(8)), _say).play()
    ended = client.get(f"/games/{game}")
    told = {"game": game, **{key: ended[key] for key in _ENDED if key in ended}}
    how = ended["end_reason" if "end_reason" in ended else "result"].replace("_", " ")
    show(told, f"{game} has ended by {how}: {_order(ended)}")


def _order(ended: Mapping[str, Any]) -> str:
    """Who stands where, or who alone has won."""
    if "ranking" in ended:
        return ", ".join(f"seat {seat}" for seat in ended["ranking"])
    return "nobody won" if ended["winner"] is None else f"side {ended['winner']} won"


def _say(command: Command, body: Mapping[str, Any]) -> None:
    """An accepted command, and of an attack how it ended."""
    resolved = [item["data"] for item in body.get("outcome", ()) if ".attack_resolved." in item["type"]]
    taken = None if not resolved else bool(resolved[0]["taken"])
    ended = "" if taken is None else ": taken" if taken else ": failed"
    what = " ".join(str(command.payload[name]) for name in ("target", "territory", "take") if name in command.payload)
    show(
        {"command": command.type, "payload": command.payload, "taken": taken}, f"{command.type} {what}".strip() + ended
    )


@bot.command()
@click.option("--games", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="How many.")
@click.option("--bots", default="planner", show_default=True, help="Around the table, with commas: planner,random.")
@click.option("--players", type=click.IntRange(2, MOST_SEATS), default=6, show_default=True, help="Seats.")
@click.option(
    "--order",
    type=click.Choice(trials.ORDERS),
    default=trials.ANY,
    show_default=True,
    help="Who acts next: any whom the round waits for, or by seat, one command each.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of bots, dice and order.")
@click.option(
    "--rounds", type=click.IntRange(1), default=trials.MOST_ROUNDS, show_default=True, help="The most of a game."
)
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes.  [default: processors]")
def trial(games: int, bots: str, players: int, order: str, seed: int, rounds: int, jobs: int) -> None:
    """Play many games of bots on the pure rules, without a server, and tell lengths and who wins from where.

    The same options give the same games on every machine.
    """
    names = tuple(bots.split(","))
    if unknown := sorted(set(names) - set(BOTS)):
        fail(MALFORMED, f"--bots: there is no bot {unknown[0]!r}; there are {', '.join(BOTS)}")
    given = trials.Trial(names, players, order, seed, rounds)
    found = trials.figures(given, list(trials.outcomes(given, games, jobs)))
    show(trials.as_data(found), lambda: "\n".join(trials.report(found)))
