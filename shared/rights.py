"""Who may do what in a Kafka cluster that one installation shares with others: the rights that each process needs.

One principal a process, named as the process is. What is not listed here is refused once the cluster checks access
(deploy/kafka-acls.yaml, docs/analysts.md). The gateway needs nothing: it never talks to Kafka.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from shared.commands import WRITERS
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, TURNS
from shared.log.kafka_place import KafkaPlace

Resource = Literal["topic", "group", "transactional_id"]
Pattern = Literal["literal", "prefixed"]

ACCESS_FILE = Path(__file__).parents[1] / "deploy" / "kafka-acls.yaml"

ANALYST_GROUP = "analyst"
"""Begins the name of every consumer group of an analyst; one group for each of them."""
TRANSACTIONAL_ID = "turns-"
"""Begins the transactional id of the owner of a partition; the partition's number follows."""
TOPICS = (*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS)
_INTERNAL = ("__consumer_offsets", "__transaction_state")
"""Topics of the cluster itself; they have no prefix."""


class Right(NamedTuple):
    """Operations on one resource, or on all whose name begins so; `name` is without the installation's prefix."""

    resource: Resource
    name: str
    operations: tuple[str, ...]
    pattern: Pattern = "literal"


class Principal(NamedTuple):
    """A process or person with a log-in of its own at the cluster."""

    name: str
    summary: str
    rights: tuple[Right, ...]

    def reads(self, topic: str) -> bool:
        return self._may("READ", topic)

    def writes(self, topic: str) -> bool:
        return self._may("WRITE", topic)

    def _may(self, operation: str, topic: str) -> bool:
        return any(
            right.resource == "topic" and right.name == topic and operation in right.operations for right in self.rights
        )


def _topics(names: tuple[str, ...], *operations: str) -> tuple[Right, ...]:
    return tuple(Right("topic", name, operations) for name in names)


_READ = ("DESCRIBE", "READ")
_OWN = Right("transactional_id", TRANSACTIONAL_ID, ("DESCRIBE", "WRITE"), "prefixed")

PRINCIPALS: Mapping[str, Principal] = {
    item.name: item
    for item in (
        *(
            Principal(service, f"Intake: appends what players and operators send to `{topic}`, and reads nothing.",
                      _topics((topic,), "DESCRIBE", "WRITE"))
            for service, topic in WRITERS.items()
        ),
        Principal(
            "resolver",
            "Judges every input, and alone writes journal, chronicle and dead letters, in transactions. Its ticks are "
            "all that it writes to the input topics.",
            (
                *_topics(INPUT_TOPICS, "DESCRIBE", "READ", "WRITE"),
                *_topics((TURNS,), "DESCRIBE", "READ", "WRITE"),
                *_topics((CHRONICLE, DEAD_LETTERS), "DESCRIBE", "WRITE"),
                Right("group", "resolver", _READ),
                _OWN,
            ),
        ),
        Principal(
            "projector",
            "Makes the views from the journal.",
            (*_topics((TURNS,), *_READ), Right("group", "projector", _READ)),
        ),
        Principal(
            "operator",
            "A game master's command line: makes and describes the topics, reads everything, secrets included, and "
            "takes a partition over where a game is moved, set down or gets a new chain.",
            (
                *_topics(
                    INPUT_TOPICS, "ALTER_CONFIGS", "CREATE", "DESCRIBE", "DESCRIBE_CONFIGS", "READ"
                ),
                *_topics(
                    (TURNS, CHRONICLE, DEAD_LETTERS),
                    "ALTER_CONFIGS", "CREATE", "DESCRIBE", "DESCRIBE_CONFIGS", "READ", "WRITE",
                ),
                *_topics(_INTERNAL, "DESCRIBE"),
                Right("group", "resolver", ("DESCRIBE",)),
                Right("group", "projector", ("DESCRIBE",)),
                _OWN,
            ),
        ),
        Principal(
            "analyst",
            "Reads what everybody may know, and nothing else.",
            (*_topics((CHRONICLE,), *_READ), Right("group", ANALYST_GROUP, _READ, "prefixed")),
        ),
    )
}  # fmt: skip


class Entry(NamedTuple):
    """One line of an access list, with names as the cluster knows them."""

    principal: str
    resource: Resource
    name: str
    pattern: Pattern
    operations: tuple[str, ...]


def entries(place: KafkaPlace) -> list[Entry]:
    """The access list of an installation."""
    return [
        Entry(
            f"User:{place.name(item.name)}", right.resource, _named(place, right.name), right.pattern, right.operations
        )
        for item in PRINCIPALS.values()
        for right in item.rights
    ]


def _named(place: KafkaPlace, name: str) -> str:
    return name if name in _INTERNAL else place.name(name)


_HEAD = """\
# Who may do what in the Kafka cluster. Made by `python -m shared.rights`; do not edit.
#
# Everything that is not listed is refused, in a cluster whose brokers have
#   authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
#   allow.everyone.if.no.acl.found=false
# `warledger topics acls --apply` puts the list in force, with the prefix of the installation. For other tools: where
# there is a prefix, it stands with a dot before the name of every user, and of everything but what begins with __
# (User:league.orders writes league.orders). An entry is
#   kafka-acls.sh --add --allow-principal PRINCIPAL --RESOURCE NAME --resource-pattern-type PATTERN --operation NAME ...
# with every host allowed. The gateway has no log-in: it never talks to Kafka.
"""


def access_file() -> str:
    """The text of deploy/kafka-acls.yaml."""
    lines = [_HEAD]
    for item in PRINCIPALS.values():
        lines += [f"# {item.summary}", f"User:{item.name}:"]
        for right in item.rights:
            operations = ", ".join(right.operations)
            lines.append(
                f"  - {{resource: {right.resource}, name: {right.name}, pattern: {right.pattern}, "
                f"operations: [{operations}]}}"
            )
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    ACCESS_FILE.write_text(access_file())
