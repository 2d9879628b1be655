"""docs/topics.md: the topics and everything that stands in them, one line each."""

from collections.abc import Iterable

from shared.asyncapi.schemas import audience, commands, event_types
from shared.asyncapi.texts import ABOUT, DESCRIPTION
from shared.events import HOST, split_type
from shared.log import INPUT_TOPICS
from shared.rights import PRINCIPALS, TOPICS

_HEAD = """\
# Topics

Made by `python -m shared.asyncapi`. Do not edit. The same, for machines, is [asyncapi.json](asyncapi.json) (AsyncAPI
3.0); how to read a topic is in [analysts.md](analysts.md).

"""


def page() -> str:
    """The page as Markdown."""
    lines = ["| topic | content | written by | read by |", "| --- | --- | --- | --- |"]
    for topic in TOPICS:
        writers = [item.name for item in PRINCIPALS.values() if item.writes(topic)]
        readers = [item.name for item in PRINCIPALS.values() if item.reads(topic)]
        about = ABOUT[topic]
        lines.append(f"| `{topic}` | {about.summary} {about.description} | {_named(writers)} | {_named(readers)} |")
    return _HEAD + DESCRIPTION + "\n" + "\n".join([*lines, *_commands(), *_events()]) + "\n"


def _named(names: Iterable[str]) -> str:
    return ", ".join(names) or "nobody"


def _commands() -> list[str]:
    lines = ["", "## Commands", "", "The type of a record is `warledger.command.<command>.v1`."]
    lines += ["", "| topic | command | of | who | |", "| --- | --- | --- | --- | --- |"]
    for topic in INPUT_TOPICS:
        for command, by in commands(topic):
            for ruleset, form in by.items():
                roles = ", ".join(sorted(form.roles - {"clock"}))
                lines.append(f"| {topic} | `{command}` | {ruleset} | {roles} | {form.summary} |")
    return lines


def _events() -> list[str]:
    """A table for the host and for each game."""
    found: dict[str, list[str]] = {}
    for full, event in event_types().items():
        head = audience(full)
        rest = event.summary[len(head) + 1 :].strip()
        found.setdefault(split_type(full).game, []).append(f"| `{event.name}` | {event.version} | {head} | {rest} |")
    lines: list[str] = []
    for game, rows in found.items():
        whose = "of every game" if game == HOST else f"of the game {game}"
        lines += ["", f"## Events {whose}", "", f"The full type is `warledger.{game}.<event>.v<version>`.", ""]
        lines += ["| event | version | who may see it | |", "| --- | --- | --- | --- |", *rows]
    return lines
