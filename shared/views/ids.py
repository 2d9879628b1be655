"""Ids of the view documents: paths whose first segment is the generation, so that a rebuild never meets the live views.

    documents    <generation>|<game>|<kind>|<audience>|<id>
    feeds        <generation>|<game>|<audience>|<number of the last entry, 12 digits>, and <generation>|<game>|all:|
                 <number, 12 digits> of what several audiences have together (`shared.views.chunks`)
    counters     <generation>|<game>|<player's audience>, or `all:` for all others (`shared.views.counting`)
    heads        <generation>|<game>
    judgements   <generation>|<game>|<input id>
    checkpoints  <generation>|<partition, 2 digits>, <generation>|leads|<partition>, and, without a generation, `active`
                 and `rebuild`, and fresh|<partition>; `log` (`shared.belonging`)

Kind and audience stand before the id, so `find` by prefix lists one kind for one audience.
"""

ACTIVE = "active"
"""Checkpoint that names the generation which readers see; its position is that generation."""
FIRST_GENERATION = 1
PUBLIC = "public"
OPERATORS = ""
"""Audience of what only operators may see."""
NOTICES = "notices:"
"""What stands before an audience in the name of the feed of its notices; no game has such a kind of audience."""

SHARED = "all:"
"""Name of the counter of all audiences that have none of their own, and of the documents in which feeds of several
stand together; no audience ends with a colon."""


def notices(audience: str) -> str:
    """Name of the feed of an audience's notices: feeds and counters have it in place of the audience."""
    return f"{NOTICES}{audience}"


def of_generation(generation: int) -> str:
    """Prefix of everything in a generation."""
    return f"{generation}|"


def head(generation: int, game: str) -> str:
    """Id of a game's head."""
    return f"{generation}|{game}"


def document(generation: int, game: str, kind: str, audience: str, id: str) -> str:
    """Id of a document. Raises ValueError if kind or audience holds the separator."""
    if "|" in kind or "|" in audience:
        raise ValueError(f"kind {kind!r} and audience {audience!r} must not hold '|'")
    return f"{generation}|{game}|{kind}|{audience}|{id}"


def documents(generation: int, game: str, kind: str, audience: str | None) -> str:
    """Prefix of one kind for one audience; for all of them if the audience is None."""
    whole = f"{generation}|{game}|{kind}|"
    return whole if audience is None else f"{whole}{audience}|"


def counter(generation: int, game: str, audience: str) -> str:
    """Id of the counts of an audience, or of those of `SHARED`."""
    return f"{generation}|{game}|{audience}"


def feed(generation: int, game: str, audience: str) -> str:
    """Prefix of the feed of an audience."""
    return f"{generation}|{game}|{audience}|"


def feed_chunk(generation: int, game: str, audience: str, last: int) -> str:
    """Id of the stretch of a feed that ends with entry number `last`."""
    return f"{generation}|{game}|{audience}|{last:012}"


def number_of(chunk: str) -> int:
    """The number that the id of such a stretch ends with."""
    return int(chunk.rpartition("|")[2])


def judgement(generation: int, game: str, input_id: str) -> str:
    """Id of the judgement of an input."""
    return f"{generation}|{game}|{input_id}"


def certificate_id(k: int) -> str:
    """Id of the document of certificate number `k` within its kind."""
    return f"{k:08}"


def checkpoint(generation: int, partition: int) -> str:
    """Id of the checkpoint of a partition of the journal."""
    return f"{generation}|{partition:02}"


def fresh(partition: int) -> str:
    """Id of the checkpoint that says up to when the views of a partition are complete, whatever their generation."""
    return f"fresh|{partition:02}"


def leading(generation: int, partition: int) -> str:
    """Id of the checkpoint that says: this partition of a generation being filled is written before the live one."""
    return f"{generation}|leads|{partition:02}"
