"""The sequencer of one partition: judges its inputs in one order, closes what is due, commits what came of it.

What it decides follows from the records that were read and from the agenda. The wall clock only says when it is worth
asking the log for the time, by a tick.
"""

import time
from dataclasses import dataclass
from typing import Any

import structlog

from services.resolver.admission import Arrival, admit
from services.resolver.agenda import REMINDER, Due
from services.resolver.credit import CREDIT, credited_deadline
from services.resolver.games import Games
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.hosting.judging import Context, judge, judge_clock, remind
from services.resolver.hosting.reminders import next_reminder
from services.resolver.journal import PartitionStopped
from services.resolver.merge import Merge
from services.resolver.quarantining import Quarantine
from services.resolver.settings import Pace
from services.resolver.snapshotting import Snapshots
from services.resolver.storing import Storing
from services.resolver.takeover import Taken
from services.resolver.ticking import ORDERS, Ticker, Ticks
from services.resolver.writing import OutcomeWriter
from shared.allocation import give_back
from shared.clock import Clock
from shared.commands import CREATE_GAME, RELEASE_GAME
from shared.creation import named_data
from shared.events import Submitted
from shared.faults import point
from shared.log import Log, Mark, Record, TopicPartition
from shared.rules.interface import Deadline

_logger: Any = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Services:
    """What the sequencers of a process share."""

    log: Log
    snapshots: Snapshots
    context: Context
    clock: Clock
    pace: Pace


