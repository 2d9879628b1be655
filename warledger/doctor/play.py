"""Whether play goes on: what waits, what stands still, what was forged, and whether the clock is right."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.resolver.admission import admit
from shared.adapters import open_log
from shared.commands import WRITERS
from shared.log import INPUT_TOPICS, PARTITIONS, TICKS, TURNS, Log, TopicPartition
from shared.log.reading import standing, stretch
from warledger.doctor.finding import FAULT, NOTE, Case, Finding
from warledger.journals import dead_letters
from warledger.lagging import Gap, held_back, not_judged, not_shown
from warledger.local import local_documents, local_log

PATIENCE_MS = 10_000
"""What waits longer than this should not."""
AHEAD_MS = 60_000
RECENT_MS = 86_400_000
_LAST = 8
"""Offsets at the end of a partition among which a record is looked for: some are marks of transactions."""


def check_lag(case: Case) -> Iterator[Finding]:
    """Inputs that are stored and wait for their judgement; and what was judged of inputs that are not there."""
    waiting: list[int] = []
    with _believing(case) as log:
        held = {hold.place.partition for hold in held_back(log) if hold.place.topic == TURNS}
        for gap in not_judged(log):
            topic, partition = gap.place
            if partition in held:
                continue  # what was judged of it stands where nobody can read it
            if gap.mark.offset > gap.end > 0:
                said = f"{topic}, partition {partition}, has {gap.end} records, and was read up to {gap.mark.offset}"
                yield Finding("files", FAULT, said, _TOGETHER)
            waiting += _waiting(case, log, gap)
    if waiting and case.now - min(waiting) > PATIENCE_MS:
        seconds = (case.now - min(waiting)) // 1000
        said = f"{len(waiting)} inputs are not judged, the oldest for {seconds} seconds"
        yield Finding("lag", FAULT, said, f"see that the resolver runs, and what {_log_of(case, 'resolver')} says")


def check_held(case: Case) -> Iterator[Finding]:
    """Partitions that an open transaction holds back: what stands behind its beginning is not seen by any reader."""
    with local_log(case.settings) as log:
        for hold in held_back(log):
            yield Finding("lag", FAULT, hold.said, hold.remedy)


def _waiting(case: Case, log: Log, gap: Gap) -> Iterator[int]:
    """Times of the inputs of games that are not quarantined, from the mark on."""
    for record in stretch(log, gap.place, gap.mark, gap.end):
        game = case.survey.games.get(record.key)
        if admit(record).submitted is not None and (game is None or game.quarantined is None):
            yield record.at


def check_views(case: Case) -> Iterator[Finding]:
    """Whether the views have reached the journal, and not gone beyond it."""
    with local_documents(case.settings) as documents, local_log(case.settings) as log:
        late = 0
        for _, place, reached, end in not_shown(log, documents):
            if reached.offset > end > 0:
                said = (
                    f"the views hold {reached.offset} records of turns, partition {place.partition}, and it has {end}"
                )
                yield Finding("files", FAULT, said, _TOGETHER)
            late += sum(case.now - record.at > PATIENCE_MS for record in stretch(log, place, reached, end))
    if late:
        said = f"{late} records of the journal are not shown yet"
        advice = f"see that the projector runs, and what {_log_of(case, 'projector')} says"
        yield Finding("lag", FAULT, said, advice if case.settings.log_is_local else f"{advice}; {_SAME_DOCUMENTS}")


def check_clock(case: Case) -> Iterator[Finding]:
    """Whether the log has seen a time that this machine's clock has not reached."""
    with _believing(case) as log:
        everywhere = [TopicPartition(topic, number) for topic in (*INPUT_TOPICS, TURNS) for number in range(PARTITIONS)]
        newest = max((record.at for record in standing(log, everywhere, _LAST)), default=0)
    if newest > case.now + AHEAD_MS:
        said = f"the log's last record is {(newest - case.now) // 1000} seconds ahead of this machine's clock"
        advice = "set the clock (NTP); until it has caught up every input gets the same time, and turns close late"
        yield Finding("clock", FAULT, said, advice)


def check_dead_letters(case: Case) -> Iterator[Finding]:
    """What was forged or unreadable; of the last day it is a fault."""
    with local_log(case.settings) as log:
        letters = dead_letters(log)
    recent = [letter for letter in letters if letter.at > case.now - RECENT_MS]
    for found, level, when in ((recent, FAULT, "the last day"), (letters, NOTE, "all time")):
        if found:
            counts = Counter(letter.reason for letter in found)
            reasons = ", ".join(f"{counts[reason]} {reason}" for reason in sorted(counts))
            advice = "`warledger deadletters` lists them; find out who can write to the log, and change that"
            yield Finding("dead letters", level, f"of {when}: {reasons}", advice)
            return


def check_quarantine(case: Case) -> Iterator[Finding]:
    """Games that stand still."""
    for name, game in sorted(case.survey.games.items()):
        if game.quarantined is not None:
            advice = f"mend the cause; then: warledger game release {name} (its inputs wait for it)"
            yield Finding("quarantine", FAULT, f"{name} stands still: {game.quarantined}", advice)


@contextmanager
def _believing(case: Case) -> Iterator[Log]:
    """The log with the keys of all services: without them no input is one. Raises ConfigError."""
    keys = {name: case.settings.key(name) for name in (*WRITERS, TICKS)}
    log = open_log(case.settings, keys=keys)
    try:
        yield log
    finally:
        log.close()


def _log_of(case: Case, service: str) -> str:
    return str(case.settings.keys.parent / "logs" / f"{service}.log")


_SAME_DOCUMENTS = "see that all machines name the same WARLEDGER_DOCS: of two databases each shows a part of the games"

_TOGETHER = (
    "these files do not belong together: put all of them back from one backup, then `warledger game renew-chain --all` "
    "and `warledger rebuild`"
)
