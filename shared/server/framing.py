"""Where a request ends in what a client has sent so far (RFC 9112), found without parsing it.

This only decides when a request is handed to the parser, which judges everything else. What looks malformed here is
handed over at once, so that the parser refuses it.
"""

import re
from enum import Enum

_HEAD_END = b"\r\n\r\n"
_LINE_END = b"\r\n"
_CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]+)[ \t]*(?:;|\Z)")
_LENGTH = re.compile(rb"[0-9]{1,15}\Z")
_LONGEST_CHUNK_LINE = 1024
_LONGEST_TRAILER = 8192


class Need(Enum):
    """What is missing of the first request, or why it will never be complete."""

    HEAD = "head"
    BODY = "body"
    NOTHING = "nothing"
    SHORTER_HEAD = "shorter head"
    SMALLER_BODY = "smaller body"


class Framing:
    """Follows one request through a growing buffer; every byte is looked at once.

    `end` is where the request ends once nothing is needed; `expects_continue` whether the client waits for 100.
    """

    def __init__(self, most_head: int, most_body: int) -> None:
        self._most_head = most_head
        self._most_body = most_body
        self._searched = 0
        self._head_end: int | None = None
        self._chunked = False
        self._decoded = 0
        self._last_chunk = False
        self.end = 0
        self.expects_continue = False

    def look(self, data: bytearray) -> Need:
        """What is needed, given all bytes of the buffer from the request's first one on."""
        if self._head_end is None:
            found = data.find(_HEAD_END, max(0, self._searched - len(_HEAD_END) + 1))
            if max(found, len(data) if found < 0 else 0) > self._most_head:
                return Need.SHORTER_HEAD
            if found < 0:
                self._searched = len(data)
                return Need.HEAD
            self._head_end = found + len(_HEAD_END)
            self._read_head(bytes(data[:found]))
        if self._chunked:
            return self._look_at_chunks(data)
        if self.end - self._head_end > self._most_body:
            return Need.SMALLER_BODY
        return Need.BODY if len(data) < self.end else Need.NOTHING

    def _read_head(self, head: bytes) -> None:
        assert self._head_end is not None
        self.end = self._searched = self._head_end
        fields = [line.partition(b":") for line in head.split(_LINE_END)[1:]]
        named = [(name.strip().lower(), value.strip()) for name, _, value in fields]
        codings = [value.lower() for name, value in named if name == b"transfer-encoding"]
        lengths = [value for name, value in named if name == b"content-length"]
        self.expects_continue = any(name == b"expect" and value.lower() == b"100-continue" for name, value in named)
        if codings:
            self._chunked = codings == [b"chunked"] and not lengths
        elif len(lengths) == 1 and _LENGTH.match(lengths[0]):
            self.end += int(lengths[0])

    def _look_at_chunks(self, data: bytearray) -> Need:
        """`_searched` stands at the beginning of a chunk's size line, or of the trailer."""
        while not self._last_chunk:
            line_end = data.find(_LINE_END, self._searched, self._searched + _LONGEST_CHUNK_LINE)
            if line_end < 0:
                return self._malformed() if len(data) - self._searched >= _LONGEST_CHUNK_LINE else Need.BODY
            size = _CHUNK_SIZE.match(bytes(data[self._searched : line_end]))
            if size is None:
                return self._malformed()
            length = int(size[1], 16)
            if self._decoded + length > self._most_body:
                return Need.SMALLER_BODY
            if length == 0:
                self._last_chunk, self._searched = True, line_end
                break
            after = line_end + len(_LINE_END) + length + len(_LINE_END)
            if len(data) < after:
                return Need.BODY
            self._decoded += length
            self._searched = after
        found = data.find(_HEAD_END, self._searched)
        if found < 0:
            return self._malformed() if len(data) - self._searched > _LONGEST_TRAILER else Need.BODY
        self.end = found + len(_HEAD_END)
        return Need.NOTHING

    def _malformed(self) -> Need:
        self.end = self._searched + 1
        return Need.NOTHING
