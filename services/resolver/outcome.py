"""What one commit writes: judgements packed by game, the chronicle beside them, dead letters, and the marks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.resolver.admission import Arrival, Fault
from services.resolver.hosting.judging import Judged
from shared.canonical import canonical
from shared.events import HOST, JournalEvent, Origin, Packing, event_type
from shared.log import CHRONICLE, TURNS, Draft, Mark, Outcome
from shared.rules.shapes import ID

BATCH = event_type(HOST, "batch")
DEAD_LETTER = event_type(HOST, "dead_letter")
ORIGINS_A_PACK = 400
"""Origins stand in the first record of a pack, beside its events; more of them begin another pack."""
_CONTENT = {"content-type": "application/json", "ce_specversion": "1.0"}


class _Story(NamedTuple):
    """What one pack holds of a game."""

    first: int
    """Position of the first event."""
    lines: Packing
    origins: list[Origin]


class OutcomeBuilder:
    """Gathers what one commit is to write; games stand in the order in which they were first touched."""

    def __init__(self) -> None:
        self._stories: dict[str, list[_Story]] = {}
        self._chronicles: dict[str, _Story] = {}
        self._dead: list[Draft] = []
        self.events = 0

    @property
    def empty(self) -> bool:
        """Nothing to write but marks."""
        return not self._stories and not self._dead

    @property
    def games(self) -> tuple[str, ...]:
        """The games it tells of."""
        return tuple(self._stories)

    def add(self, judged: Judged, arrival: Arrival | None = None) -> None:
        """The events of a judgement; with `arrival` the first of them is the judgement of that record."""
        game, first = judged.game.id, judged.events[0].n
        stories = self._stories.setdefault(game, [])
        if not stories or len(stories[-1].origins) == ORIGINS_A_PACK:
            stories.append(_Story(first, Packing(), []))
        story = stories[-1]
        if arrival is not None:
            place = Origin(first, arrival.topic, arrival.partition, arrival.offset, arrival.traceparent)
            story.origins.append(place)
        story.lines.add(judged.lines)
        if judged.chronicle_lines:
            if game not in self._chronicles:
                self._chronicles[game] = _Story(judged.first_told, Packing(), [])
            self._chronicles[game].lines.add(judged.chronicle_lines)
        self.events += len(judged.events)

    def bury(self, arrival: Arrival, fault: Fault) -> None:
        """A record that gets no judgement: its coordinates and the reason."""
        letter = {
            "topic": arrival.topic,
            "partition": arrival.partition,
            "offset": arrival.offset,
            "reason": fault.reason,
            "detail": fault.detail,
        }
        headers = {
            **_CONTENT,
            "ce_id": f"{arrival.topic}-{arrival.partition}-{arrival.offset}",
            "ce_source": "/warledger/resolver",
            "ce_type": DEAD_LETTER,
        }
        # The key of a record that nobody vouches for is not carried on; it may be anything.
        self._dead.append(Draft(arrival.key if ID.match(arrival.key) else "unknown", canonical(letter), headers))

    def outcome(self, marks: Mapping[str, Mark]) -> Outcome:
        """The outcome with everything gathered."""
        turns: list[Draft] = []
        chronicle: list[Draft] = []
        for game, stories in self._stories.items():
            for story in stories:
                turns += _drafts(TURNS, game, story)
        for game, story in self._chronicles.items():
            # Not cut where the journal is: where that is tells how many inputs there were.
            chronicle += _drafts(CHRONICLE, game, story)
        return Outcome(turns, chronicle, self._dead, marks)


def drafts(topic: str, game: str, events: Sequence[JournalEvent]) -> list[Draft]:
    """Records of one topic, of events that came from no input topic."""
    return drafts_of_lines(topic, game, events[0].n, [event.line() for event in events])


def drafts_of_lines(topic: str, game: str, first: int, lines: Sequence[bytes]) -> list[Draft]:
    """Records of one topic, of lines of events from position `first` on that came from no input topic."""
    story = _Story(first, Packing(), [])
    story.lines.add(lines)
    return _drafts(topic, game, story)


def _drafts(topic: str, game: str, story: _Story) -> list[Draft]:
    """Its records. Origins stay in the journal: they would tell outsiders how much others send."""
    first, lines, origins = story
    values = lines.values(game, origins)
    trace = next((origin.traceparent for origin in origins if origin.traceparent), None)
    headers = {
        **_CONTENT,
        "ce_source": f"/warledger/{topic}",
        "ce_type": BATCH,
        "ce_subject": game,
    }
    if trace:
        headers["traceparent"] = trace
    return [Draft(game, value, {**headers, "ce_id": f"{game}-{first}-{part}"}) for part, value in enumerate(values, 1)]
