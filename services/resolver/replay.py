"""Replay: decide a recorded journal again and compare every event, byte for byte. Nothing is written anywhere.

Inputs, their order and times, deadlines, seeds, salts and nonces are taken as recorded; all else is decided anew. After
a difference the game is folded on from what is recorded, so that each difference stands for itself.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from services.resolver.hosting.folding import advance
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judgements import Context, Steps
from services.resolver.hosting.judging import clock_input, judgement_steps
from services.resolver.hosting.recording import Written, fold_written, jsons_of, of_the_rules, written
from services.resolver.hosting.reminders import next_reminder, reminder_steps
from services.resolver.hosting.scheduling import MOVES_DEADLINES
from services.resolver.hosting.secrets import RecordedSecrets
from services.resolver.hosting.tally import Lines
from shared.collection import paused
from shared.commands import HOST_COMMANDS
from shared.events import CERTIFIED, JournalEvent, Submitted, split_type
from shared.host_events import (
    CHAIN_STARTED,
    CREATED,
    DATA_PART,
    JUDGEMENTS,
    MOVED,
    QUARANTINED,
    REMINDERS_DUE,
    RENEWED,
    RULING,
)
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import Deadline, Period


class Difference(NamedTuple):
    """A place where the journal is not what the rules decide. A line is None where that side has no event."""

    n: int
    expected: bytes | None
    """The recorded line."""
    actual: bytes | None
    """The line decided again."""
    cause: str
    """One sentence."""


class Differs(Exception):
    """The first difference, for callers that stop at it."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(f"event {difference.n}: {difference.cause}")
        self.difference = difference


Walk = Generator[Difference, None, bool]
"""Yields differences; returns True if the recorded events cannot be folded any further."""


class NoResolution(LookupError):
    """The journal holds no resolution with this label; the message lists what it holds."""


def check(journal: Sequence[JournalEvent], label: str | None = None) -> None:
    """Raises Differs at the first difference; otherwise as `replay`."""
    for difference in replay(journal, label):
        raise Differs(difference)


def replay(
    journal: Sequence[JournalEvent], label: str | None = None, period: int | None = None
) -> Iterator[Difference]:
    """The differences of a game's whole journal, in order; none if it is what its rules decide.

    With a label (`turn:12`) only the command that holds this resolution is decided again, with the number of a turn,
    round or year those that hold its resolutions; the rest is folded. Raises NoResolution, and UnknownRules if the
    rules version is not installed.
    """
    secrets = RecordedSecrets(journal)
    starts = [index for index, event in enumerate(journal) if begins(event)]
    if journal and (not starts or starts[0]):
        starts.insert(0, 0)
    wanted = None if label is None and period is None else _starts_of(journal, label, period)
    game: HostedGame | None = None
    for start, end in pairwise([*starts, len(journal)]):
        group = journal[start:end]
        again = _redecidable(group[0]) and (wanted is None or start in wanted)
        game = game or HostedGame(_game_id(group[0]))
        context = Context(secrets, _recorded_data(group).get)
        walk = decide_again(game, group, context) if again else _only_fold(game, group)
        broken = yield from walk
        if broken or (wanted is not None and start >= max(wanted)):
            return


def _redecidable(event: JournalEvent) -> bool:
    """Whether an event judges an input or reminds, and not by what the host was or had: that cannot be had again."""
    return event.type == REMINDERS_DUE or (event.type in JUDGEMENTS and event.data.get("code") not in _OF_THE_HOST)


_OF_THE_HOST = ("internal", "unknown_rules")


def begins(event: JournalEvent) -> bool:
    """Whether an event is the outcome of nothing before it: a judgement, or an act of the host."""
    if event.type == CHAIN_STARTED:
        return bool(event.data.get("reason") != RENEWED)
    return event.type in JUDGEMENTS or split_type(event.type)[:2] in _ACTS


_ACTS = frozenset(split_type(type)[:2] for type in (QUARANTINED, MOVED, RULING, REMINDERS_DUE))


def _starts_of(journal: Sequence[JournalEvent], label: str | None, period: int | None) -> frozenset[int]:
    """Indexes of the judgements whose outcomes hold the certificates of a resolution, or of those of a period."""
    labels = []
    starts = set()
    start = 0
    of_game = _period_of(journal) if period is not None else None
    for index, event in enumerate(journal):
        if event.type in JUDGEMENTS:
            start = index
        elif event.type == CERTIFIED:
            found = event.data["label"]
            labels.append(found)
            if found == label or (of_game is not None and of_game.number_of(found) == period):
                starts.add(start)
    if not starts:
        what = f"resolution {label!r}" if period is None else f"{of_game.name if of_game else 'turn'} {period}"
        raise NoResolution(f"no {what}; the journal holds {', '.join(labels) or 'none'}")
    return frozenset(starts)


def _period_of(journal: Sequence[JournalEvent]) -> Period | None:
    """What the game is played in."""
    created = next((event.data for event in journal if event.type == CREATED), None)
    return None if created is None else rules_of(created["kind"], created["rules"]).period


def _recorded_data(group: Sequence[JournalEvent]) -> dict[str, bytes]:
    """The data that stands behind a creation: what it was judged by, and not what another one had."""
    texts: dict[str, list[str]] = {}
    for event in group:
        if event.type == DATA_PART:
            texts.setdefault(event.data["sha256"], []).append(event.data["text"])
    return {name: "".join(parts).encode() for name, parts in texts.items()}