class Sequencer:
    """One owned partition, from its takeover until it is given up or lost. Used by one thread.

    Whatever a method raises ends its usefulness: drop it and take the partition over again.
    """

    def __init__(self, partition: int, taken: Taken, services: Services, ticks: Ticks) -> None:
        """It asks for `ticks`, which somebody else sends."""
        self.partition = partition
        self._services = services
        self._pace = services.pace
        self._games = taken.games
        self._pulse = taken.pulse
        self._merge = Merge(taken.marks)
        self._read = dict(taken.marks)
        self._awaited: int | None = None
        self._ticker = Ticker(ticks, partition, services.pace)
        self._storing = Storing(taken.games, services.snapshots, services.pace)
        if taken.games.changed:
            self._storing.committed(0, 0, services.clock.now())
        self._writer = OutcomeWriter(
            taken.ownership, taken.end, taken.games, self._merge, self._storing, services.pace, services.clock.now
        )
        self._quarantine = Quarantine(services.log, services.context, taken.games, self._merge, self._writer)

    @property
    def games(self) -> Games:
        """The games of this partition."""
        return self._games

    def positions(self) -> dict[TopicPartition, Mark]:
        """From where each input topic is to be read on; a topic of which too much waits already is left out."""
        return {
            TopicPartition(topic, self.partition): mark
            for topic, mark in self._read.items()
            if self._merge.held(topic) < self._pace.held_records
        }

    def done(self) -> dict[TopicPartition, Mark]:
        """The mark behind the last record of each input topic that was judged, or needs no judgement."""
        return {TopicPartition(topic, self.partition): mark for topic, mark in self._merge.marks().items()}

    def receive(self, record: Record, now: int) -> None:
        """Take in the next record of an input topic of this partition."""
        self._merge.add(admit(record))
        self._read[record.topic] = Mark(record.offset + 1, record.at)
        if record.topic == ORDERS:
            self._pulse.note(record.at)
            self._ticker.heard(now)

    def advance(self, now: int) -> None:
        """Judge and close everything that can be, and commit it. Raises what log and documents raise."""
        self._awaited = None
        while self._games.sick:
            name, failure = self._games.sick.popitem()
            game = self._games.get(name)
            self._quarantine.set_aside(name, failure.cause, now if game is None else game.last_at)
        while self._step(now):
            pass
        self._writer.finish()
        if self._pulse.crowded:
            self._forget_gaps()
        due = self._games.agenda.next()
        if due is not None:
            self._ticker.measure(due.at, now)

    def wait_ms(self, now: int) -> int:
        """How long nothing needs to be done here unless a record arrives."""
        due = self._games.agenda.next()
        if self._awaited is not None:
            return self._ticker.wait_ms(self._awaited, now, over=True)
        if due is None:
            return self._pace.idle_ms
        return self._ticker.wait_ms(due.at, now, over=False)

    def snapshot(self, now: int, *, at_once: bool = False) -> None:
        """Store the changed games beside the play if it is time; or at once, and wait for it."""
        (self._storing.finish if at_once else self._storing.step)(self._writer.end, now)

    def held(self) -> bool:
        """Whether the partition is still ours, as far as can be told without a commit. Raises LogUnavailable."""
        return self._writer.held()

    def release(self) -> None:
        """Give the partition up; what is not committed is forgotten."""
        self._writer.release()

    def _step(self, now: int) -> bool:
        """Do the next thing in the order of play; False if it needs records that are not there yet."""
        due = self._games.agenda.next()
        arrival = self._merge.head(None if due is None else due.at)
        if arrival is not None:
            return self._take(arrival, now)
        if due is None or not (now > due.at or self._merge.beyond(due.at)) or not self._over(due.at, now):
            return False
        if due.kind == REMINDER:
            self._remind(due)
        else:
            self._close(due)
        return True

    def _forget_gaps(self) -> None:
        """A partition where nothing closes for long hears no end of silences. Those that matter lie in the window of a
        deadline, of one that a waiting record may set, or of one that a record yet to be shown may set."""
        window = self._pace.credit.window_ms
        waiting = self._merge.head(None)
        needs = (
            self._pulse.last - window,
            None if waiting is None else waiting.at,
            self._games.agenda.earliest_need(window),
        )
        self._pulse.forget_up_to(min(need for need in needs if need is not None))

    def _over(self, at: int, now: int) -> bool:
        """Whether every topic has shown a record after this time; if not, ask for one."""
        lacking = self._merge.lacking(at)
        if lacking:
            self._awaited = at
            self._ticker.ask(lacking, now)
        return not lacking

    def _take(self, arrival: Arrival, now: int) -> bool:
        submitted = arrival.submitted
        if submitted is None:
            self._writer.pass_over(arrival, arrival.fault)
            return True
        game = self._games.get(submitted.game)
        if game is None or game.quarantined is None:
            self._judge(arrival, submitted, game)
        elif submitted.type != RELEASE_GAME:
            self._writer.pass_over(arrival, None)
        elif self._over(arrival.at, now):
            self._quarantine.release(arrival, submitted, game)
        else:
            return False
        return True

    def _judge(self, arrival: Arrival, submitted: Submitted, game: HostedGame | None) -> None:
        if submitted.type == CREATE_GAME:
            self._fetch_data(submitted)
        try:
            judged = judge(game, submitted, arrival.at, self._services.context)
            due = judged.game.due()
        except DeciderFailed as failure:
            self._quarantine.failed(failure, arrival, submitted)
            return
        point("resolver.while_judging")
        self._writer.write(judged, due, arrival.at, arrival)

    def _fetch_data(self, submitted: Submitted) -> None:
        """A store that is away stops the partition for now; without this it would be an answer to the creation."""
        create = submitted.payload.get("create")
        if isinstance(create, dict):
            for sha256 in named_data(create).values():
                self._services.context.data(sha256)

    def _close(self, due: Due) -> None:
        game = self._games.get(due.game)
        if game is None:
            raise PartitionStopped(f"game {due.game} has a deadline and no journal")
        point("resolver.before_close")
        try:
            deadline = game.due()
            if deadline is None or deadline.at != due.at:
                self._games.put(game, deadline, game.last_at)
                return
            credit = self._credit(game, deadline)
            began = time.perf_counter()
            judged = judge_clock(game, credit or deadline, self._services.context)
            after = game.due()
            seconds = time.perf_counter() - began
        except DeciderFailed as failure:
            self._quarantine.set_aside(due.game, failure.cause, due.at)
            return
        large = len(judged.events) >= self._pace.give_back_events
        self._writer.write(judged, after, due.at, "deadline" if credit is None else "credit", seconds)
        self._pulse.forget(due.at)
        if large:
            del judged
            give_back()

    def _remind(self, due: Due) -> None:
        game = self._games.get(due.game)
        if game is None:
            raise PartitionStopped(f"game {due.game} has a reminder and no journal")
        try:
            reminder = next_reminder(game)
            if reminder is None or reminder.at != due.at:
                self._games.put(game, game.due(), game.last_at)
                return
            judged = remind(game, reminder)
            after = game.due()
        except DeciderFailed as failure:
            self._quarantine.set_aside(due.game, failure.cause, due.at)
            return
        self._writer.write(judged, after, due.at, "reminder")

    def _credit(self, game: HostedGame, deadline: Deadline) -> Deadline | None:
        """What the clock does in place of the close after an outage."""
        appointment = self._games.agenda.of(game.id)
        if appointment is None or game.rules is None:
            return None
        moved = credited_deadline(appointment, self._pulse.gaps, self._pace.credit)
        if moved is None:
            return None
        _logger.info("outage credited", game=game.id, deadline=deadline.at, moved_to=moved)
        if "set_deadline" in game.rules.commands:
            return Deadline(deadline.at, "set_deadline", {"deadline": moved, "reason": CREDIT})
        return Deadline(deadline.at, "shift_time", {"by_ms": moved - deadline.at, "reason": CREDIT})
