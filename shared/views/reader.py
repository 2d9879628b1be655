"""Reading views: every answer is made at one head, so nobody sees half a turn (docs/decisions/0005-views.md)."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from shared.canonical import canonical, sha256_hex
from shared.documents import Document as Stored
from shared.documents import Documents
from shared.rules.interface import Document
from shared.views import counting, generations, ids
from shared.views.by_player import ByPlayer
from shared.views.feeds import Feeds
from shared.views.shapes import Certificate, Counts, FeedEntry, Head, JudgementView, SeenEvent
from shared.views.together import apart, is_together
from shared.views.versions import HeadMoved, at_head

T = TypeVar("T")

MAX_ATTEMPTS = 100
PAUSE_SECONDS = 0.01
CERTIFICATE = "certificate"
COVER = "cover"
MEMBER = "member"


class UnknownGame(LookupError):
    """The views know no such game (yet)."""


class Views:
    """The views as gateway and tools read them. Raises what the document port raises."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._feeds = Feeds(documents)
        self.by_player = ByPlayer(documents)

    def generation(self) -> int:
        """The generation that readers see."""
        return generations.active(self._documents)

    def head(self, game: str) -> Head | None:
        """The head of a game, None if the views know no such game."""
        head = self._stored_head(game)
        return head if head is not None and head.kind else None

    def _stored_head(self, game: str, generation: int | None = None) -> Head | None:
        """The head also of a game whose creation was refused: that is judged too."""
        generation = self.generation() if generation is None else generation
        id = ids.head(generation, game)
        found = self._documents.get("heads", [id])
        return _head(generation, found[id]) if found else None

    def heads(self, games: Iterable[str]) -> dict[str, Head]:
        """The heads of several games in one read, by game; those of refused creations, too."""
        generation = self.generation()
        by_id = {ids.head(generation, game): game for game in games}
        found = self._documents.get("heads", by_id)
        return {by_id[id]: _head(generation, item) for id, item in found.items()}

    def games(self, after: str = "", limit: int = 100) -> list[Head]:
        """Heads of the games whose id comes after `after`, by ascending id."""
        generation = self.generation()
        start = ids.head(generation, after) if after else ""
        heads: list[Head] = []
        while len(heads) < limit and (
            found := self._documents.find("heads", ids.of_generation(generation), after=start, limit=limit)
        ):
            start = found[-1].id
            stored = (_head(generation, item) for item in found)
            heads += (head for head in stored if head.kind)
        return heads[:limit]

    def read(self, game: str, answer: Callable[[Head], T]) -> T:
        """What `answer` makes of one head; asked again with a newer head if that one was overtaken meanwhile.

        Raises UnknownGame.
        """
        before: Head | None = None
        for _ in range(MAX_ATTEMPTS):
            head = self.head(game)
            if head is None:
                raise UnknownGame(game)
            if head == before:
                time.sleep(PAUSE_SECONDS)  # what is beyond this head is being written
            before = head
            try:
                result = answer(head)
            except HeadMoved:
                continue
            if self.generation() == head.generation:
                return result
        raise HeadMoved(f"{game}: overtaken {MAX_ATTEMPTS} times")

    def documents(self, head: Head, kinds: Iterable[str], audiences: Iterable[str] | None) -> list[Document]:
        """The documents of these kinds for these audiences, each in the order given, then by id.

        `audiences` None means all of them: what an operator sees. Raises HeadMoved.
        """
        chosen = None if audiences is None else list(audiences)
        return [item for kind in kinds for item in self._of_kind(head, kind, chosen)]

    def _of_kind(self, head: Head, kind: str, audiences: Sequence[str] | None) -> Iterator[Document]:
        if is_together(kind):
            for item in self.page(head, kind, ids.SHARED):
                yield from apart(kind, item.id, item.fields, audiences)
        elif audiences is None:
            yield from self.page(head, kind, None)
        else:
            for audience in audiences:
                yield from self.page(head, kind, audience)

    def page(
        self,
        head: Head,
        kind: str,
        audience: str | None,
        after: str = "",
        limit: int = 1_000_000,
        beginning: str = "",
    ) -> Iterator[Document]:
        """Documents of one kind and audience whose id comes after `after`, among the next `limit` stored ones.

        With a `beginning` only those whose id begins so. With `audience` None both must be empty. Not
        for kinds whose documents are stored together: `documents` takes those apart. Raises HeadMoved.
        """
        of_kind = ids.documents(head.generation, head.game, kind, audience)
        prefix = f"{of_kind}{beginning}"
        start = f"{of_kind}{after}" if after else ""
        for item in self._documents.find("documents", prefix, after=start, limit=limit):
            fields = at_head(item.body, head.n)
            if fields is not None:
                of, id = item.id.split("|", 4)[3:]
                yield Document(kind, id, of, fields)

    def one(self, head: Head, kind: str, id: str, audience: str) -> Document | None:
        """One document. Raises HeadMoved."""
        return self.one_each([head], kind, id, audience).get(head.game)

    def one_each(self, heads: Iterable[Head], kind: str, id: str, audience: str) -> dict[str, Document]:
        """The same document of several games in one read, by game: for lists of games. Raises HeadMoved."""
        by_id = {ids.document(head.generation, head.game, kind, audience, id): head for head in heads}
        found = self._documents.get("documents", by_id)
        seen: dict[str, Document] = {}
        for key, head in by_id.items():
            fields = at_head(found[key].body, head.n) if key in found else None
            if fields is not None:
                seen[head.game] = Document(kind, id, audience, fields)
        return seen

    def audiences_of(self, head: Head, actor: str) -> tuple[str, ...]:
        """The audiences of a player: public, her own, and those of her `member` document, in canonical order.

        Somebody who is not in the game has the first two: her own holds the refusals of what she tried.
        Raises HeadMoved.
        """
        member = self.one(head, MEMBER, actor, ids.OPERATORS)
        listed = () if member is None else member.fields["audiences"]
        return tuple(sorted({ids.PUBLIC, f"player:{actor}", *listed}))

    def counters(self, head: Head, audiences: Iterable[str]) -> dict[str, Counts]:
        """Counts of each audience at this head; zeros for one without any. Raises HeadMoved."""
        return counting.read(self._documents, head, audiences)

    def etag(self, head: Head, audiences: Iterable[str]) -> str:
        """An opaque tag that changes when a document of these audiences changes, and at nothing else.

        For an operator give `("",)`, whose count is that of all changes. Raises HeadMoved.
        """
        counts = self.counters(head, audiences)
        listed = [[audience, counts[audience].changes] for audience in sorted(counts)]
        return sha256_hex(canonical([head.generation, listed]))[:32]

    def feed(self, head: Head, audiences: Iterable[str], after: Mapping[str, int], limit: int = 100) -> list[FeedEntry]:
        """The next events of these audiences in their order, each once however many of them it is for.

        `after` counts the entries already seen, by audience; one that is not named is read from its beginning.
        Operators read the audience "" alone, which has every event. Raises HeadMoved.
        """
        return self._feeds.after(head, audiences, after, limit)

    def news(self, head: Head, audiences: Iterable[str], after: Mapping[str, int], limit: int) -> list[FeedEntry]:
        """As `feed`, for many audiences most of which have nothing new: these are told by their counters, in one read.

        Raises HeadMoved.
        """
        named = list(audiences)
        present = {audience: counts.feed for audience, counts in self.counters(head, named).items()}
        return self._feeds.after(head, named, after, limit, present)

    def newest(
        self, head: Head, audiences: Iterable[str], before: Mapping[str, int] | None, limit: int
    ) -> list[FeedEntry]:
        """The last events of these audiences, the newest first; `before` is `after` of the last one of the page before.

        Raises HeadMoved.
        """
        named = list(audiences)
        present = {audience: counts.feed for audience, counts in self.counters(head, named).items()}
        given = (
            present if before is None else {name: min(before.get(name, 0), count) for name, count in present.items()}
        )
        return self._feeds.before(head, named, given, limit)

    def report(self, head: Head, k: int, after: int = 0, limit: int = 100, first: int | None = None) -> list[FeedEntry]:
        """The public events that led to resolution number `k` and came of it: after the certificate before it, up to
        its own. With `first` those of all resolutions from number `first` to `k`.

        `after` is what the last entry of the page before has in its `after` for `public`. Empty behind the end, and
        for a resolution that is not certified. Raises HeadMoved.
        """
        start, end = self._stretch(head, k if first is None else first, k)
        return self._public(head, max(start, after), end, limit)

    def outcomes(self, head: Head, k: int, limit: int) -> list[FeedEntry]:
        """The end of a report from the first event that has the time of the last one: what the input that brought
        resolution `k` about has done, at most `limit` entries. Raises HeadMoved."""
        low, end = self._stretch(head, k, k)
        high = end - 1
        at = self._public(head, high, end, 1)[0].at if low < end else 0
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._public(head, middle, end, 1)[0].at >= at else (middle + 1, high)
        return self._public(head, low, end, limit)

    def _public(self, head: Head, after: int, end: int, limit: int) -> list[FeedEntry]:
        """The public entries after number `after` up to number `end`, at most `limit`."""
        count = min(limit, end - after)
        return self.feed(head, (ids.PUBLIC,), {ids.PUBLIC: after}, count) if count > 0 else []

    def _stretch(self, head: Head, first: int, k: int) -> tuple[int, int]:
        """How many public entries stand before resolution `first`, and up to the certificate of `k`. Twice 0 if it is
        not certified. Raises HeadMoved."""
        wanted = {
            n: ids.document(head.generation, head.game, CERTIFICATE, ids.PUBLIC, ids.certificate_id(n))
            for n in {first - 1, k}
        }
        found = self._documents.get("documents", wanted.values())
        ends = {n: found[id].position for n, id in wanted.items() if id in found}
        if k not in ends or ends[k] > head.n or (first > 1 and first - 1 not in ends):
            return 0, 0
        start = self._public_up_to(head, ends[first - 1]) if first > 1 else 0
        return start, self._public_up_to(head, ends[k])

    def _public_up_to(self, head: Head, n: int) -> int:
        """How many public entries stand at positions up to `n`. Raises HeadMoved."""
        return self._feeds.up_to(head, ids.PUBLIC, self.counters(head, (ids.PUBLIC,))[ids.PUBLIC].feed, n)

    def judgement(self, game: str, input_id: str, head: Head | None = None) -> JudgementView | None:
        """What became of an input, once the views have reached it; None before, and for an id never judged.

        `head` is one that was read just now, if there is one: it is not read again where it is far enough.
        """
        for _ in range(MAX_ATTEMPTS):
            try:
                return self._judgement(game, input_id, head)
            except HeadMoved:
                head = None
                time.sleep(PAUSE_SECONDS)
        return None

    def _judgement(self, game: str, input_id: str, head: Head | None) -> JudgementView | None:
        generation = self.generation() if head is None else head.generation
        id = ids.judgement(generation, game, input_id)
        found = self._documents.get("judgements", [id])
        if not found:
            return None
        if head is None or found[id].position > head.n:
            head = self._stored_head(game, generation)
        if head is None or found[id].position > head.n:
            return None
        body = found[id].body
        allowed = None if body["role"] == "operator" else set(self.audiences_of(head, body["actor"]))

        def seen(to: Iterable[str]) -> bool:
            return allowed is None or not allowed.isdisjoint(to)

        events = tuple(SeenEvent(event["type"], event["data"]) for event in body["events"] if seen(event["to"]))
        known: dict[str, Any] = {name: body.get(name) for name in _JUDGEMENT_FIELDS}
        complete = not any(seen(to) for to in body["cut"])
        return JudgementView(game=game, input=input_id, events=events, complete=complete, **known)

    def certificates(self, head: Head, after: int = 0, limit: int = 100) -> list[Certificate]:
        """Public certificates of the resolutions after number `after`, in order. Raises HeadMoved."""
        start = ids.certificate_id(after) if after else ""
        found = self.page(head, CERTIFICATE, ids.PUBLIC, start, limit)
        return [Certificate(int(item.id), item.fields) for item in found]


def _head(generation: int, stored: Stored) -> Head:
    return Head(generation=generation, n=stored.position, **stored.body)


_JUDGEMENT_FIELDS = ("actor", "role", "type", "verdict", "code", "rule", "detail", "hash", "at", "n", "traceparent")
