"""The indexes of the document stores in MongoDB, all of them; they are made before a process first uses a collection.

Every half minute of use they are asked for again, as a server may have come back empty.

By `_id`, which every collection has: `get`, guarded writes, `insert`, `replace`, `delete`, and listing by prefix where
that is seldom done or little is there. By `key`, a copy of the id: listing in collections that are listed under load.
MongoDB itself walks `_id` as well; servers that speak its protocol may read the whole collection for a range of `_id`.
"""

KEY = "key"
KEYED = frozenset({"documents", "feeds", "tokens"})
"""Collections whose documents have the id once more as `key`."""
