"""`warledger game`: create and run games through the gateway."""

import time
from typing import Any

import click
import orjson

from shared.maps.model import MapError
from warledger.api import Answer
from warledger.creations import Options, creation_of
from warledger.local import gateway
from warledger.maps import TEAM_NAMES
from warledger.output import DIFFERENCE, MALFORMED, as_json, fail, show, show_table, utc

LISTED = {"id": "id", "kind": "game", "rules": "rules", "phase": "phase", "n": "turn", "deadline": "deadline"}


@click.group()
def game() -> None:
    """Games."""


@game.command()
@click.argument("id")
@click.option("--game", "kind", default="gxc", show_default=True, help="Rules.")
@click.option("--map", "map_name", default="world", show_default=True, help="Supplied map or map file.")
@click.option(
    "--teams", type=click.IntRange(2, len(TEAM_NAMES)), default=6, show_default=True, help="Teams, dealt over the map."
)
@click.option(
    "--player", "players", multiple=True, metavar="ACCOUNT", help="Instead of teams, the players by seat: account ids."
)
@click.option(
    "--hangar", "hangar", multiple=True, metavar="CLASS=COUNT", help="What each player owns, in a game of spacecraft."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=JSON", help="A configuration key, e.g. turn_hours=24.")
@click.option(
    "--reminder",
    "reminders",
    multiple=True,
    type=click.IntRange(0, 10_080),
    metavar="MINUTES",
    help="Tell those whom the game waits for so long before each deadline; 0: never. Default: 120.",
)
@click.option("--start", is_flag=True, help="Open turn 1 at once.")
def create(
    id: str,
    kind: str,
    map_name: str,
    teams: int,
    players: tuple[str, ...],
    hangar: tuple[str, ...],
    settings: tuple[str, ...],
    reminders: tuple[int, ...],
    start: bool,
) -> None:
    """Create a game of teams on a map, each with a connected area of equal size, or one of players by seat.

    A game of players, like exgenhoca, is played on the board of its rules; space-battle needs to know what they own.
    forces takes the lands and seas of a map, and whoever joins; map-war takes players by name besides.
    """
    try:
        creation, said = creation_of(kind, Options(map_name, teams, players, _counts(hangar)))
    except MapError as error:
        fail(MALFORMED, str(error))
    client = gateway()
    body: dict[str, Any] = {"id": id, "game": kind, "create": {**creation, "config": _config(settings)}}
    if reminders:
        body["reminders"] = [minutes for minutes in reminders if minutes]
    created = client.judged(client.post("/games", body))
    if start:
        client.judged(client.command(id, "start_game"))
    show(created.body, f"created {id}: {said}")


def _counts(given: tuple[str, ...]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for item in given:
        name, _, count = item.partition("=")
        if not count.isascii() or not count.isdigit():
            fail(MALFORMED, f"--hangar {item}: expected CLASS=COUNT, e.g. scout=4")
        counts[name] = int(count)
    return counts


def _config(settings: tuple[str, ...]) -> dict[str, Any]:
    config: dict[str, Any] = {}
    for setting in settings:
        key, mark, value = setting.partition("=")
        try:
            config[key] = orjson.loads(value)
        except orjson.JSONDecodeError:
            fail(MALFORMED, f"--set {setting}: expected KEY=JSON, e.g. turn_hours=24 or duel_mode='\"single_roll\"'")
        if not mark:
            fail(MALFORMED, f"--set {setting}: expected KEY=JSON")
    return config


@game.command("list")
def list_() -> None:
    """List the games."""
    client = gateway()
    page = client.get("/games")
    games = page["games"]
    while page["next"] is not None:
        page = client.get(f"/games?after={page['next']}")
        games += page["games"]
    show_table(games if as_json() else [_listed(item) for item in games], LISTED)


def _listed(item: dict[str, Any]) -> dict[str, Any]:
    """A game as a row: the period that is open, and its deadline as people read a time."""
    row = item | (item["period"] or {})
    deadline = row.get("deadline")
    return row if deadline is None else row | {"deadline": utc(deadline)}


@game.command("show")
@click.argument("id")
def show_(id: str) -> None:
    """Print a game's public state."""
    found = gateway().get(f"/games/{id}")
    show(found, lambda: orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode())


@game.command()
@click.argument("id")
def close(id: str) -> None:
    """Close the open turn, round or year now."""
    client = gateway()
    found = client.get(f"/games/{id}")
    period = found["period"]
    if period is None or period["close"] is None:
        fail(DIFFERENCE, f"{id} has nothing to close: it is a game of {found['kind']} in phase {found['phase']}")
    closing = period["close"]
    _said(client.command(id, closing["type"], closing["payload"]), f"closed {period['name']} {period['n']} of {id}")


@game.command()
@click.argument("id")
def pause(id: str) -> None:
    """Take the deadline off the open turn: the clock closes nothing, commands go on."""
    _said(gateway().command(id, "set_deadline", {"deadline": None, "reason": "pause"}), f"paused {id}")


@game.command()
@click.argument("id")
@click.option(
    "--minutes", type=click.IntRange(1, 525_600), default=1440, show_default=True, help="Time until the close."
)
def resume(id: str, minutes: int) -> None:
    """Give the open turn a deadline again."""
    deadline = time.time_ns() // 1_000_000 + minutes * 60_000
    _said(gateway().command(id, "set_deadline", {"deadline": deadline, "reason": "operator"}), f"resumed {id}")


@game.command()
@click.argument("id")
@click.option("--zone", help="IANA time zone, e.g. Europe/Lisbon. Without it the schedule ends.")
@click.option("--at", "times", multiple=True, metavar="HH:MM", help="Local time of a close; several may be given.")
@click.option("--day", "days", multiple=True, help="mon, tue, ... (default: every day).")
def schedule(id: str, zone: str | None, times: tuple[str, ...], days: tuple[str, ...]) -> None:
    """Close turns at fixed local times."""
    payload: dict[str, Any] = {"zone": zone}
    if times:
        payload["times"] = list(times)
    if days:
        payload["days"] = list(days)
    _said(gateway().command(id, "set_schedule", payload), f"schedule of {id} set")


@game.command()
@click.argument("id")
@click.option("--rules", metavar="VERSION", help="Play on by another version of its rules, one that does not fail.")
@click.option(
    "--shift",
    type=click.IntRange(0),
    metavar="MS",
    help="Move its deadlines by so many milliseconds, for the time lost.",
)
def release(id: str, rules: str | None, shift: int | None) -> None:
    """Let a quarantined game go on; every input that waited is judged, in its order.

    `readyz` of the resolver names the games that are quarantined, their operators' page says why.
    """
    payload: dict[str, Any] = {}
    if rules is not None:
        payload["rules"] = rules
    if shift is not None:
        payload["shift_ms"] = shift
    client = gateway()
    answer = client.command(id, "release_game", payload)
    if answer.status == 201 and client.get(f"/games/{id}")["quarantined"]:
        fail(DIFFERENCE, f"{id} was released and its rules failed again; nothing is lost, it is quarantined as before")
    _said(answer, f"released {id}")


def _said(answer: Answer, done: str) -> None:
    show(answer.body, done if answer.status == 201 else f"accepted, not yet judged: {answer.body.get('id', '')}")
