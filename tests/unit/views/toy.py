"""A toy game whose events name their own writes, and journals of it, drawn or made by hand."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from shared import rules
from shared.canonical import canonical, sha256_hex
from shared.events import JournalEvent, event_type
from shared.host_events import ACCEPTED, CREATED, REJECTED, REPEATED
from shared.log import TURNS, Record
from shared.rules.interface import Event, EventType, Sentence, Write
from shared.rules.notices import EVERYBODY_NAMED, Notice
from shared.rules.shapes import Object

KIND = "toy"
AUDIENCES = ("public", "team:red", "team:blue", "player:ana", "player:bia", "")
Unit = list[list[JournalEvent]]
"""The events of one commit, by record."""


class ToyRules:
    """`project` makes the writes that an event lists: [kind, id, audience, fields, gone]. Events `hidden` are the
    journal's alone; every other is a notice to each of its audiences but the public.
    """

    events: Mapping[str, EventType] = {"hidden": EventType("hidden", 1, Object({}), "Journal.", journal_only=True)}
    notices: Mapping[str, tuple[Notice, ...]] = {
        "wrote": (Notice("written", EVERYBODY_NAMED, ("writes",), (Sentence("Something was written"),)),)
    }

    def project(self, event: Event) -> Iterable[Write]:
        return [Write(*write) for write in event.data["writes"]]


def rules_of(kind: str, version: str) -> Any:
    """The registry with one more game."""
    return ToyRules() if (kind, version) == (KIND, "1") else rules.rules_of(kind, version)


class Story:
    """Writes the journal of one game, numbering its events."""

    def __init__(self, game: str = "g1") -> None:
        self.game = game
        self.units: list[Unit] = []
        self._n = 0
        self._seq = 0

    def event(self, type: str, data: dict[str, Any], to: Sequence[str]) -> JournalEvent:
        self._n += 1
        return JournalEvent(self._n, type, data, tuple(to))

    def judgement(
        self, id: str, type: str = ACCEPTED, actor: str = "ana", command: str = "act", payload: Any = None
    ) -> JournalEvent:
        self._seq += 1
        role = {"op": "operator", "clock": "clock"}.get(actor, "player")
        given = {
            "actor": actor,
            "game": self.game,
            "id": id,
            "payload": payload or {},
            "role": role,
            "salt": "0" * 32,
            "type": command,
        }
        hash = sha256_hex(canonical(given))
        data: dict[str, Any] = {"input": given, "at": 1000 * self._seq, "seq": self._seq, "hash": hash}
        if type == REJECTED:
            data |= {"code": "not_active", "rule": "TOY-1", "detail": "Wait."}
        if type == REPEATED:
            data |= {"first": 1, "same": True}
        return self.event(type, data, (f"player:{actor}",) if role == "player" else ())

    def wrote(self, *writes: Sequence[Any], to: Sequence[str] = ("public",), name: str = "wrote") -> JournalEvent:
        return self.event(event_type(KIND, name), {"writes": [list(write) for write in writes]}, to)

    def created(self) -> None:
        """The unit that creates the game, with red's member ana."""
        chain = {"chain": 0, "key_id": "k", "salt": "0" * 32, "seed0": "0" * 64, "sealed": {}}
        host = {"id": self.game, "kind": KIND, "rules": "1", **chain}
        self.unit(
            self.judgement("c", actor="op", command="create_game"),
            self.event(CREATED, host, ("public",)),
            self.wrote(["member", "ana", "", {"audiences": ["player:ana", "team:red"]}, False], to=()),
        )

    def unit(self, *events: JournalEvent, cuts: Iterable[int] = ()) -> None:
        """One commit, its records cut before these indexes."""
        bounds = [0, *sorted({cut for cut in cuts if 0 < cut < len(events)}), len(events)]
        self.units.append([list(events[start:end]) for start, end in itertools.pairwise(bounds)])


def records(stories: Sequence[Story], partition: int = 3) -> list[Record]:
    """The journal of a partition: the units of the games one after the other in turn."""
    made: list[Record] = []
    for turn in range(max(len(story.units) for story in stories)):
        for story in stories:
            unit = story.units[turn] if turn < len(story.units) else []
            for part, events in enumerate(unit, 1):
                listed = [{"n": e.n, "type": e.type, "data": e.data, "to": e.to} for e in events]
                batch = {"events": listed, "game": story.game, "origins": [], "part": part, "parts": len(unit)}
                offset = len(made)
                at = 10_000 + offset
                made.append(Record(TURNS, partition, offset, at, story.game, canonical(batch), {}, None))
    return made


_writes = st.tuples(
    st.sampled_from(("a", "b")),
    st.sampled_from(("x", "y")),
    st.sampled_from(AUDIENCES),
    st.dictionaries(st.sampled_from(("p", "q")), st.integers(0, 3)),
    st.booleans(),
)


@st.composite
def stories(draw: st.DrawFn, game: str = "g1") -> Story:
    """A game with a few commits, some in several records, with judgements of every kind among the events."""
    story = Story(game)
    story.created()
    for _ in range(draw(st.integers(1, 6))):
        events: list[JournalEvent] = []
        for _ in range(draw(st.integers(1, 5))):
            if draw(st.integers(0, 3)) == 0:
                type = draw(st.sampled_from((ACCEPTED, REJECTED, REPEATED)))
                actor = draw(st.sampled_from(("ana", "bia", "op")))
                events.append(story.judgement(f"i{len(story.units)}-{len(events)}", type, actor))
            else:
                to = draw(st.lists(st.sampled_from(AUDIENCES[:-1]), unique=True, max_size=2))
                events.append(story.wrote(*draw(st.lists(_writes, max_size=3)), to=to))
        story.unit(*events, cuts=draw(st.lists(st.integers(1, 4), max_size=3)))
    return story
