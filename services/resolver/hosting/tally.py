"""Running hashes over what was written since the last certificate (docs/proof.md).

A running hash begins with 32 zero bytes; each line makes it SHA-256(hash so far, line, line feed), raw bytes. It has
constant size whatever the turn brings, so a snapshot in the middle of a turn of a hundred thousand orders stays small.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from shared.canonical import canonical
from shared.events import JournalEvent, public_form, unpack
from shared.rules.interface import PUBLIC

START = bytes(32)
_AT_ONCE = 16_384
_BYTES_AT_ONCE = 32_000_000


class Lines:
    """The line of an event, and that of its form in the chronicle if it is public.

    Its data is made to JSON once: to do so for hashes, journal and chronicle took a fifth of a close.
    """

    __slots__ = ("_data", "_event", "journal", "public")

    def __init__(self, event: JournalEvent) -> None:
        self._event = event
        self._data = canonical(event.data)
        self.journal = event.line_of(self._data)
        self.public: bytes | None = None

    def tell(self, public: JournalEvent) -> None:
        """It is public, in this form."""
        same = public.data is self._event.data
        self.public = public.line_of(self._data if same else canonical(public.data))


_Line = tuple[bytes, bytes | None]
"""Line of an event, and of its form in the chronicle."""
_Unwritten = tuple[JournalEvent, int]
"""An event, and its number in the chronicle or 0."""


class _Stretch:
    """Events `first` to `last` of a record; `public_n` is the number of the first public one of them."""

    __slots__ = ("first", "last", "public_n", "value")

    def __init__(self, value: bytes, first: int) -> None:
        self.value = value
        self.first = self.last = first
        self.public_n = 0

    def lines(self) -> Iterator[_Line]:
        public_n = self.public_n
        for event in unpack(self.value).events:
            if self.first <= event.n <= self.last:
                public = public_form(event) is not None
                yield _lines_of(event, public_n if public else 0)
                public_n += public


class Tally:
    """The running hashes of journal and chronicle since the last certificate.

    Lines that are there already are hashed at once. Events without them wait until somebody asks: folding a season
    drops nearly all of them at the next certificate. Those of a record that is being read wait as its bytes, so that
    the events themselves can go while they are in a cache. The data of an event must not be changed once it was emitted
    or read.
    """

    __slots__ = ("_bytes", "_chronicle", "_journal", "_record", "_stretch", "_waiting")

    def __init__(self, journal: bytes = START, chronicle: bytes = START) -> None:
        self._journal = journal
        self._chronicle = chronicle
        self._waiting: list[_Unwritten | _Stretch] = []
        self._record: bytes | None = None
        self._stretch: _Stretch | None = None
        self._bytes = 0

    def reading(self, value: bytes | None) -> None:
        """The events to come stand in a record with this value; None: they stand in none yet."""
        self._record = value
        self._stretch = None
        self._bytes += 0 if value is None else len(value)
        if self._bytes > _BYTES_AT_ONCE:
            self._settle()

    def add(self, event: JournalEvent, public_n: int, lines: Lines | None = None) -> None:
        """Take in one event; `public_n` is its number in the chronicle, 0 if it is not public.

        `lines` are those of the event where the caller has them already.
        """
        if self._record is not None:
            self._read(self._record, event.n, public_n)
            return
        if lines is None:
            self._waiting.append((event, public_n))
            if len(self._waiting) >= _AT_ONCE:
                self._settle()
            return
        if self._waiting:
            self._settle()
        self._hash(lines.journal, lines.public)

    def hashes(self) -> tuple[bytes, bytes]:
        """The running hashes of journal and chronicle."""
        self._settle()
        return self._journal, self._chronicle

    def add_lines(self, journal: Iterable[bytes], chronicle: Iterable[bytes]) -> None:
        """Take in the lines of events in each of the two, behind all that were added before."""
        self._settle()
        self._journal = _hashed(self._journal, journal)
        self._chronicle = _hashed(self._chronicle, chronicle)

    def reset(self) -> None:
        """Begin anew, behind a certificate."""
        self._journal = self._chronicle = START
        self._forget()

    def _read(self, record: bytes, n: int, public_n: int) -> None:
        stretch = self._stretch
        if stretch is None:
            stretch = self._stretch = _Stretch(record, n)
            self._waiting.append(stretch)
        stretch.last = n
        if public_n and not stretch.public_n:
            stretch.public_n = public_n

    def _forget(self) -> None:
        self._waiting.clear()
        self._stretch = None
        self._bytes = 0 if self._record is None else len(self._record)

    def _lines(self) -> Iterator[_Line]:
        for item in self._waiting:
            if isinstance(item, _Stretch):
                yield from item.lines()
            else:
                yield _lines_of(*item)

    def _settle(self) -> None:
        for line, public in self._lines():
            self._hash(line, public)
        self._forget()

    def _hash(self, line: bytes, public: bytes | None) -> None:
        self._journal = _hashed(self._journal, (line,))
        if public is not None:
            self._chronicle = _hashed(self._chronicle, (public,))


def _hashed(before: bytes, lines: Iterable[bytes]) -> bytes:
    """A running hash behind some more lines."""
    for line in lines:
        before = sha256(b"%b%b\n" % (before, line)).digest()
    return before


def _lines_of(event: JournalEvent, public_n: int) -> _Line:
    data = canonical(event.data)
    public = JournalEvent(public_n, event.type, event.data, PUBLIC).line_of(data) if public_n else None
    return event.line_of(data), public
