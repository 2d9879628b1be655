"""The command `warledger`. Exit codes: 0 true, 1 a difference, 2 usage or malformed, 3 unreachable."""

import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import cast

import click

from shared.config import ConfigError
from shared.documents import DocumentsUnavailable
from shared.events import Unreadable
from shared.log import LogUnavailable
from shared.maps.model import MapError
from shared.rules import UnknownRules
from warledger.api import NotJudged, Refused, Unreachable
from warledger.output import DIFFERENCE, MALFORMED, UNREACHABLE

_PLACES: Mapping[str, tuple[str, ...]] = {
    "account": ("account.account",),
    "bot": ("bot.bot",),
    "deadletters": ("deadletters.deadletters",),
    "demo": ("demo.demo",),
    "doctor": ("doctor.doctor",),
    "export": ("journal.export",),
    "game": ("game.game", "moving.renew_chain"),
    "import": ("moving.import_",),
    "keys": ("keys.keys",),
    "lag": ("lag.lag",),
    "map": ("map.map_group",),
    "rebuild": ("journal.rebuild",),
    "replay": ("journal.replay",),
    "scenario": ("scenario.scenario",),
    "servers": ("servers.servers",),
    "tail": ("tail.tail",),
    "topics": ("topics.topics", "acls.acls"),
    "up": ("up.up",),
    "verify": ("journal.verify",),
}
"""Command -> where it stands in `warledger.commands`, and where those below it that are another module's."""


class Commands(MutableMapping[str, click.Command]):
    """The commands by name, each imported when it is asked for: all of them take longer than most of them run."""

    def __init__(self) -> None:
        self._made: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._made:
            command, *below = map(_imported, _PLACES[name])
            for each in below:
                cast(click.Group, command).add_command(each)
            self._made[name] = command
        return self._made[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


def _imported(place: str) -> click.Command:
    module, _, name = place.partition(".")
    command: click.Command = getattr(import_module(f"warledger.commands.{module}"), name)
    return command


class JsonAnywhere(click.Group):
    """A group that takes --json at any place: behind the subcommand is where people type it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move --json to the front, where this group reads it."""
        if "--json" in args:
            args = ["--json", *(item for item in args if item != "--json")]
        return super().parse_args(ctx, args)


@click.group(
    cls=JsonAnywhere,
    commands=Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--json", "json_output", is_flag=True, help="Print JSON, one object a line.")
@click.option("--data", type=click.Path(file_okay=False), help="Folder of the installation (default: data).")
@click.option("--url", help="Address of the gateway (default: that of the local installation).")
@click.option("--token", help="Bearer token (default: WARLEDGER_TOKEN, else the local operator's).")
def cli(json_output: bool, data: str | None, url: str | None, token: str | None) -> None:
    """Host turn-based territory wars: every order kept, every die committed, every turn recomputable."""
    for variable, given in (("WARLEDGER_DATA", data), ("WARLEDGER_GATEWAY_URL", url), ("WARLEDGER_TOKEN", token)):
        if given:
            os.environ[variable] = given


_MALFORMED = (ConfigError, MapError, UnknownRules, Unreadable)
_UNREACHABLE = (LogUnavailable, DocumentsUnavailable)


def main() -> None:
    """Run the command line; errors of any layer end as one sentence and an exit code."""
    try:
        cli()
    except Unreachable as error:
        _end(UNREACHABLE, f"{error}; is `warledger up` running?")
    except NotJudged as error:
        _end(UNREACHABLE, f"{error}; is the resolver running?")
    except _UNREACHABLE as error:
        _end(UNREACHABLE, f"log or documents cannot be used now: {error}")
    except _MALFORMED as error:
        _end(MALFORMED, str(error))
    except Refused as error:
        _end(_exit_code(error), str(error))
    except OSError as error:
        _end(MALFORMED, f"{error.filename or 'a file'}: {error.strerror or error}")


_BAD_INPUT = frozenset(
    {"malformed", "bad_config", "bad_map", "bad_schedule", "bad_deadline", "unknown_rules", "too_long"}
)
"""Codes of judgements that say: what was given has no meaning; others say that it is not possible now."""


def _exit_code(refused: Refused) -> int:
    """What an answer of the gateway means to a script: refused by a rule, not understood, or not served."""
    if refused.answer.status >= 500:
        return UNREACHABLE
    return MALFORMED if refused.answer.status < 422 or refused.code in _BAD_INPUT else DIFFERENCE


def _end(code: int, message: str) -> None:
    click.echo(message, err=True)
    sys.exit(code)