def _game_id(event: JournalEvent) -> str:
    given = event.data.get("input")
    return str(given["game"]) if isinstance(given, dict) and "game" in given else ""


def decide_again(game: HostedGame, group: Sequence[JournalEvent], context: Context) -> Walk:
    """Decide what the first event of a group judges, on the game before it, and compare all that comes of it."""
    head = group[0]
    made, said = _reminded(game, head) if head.type == REMINDERS_DUE else _judged(game, head, context)
    if said is not None:
        yield Difference(head.n, head.line(), None, said)
    place = 0
    stretch: Sequence[JournalEvent] = ()
    while place < len(group):
        try:
            with paused():  # as a close is judged
                stretch = () if made is None else next(made, ())
        except UnknownRules:
            raise
        except Exception as error:
            said = f"deciding again raised {type(error).__name__}: {error}"
            yield Difference(group[place].n, group[place].line(), None, said)
            made, stretch = None, ()
        expected = group[place : place + max(1, len(stretch))]
        place += len(expected)
        if (alike := _alike(game, expected, stretch)) is not None:
            broken = yield from _folded(game, expected, alike)
        else:
            broken = yield from _compared(game, expected, stretch, decided=made is not None)
        if broken:
            return True
    if made is not None:
        yield from _missing(group[-1].n + 1, chain([stretch[len(expected) :]], made))
    return False


def _alike(game: HostedGame, expected: Sequence[JournalEvent], made: Sequence[JournalEvent]) -> Written | None:
    """The lines of recorded events if they are those of the rules that were made: all are, but for a fault. Looked at
    one by one they took a tenth of a replay more."""
    if not made or not of_the_rules(game, made[0]) or [_head(event) for event in expected] != [*map(_head, made)]:
        return None
    recorded = written(game, expected)
    return recorded if recorded.jsons == jsons_of(made) else None


def _head(event: JournalEvent) -> tuple[int, str, tuple[str, ...]]:
    return event.n, event.type, event.to


def _folded(game: HostedGame, group: Sequence[JournalEvent], lines: Written) -> Walk:
    try:
        fold_written(game, group, lines)
    except UnknownRules:
        raise
    except Exception as error:
        said = f"events {group[0].n} to {group[-1].n} cannot be folded: {type(error).__name__}: {error}"
        yield Difference(group[0].n, group[0].line(), None, said)
        return True
    return False


def _compared(game: HostedGame, group: Sequence[JournalEvent], made: Sequence[JournalEvent], *, decided: bool) -> Walk:
    """Compare and fold recorded events one by one with those that were made; without any, nothing was decided here, or
    all is `decided` that there is."""
    for place, expected in enumerate(group):
        lines = Lines(expected)  # made once, for the comparison and for the hashes
        if place < len(made):
            actual = made[place].line()
            if actual != lines.journal:
                yield Difference(expected.n, lines.journal, actual, "the recorded event is not the decided one")
        elif decided:
            yield Difference(expected.n, expected.line(), None, "the journal holds an event that nothing decides")
        if (broken := _fold(game, expected, lines)) is not None:
            yield broken
            return True
    return False


def _judged(game: HostedGame, head: JournalEvent, context: Context) -> tuple[Steps | None, str | None]:
    """What the input of a judgement brings about, and what is wrong with its place."""
    submitted, at = Submitted(**head.data["input"]), head.data["at"]
    return judgement_steps(game, submitted, at, context), _untimely(game, submitted, at)


def _reminded(game: HostedGame, head: JournalEvent) -> tuple[Steps | None, str | None]:
    """The reminder that is due, and what is wrong with the place of the recorded one."""
    due = next_reminder(game)
    if due is None:
        return None, "the journal holds a reminder, and none is due"
    wrong = None if due.at == head.data["at"] else f"a reminder was given at {head.data['at']}; it is due at {due.at}"
    return reminder_steps(game, due), wrong


def _missing(n: int, made: Steps) -> Iterator[Difference]:
    """The first event that the rules decide beyond the recorded ones."""
    try:
        extra = next(chain.from_iterable(made), None)
    except Exception as error:
        yield Difference(n, None, None, f"deciding again raised {type(error).__name__}: {error}")
        return
    if extra is not None:
        yield Difference(n, None, extra.line(), "the journal lacks an event that is decided")


def _only_fold(game: HostedGame, group: Sequence[JournalEvent]) -> Walk:
    for event in group:
        if (broken := _fold(game, event)) is not None:
            yield broken
            return True
    return False


def _fold(game: HostedGame, event: JournalEvent, lines: Lines | None = None) -> Difference | None:
    try:
        advance(game, event, lines)
    except UnknownRules:
        raise
    except Exception as error:
        return Difference(event.n, event.line(), None, f"it cannot be folded: {type(error).__name__}: {error}")
    return None


def _untimely(game: HostedGame, submitted: Submitted, at: int) -> str | None:
    """What is wrong with the place of an input among the deadlines (ENG-3), if anything is."""
    due = game.due()
    if submitted.role != "clock":
        if due is not None and at > due.at and submitted.type not in HOST_COMMANDS:
            return f"an input taken at {at} was judged before the deadline {due.type} at {due.at}"
        return None
    if submitted.id != clock_input(game, Deadline(at, submitted.type, submitted.payload)).id:
        return f"the id of this input of the clock is not that of {submitted.type} at {at}"
    if submitted.type in MOVES_DEADLINES or due == Deadline(at, submitted.type, submitted.payload):
        return None
    return f"the clock gave {submitted.type} at {at}, and the next deadline is {due}"
