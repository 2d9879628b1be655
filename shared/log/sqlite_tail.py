"""Where the partitions of an input file end: the next offset, and the time that no later record may go below."""

import sqlite3

from shared.log import Mark
from shared.log.sqlite_schema import LONGEST_GAP, end_of, table_of
from shared.signing import Keyring

LOOK_BACK = 1_000
"""Rows before the last genuine one that are looked at first: a copy of an older record may stand behind it."""


class Tails:
    """The ends of one topic's partitions, kept from one transaction to the next so that only news is read."""

    def __init__(self, topic: str, keyring: Keyring) -> None:
        self._topic = topic
        self._keyring = keyring
        self._known: dict[int, Mark] = {}

    def of(self, connection: sqlite3.Connection, partition: int) -> Mark:
        """The next offset, and `at` of the last genuine record (0 if there is none); asked in a transaction."""
        table = table_of(self._topic, partition)
        known = self._known.get(partition)
        found = None
        if known is not None:
            found = self._at_a_glance(connection, table, known) or self._go_on(connection, table, known)
        if found is None:
            found = self._look_back(connection, table)
        self._known[partition] = found
        return found

    def reached(self, partition: int, mark: Mark) -> None:
        """What this process itself has committed."""
        self._known[partition] = mark

    def _at_a_glance(self, connection: sqlite3.Connection, table: str, known: Mark) -> Mark | None:
        """The end from a former one, if no offset is left out and the last row, genuine, has the latest time.

        So it is where nobody forges. To look at each row of a turn takes five times as long, at its deadline.
        """
        first = known.offset - 1
        every = f"SELECT count(*), max(offset), max(at) FROM {table} WHERE offset >= ?"
        count, last, latest = connection.execute(every, (first,)).fetchone()
        if not count or count != last - first + 1:
            return None
        if latest > known.at:
            row = f"SELECT at, value, signature FROM {table} WHERE offset = ?"
            at, value, signature = connection.execute(row, (last,)).fetchone()
            if at < latest or not self._genuine(at, value, signature):
                return None
        return Mark(last + 1, max(latest, known.at))

    def _go_on(self, connection: sqlite3.Connection, table: str, known: Mark) -> Mark | None:
        """The end from a former one; None if the row before that is gone, so that nothing is known."""
        end, at = known.offset - 1, known.at
        statement = f"SELECT offset, at, value, signature FROM {table} WHERE offset >= ? AND offset < ? ORDER BY offset"
        jumped = True
        while jumped:
            jumped = False
            for offset, before, value, signature in connection.execute(statement, (end, end + LONGEST_GAP)):
                if offset != end:
                    if end < known.offset:
                        return None
                    jumped = True
                end = offset + 1
                if before > at and self._genuine(before, value, signature):
                    at = before
        return None if end < known.offset else Mark(end, at)

    def _look_back(self, connection: sqlite3.Connection, table: str) -> Mark:
        end, at = end_of(connection, table), -1
        left = LOOK_BACK
        rows = connection.execute(
            f"SELECT offset, at FROM {table} WHERE offset >= 0 AND offset < ? ORDER BY offset DESC", (end,)
        )
        for offset, before in rows:
            if before > at:
                statement = f"SELECT value, signature FROM {table} WHERE offset = ?"
                if self._genuine(before, *connection.execute(statement, (offset,)).fetchone()):
                    at = before
            left -= at >= 0
            if left == 0:
                break
        rows.close()
        return Mark(end, max(0, at))

    def _genuine(self, at: int, value: bytes, signature: str | None) -> bool:
        return signature is not None and self._keyring.verify(signature, value, at) is not None
