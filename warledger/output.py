"""What every command prints, and how it ends: 0 true, 1 a difference, 2 usage or malformed, 3 unreachable."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

import click
import orjson
from rich.console import Console
from rich.table import Table

TRUE, DIFFERENCE, MALFORMED, UNREACHABLE = 0, 1, 2, 3


def as_json() -> bool:
    """Whether --json was given."""
    return bool(click.get_current_context().find_root().params.get("json_output"))


def show(data: Any, text: Callable[[], str] | str) -> None:
    """Print the data as one JSON line with --json, else the text."""
    if as_json():
        click.echo(orjson.dumps(data).decode())
    else:
        click.echo(text if isinstance(text, str) else text())


def show_table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
    """Print rows as JSON lines with --json, else as a table; `columns` maps keys to headings."""
    if as_json():
        for row in rows:
            click.echo(orjson.dumps(row).decode())
        return
    table = Table()
    for heading in columns.values():
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(_text(row.get(key)) for key in columns))
    Console().print(table)


def show_lines(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
    """Print rows as JSON lines with --json, else each on one line, whatever its length: for what is to be copied."""
    if not as_json():
        click.echo("\t".join(columns.values()))
    for row in rows:
        click.echo(orjson.dumps(row).decode() if as_json() else "\t".join(_text(row[key]) for key in columns))


def utc(at: int) -> str:
    """A time in UTC milliseconds as people read it, in ISO 8601."""
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{at % 1000:03}Z"


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def fail(code: int, message: str) -> NoReturn:
    """End the command with an exit code and one sentence on standard error."""
    click.echo(message, err=True)
    sys.exit(code)
