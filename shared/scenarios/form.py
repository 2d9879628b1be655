"""The form of a scenario file: everything that can be judged before the game is played."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

from shared.rules import UnknownRules, rules_of
from shared.rules.interface import Rules
from shared.rules.shapes import ID
from shared.scenarios.paths import HIDDEN
from shared.scenarios.reading import Path, Source, read

ACCEPTED = "accepted"
COMMON_CODES = (
    "malformed",
    "game_over",
    "not_authorised",
    "unknown_id",
    "wrong_phase",
    "wrong_turn",
    "wrong_round",
    "not_active",
    "eliminated",
    "deadline_passed",
    "bad_deadline",
)
"""Codes that a game need not list: ENG-5 and ENG-12."""

ZERO_SEED = "0" * 64
_SEED = re.compile(r"[0-9a-f]{64}\Z")
_TYPE = re.compile(r"[a-z][a-z0-9_.]{0,63}\Z")
_DIE = re.compile(r"d[1-6]\Z")
_TOP = ("about", "game", "rules", "seed", "create", "create_expect", "steps")
_Said = tuple[str, str | None, Mapping[str, Any], str]
_NOTHING_SAID: _Said = ("clock", None, {}, ACCEPTED)
_CHECKS = ("draws", "given", "then", "sees", "emits")
_SAID = ("as", "type", "payload", "at", "expect", *_CHECKS)
_UNTIL = ("until", *_CHECKS)


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `type` is None for one in which the clock alone runs, to the time `at` (UTC milliseconds)."""

    number: int
    line: int
    at: int
    actor: str
    type: str | None
    payload: Mapping[str, Any]
    expect: str
    draws: tuple[int | str, ...] | None
    given: Mapping[str, Any] | None
    then: Mapping[str, Any]
    sees: Mapping[str, Mapping[str, Any]]
    emits: tuple[Mapping[str, Any], ...]

    @property
    def role(self) -> str:
        return self.actor if self.actor in ("operator", "clock") else "player"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario whose form is right. `create_expect` is the code that its creation must be refused with, or None."""

    source: Source
    about: str
    game: str
    rules: Rules[Any]
    seed: str
    create: Mapping[str, Any]
    create_expect: str | None
    steps: tuple[Step, ...]


def load(file: str | File) -> Scenario:
    """Read a scenario file. Raises ScenarioError for a malformed one, OSError for one that cannot be read."""
    return loads(File(file).read_bytes(), str(file))


def loads(text: bytes | str, file: str = "scenario", find: Callable[..., Rules[Any]] = rules_of) -> Scenario:
    """The scenario in a JSON text. `find` gives the rules of a game and version. Raises ScenarioError."""
    source = read(text.encode() if isinstance(text, str) else text, file)
    top = _object(source, (), source.value, _TOP, "a scenario")
    about = _text(source, ("about",), top, "about")
    rules = _rules(source, top, find)
    codes = {*COMMON_CODES, *rules.errors}
    seed = top.get("seed", ZERO_SEED)
    if not isinstance(seed, str) or not _SEED.match(seed):
        raise source.wrong(("seed",), "seed must be 64 hex digits in lower case")
    create = _plain(source, ("create",), top, "create")
    refused = top.get("create_expect")
    if "create_expect" in top:
        _code(source, ("create_expect",), refused, codes)
        if "steps" in top:
            raise source.wrong(("steps",), "a scenario with create_expect has no steps")
        return Scenario(source, about, rules.game, rules, seed, create, refused, ())
    listed = top.get("steps")
    if not isinstance(listed, list) or not listed:
        raise source.wrong(
            ("steps",), "steps must be a list of at least one step (or create_expect stand in its place)"
        )
    steps: list[Step] = []
    for index, item in enumerate(listed):
        steps.append(_step(source, index, item, steps[-1].at if steps else -1, codes))
    return Scenario(source, about, rules.game, rules, seed, create, None, tuple(steps))


def _rules(source: Source, top: Mapping[str, Any], find: Callable[..., Rules[Any]]) -> Rules[Any]:
    game = _text(source, ("game",), top, "game")
    version = top.get("rules")
    if "rules" in top and not isinstance(version, str):
        raise source.wrong(("rules",), "rules must be a version as a string")
    try:
        return find(game, version)
    except UnknownRules as error:
        raise source.wrong(("rules",) if "rules" in top else ("game",), str(error)) from None


def _step(source: Source, index: int, item: Any, before: int, codes: set[str]) -> Step:
    path: Path = ("steps", index)
    name = f"step {index + 1}"
    if not isinstance(item, dict):
        raise source.wrong(path, f"{name} must be an object")
    alone = "until" in item
    _object(
        source,
        path,
        item,
        _UNTIL if alone else _SAID,
        f"{name}, which {'runs the clock' if alone else 'says something'},",
    )
    actor, kind, payload, expect = _NOTHING_SAID if alone else _said(source, path, name, item, codes)
    return Step(
        number=index + 1,
        line=source.line(path),
        at=_time(source, path, item, "until" if alone else "at", before),
        actor=actor,
        type=kind,
        payload=payload,
        expect=expect,
        draws=_draws(source, path, item),
        given=_plain(source, (*path, "given"), item, "given") if "given" in item else None,
        then=_then(source, (*path, "then"), item.get("then", {}), "then"),
        sees=_sees(source, (*path, "sees"), item.get("sees", {})),
        emits=_emits(source, (*path, "emits"), item.get("emits", [])),
    )


def _said(source: Source, path: Path, name: str, item: Mapping[str, Any], codes: set[str]) -> _Said:
    actor = item.get("as")
    if not isinstance(actor, str) or not ID.match(actor) or actor == "public":
        raise source.wrong((*path, "as"), f"{name} needs `as`, a player's id, operator or clock (or `until` alone)")
    kind = item.get("type")
    if not isinstance(kind, str) or not _TYPE.match(kind):
        raise source.wrong((*path, "type"), f"{name} needs `type`, the name of a command")
    payload = _plain(source, (*path, "payload"), item, "payload") if "payload" in item else {}
    expect = item.get("expect", ACCEPTED)
    if expect != ACCEPTED:
        _code(source, (*path, "expect"), expect, codes)
    return actor, kind, payload, expect


def _code(source: Source, path: Path, code: Any, codes: set[str]) -> None:
    if not isinstance(code, str) or code not in codes:
        known = ", ".join(sorted(codes))
        raise source.wrong(path, f"{path[-1]} must be an error code of the game, not {code!r}; known: {known}")


def _time(source: Source, path: Path, item: Mapping[str, Any], key: str, before: int) -> int:
    at = item.get(key, before + 1)
    if type(at) is not int or at < 0:
        raise source.wrong((*path, key), f"{key} must be UTC milliseconds, an integer from 0")
    if at < before:
        raise source.wrong((*path, key), f"{key} must not lie before the step before it, at {before}")
    return at


def _draws(source: Source, path: Path, item: Mapping[str, Any]) -> tuple[int | str, ...] | None:
    if "draws" not in item:
        return None
    listed = item["draws"]
    if not isinstance(listed, list):
        raise source.wrong((*path, "draws"), "draws must be a list")
    for index, entry in enumerate(listed):
        is_int = type(entry) is int and entry >= 0
        if not is_int and not (isinstance(entry, str) and _DIE.match(entry)):
            raise source.wrong((*path, "draws", index), 'a draw must be an integer from 0 or a die, "d1" to "d6"')
    return tuple(listed)


def _then(source: Source, path: Path, value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise source.wrong(path, f"{name} must be an object of paths and values")
    for key, expected in value.items():
        if not all(key.split(".")):
            raise source.wrong((*path, key), f"{key!r} must be a path: names with a dot between them")
        if expected == HIDDEN and "sees" not in path:
            raise source.wrong(
                (*path, key), '{"hidden": true} is for `sees`; on the state null says that nothing is there'
            )
    return value


def _sees(source: Source, path: Path, value: Any) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(value, dict):
        raise source.wrong(path, "sees must be an object of viewers")
    for viewer, paths in value.items():
        if not ID.match(viewer) or viewer == "clock":
            raise source.wrong((*path, viewer), "a viewer must be a player's id, operator or public")
        _then(source, (*path, viewer), paths, f"what {viewer} sees")
    return value


def _emits(source: Source, path: Path, value: Any) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list):
        raise source.wrong(path, "emits must be a list of events")
    for index, event in enumerate(value):
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise source.wrong((*path, index), 'an event must be an object with a "type"')
    return tuple(value)


def _object(source: Source, path: Path, value: Any, known: tuple[str, ...], name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise source.wrong(path, f"{name} must be an object")
    for key in value:
        if key not in known:
            raise source.wrong((*path, key), f"{name} may not hold {key!r}; it may hold {', '.join(known)}")
    return value


def _plain(source: Source, path: Path, holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = holder.get(name)
    if not isinstance(value, dict):
        raise source.wrong(path, f"{name} must be an object")
    return value


def _text(source: Source, path: Path, holder: Mapping[str, Any], name: str) -> str:
    value = holder.get(name)
    if not isinstance(value, str) or not value:
        raise source.wrong(path, f"{name} must be a text")
    return value
