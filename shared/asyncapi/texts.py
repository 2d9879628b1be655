"""What the document and the page say of each topic, in words."""

from collections.abc import Mapping
from typing import NamedTuple

from shared.log import CHRONICLE, DEAD_LETTERS, TURNS


class About(NamedTuple):
    """One sentence on what is in a topic, and what a reader has to know of it."""

    summary: str
    description: str


ABOUT: Mapping[str, About] = {
    "orders": About(
        "Commands of players and operators that are neither votes nor trades.",
        "Written by the orders service. Secret until the turn resolves. What came of a command stands in `turns`.",
    ),
    "votes": About(
        "Nominations, votes, shield, chat, mail and battle plan.",
        "Written by the polls service. Words of players are not here: a record names the message and its salted hash.",
    ),
    "trades": About(
        "Offers between players, acceptances, refusals, ends of agreements.",
        "Written by the economy service. Secret from all but the sides of a deal, until the rules make it public.",
    ),
    TURNS: About(
        "The journal: every judgement and outcome of a game in one total order.",
        "Complete, so it holds secrets: for services and operators only. A record with an empty value carries nothing "
        "but how far the inputs were read; readers pass over it.",
    ),
    CHRONICLE: About(
        "What everybody may know, from the moment when everybody may know it.",
        "Written in the same transaction as the journal. Nothing is held back for later: what becomes public when a "
        "turn resolves is told by events of its own, such as `orders_revealed`. `n` counts the public events of a game "
        "from 1 without gaps.",
    ),
    DEAD_LETTERS: About(
        "Where records stand that got no judgement, and why.",
        "Key is the game that the record stood under, or `unknown` where that could be no game.",
    ),
}

DESCRIPTION = """\
Every record of a game has the game's id as its key. The partition is Kafka's default, murmur2 of the key, of 12, so all
records of a game stand in one partition of each topic, in order. Records are CloudEvents 1.0 in binary mode: attributes
in headers, JSON in the value. `turns` and `chronicle` are written in transactions: read them with
`isolation_level=read_committed`. The time of a record is the time at which the log took it (UTC milliseconds). Nothing
is ever removed. Offsets have gaps and mean nothing across topics.

The name of a topic, consumer group or transactional id begins with the installation's prefix and a dot, if it has a
prefix.

An event type is `warledger.<game>.<name>.v<version>`; `host` stands for what is the same in every game. A type never
changes its meaning: what does is a new version. New types may come at any time; leave aside what you do not know.

On one machine without Kafka the same records lie in files. `warledger tail` and `warledger export --public` show the
chronicle of either.
"""

SIGNATURE = (
    "`<key id>:<hex>`, HMAC-SHA-256 of the value with the key of the service that wrote it. Without it a record is no "
    "input."
)
MARKS = (
    "Of the last record of a transaction: the next offset of each input topic, and the last time seen there, as JSON."
)
TICK = "No input: shows a reader that time has passed. Without key and attributes; signed with the key `ticks`."
