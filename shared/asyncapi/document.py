"""The AsyncAPI 3.0 document: servers, channels, messages, operations."""

from importlib.metadata import version
from typing import Any

from shared.asyncapi.schemas import TRACEPARENT, command_type, commands, component_schemas, headers, reference
from shared.asyncapi.texts import ABOUT, DESCRIPTION, MARKS, SIGNATURE, TICK
from shared.events import HOST, JournalEvent, event_type, pack
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, TURNS
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.kafka_topics import desired
from shared.log.outcomes import MARKS_HEADER
from shared.rights import PRINCIPALS, TOPICS, Principal
from shared.rules.interface import PUBLIC

Json = dict[str, Any]

REPLICAS = 3
_BINDING = "0.5.0"
_PROTOCOL = "4.3"
BATCH = event_type(HOST, "batch")
DEAD_LETTER = event_type(HOST, "dead_letter")
_KEY = {"type": "string", "description": "The game's id."}


def document() -> Json:
    """The whole document. Raises LookupError for an event type without a stored schema."""
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Warledger topics", "version": version("warledger"), "description": DESCRIPTION},
        "defaultContentType": "application/json",
        "servers": _servers(),
        "channels": {topic: _channel(topic) for topic in TOPICS},
        "operations": dict(
            operation
            for principal in PRINCIPALS.values()
            for topic in TOPICS
            for operation in _operations(principal, topic)
        ),
        "components": {
            "messages": {name: made for topic in TOPICS for name, made in messages(topic).items()},
            "schemas": component_schemas(),
            "securitySchemes": {
                "login": {
                    "type": "scramSha512",
                    "description": "A log-in for each process; see deploy/kafka-acls.yaml.",
                }
            },
        },
    }


def _servers() -> Json:
    return {
        "cluster": {
            "host": "{host}:{port}",
            "protocol": "kafka-secure",
            "protocolVersion": _PROTOCOL,
            "description": "A cluster that checks who may do what.",
            "variables": {
                "host": {"default": "kafka.example.org", "description": "Any broker of the cluster."},
                "port": {"default": "9093"},
            },
            "security": [{"$ref": "#/components/securitySchemes/login"}],
        },
        "machine": {
            "host": "127.0.0.1:9092",
            "protocol": "kafka",
            "protocolVersion": _PROTOCOL,
            "description": "A broker on this machine, such as `warledger servers up` starts.",
        },
    }


def _channel(topic: str) -> Json:
    about = ABOUT[topic]
    settings = desired(REPLICAS)
    return {
        "address": "{prefix}" + topic,
        "title": topic,
        "summary": about.summary,
        "description": about.description,
        "parameters": {
            "prefix": {
                "description": "Prefix of the installation with its dot; empty if the cluster is its own.",
                "default": "",
                "examples": ["", "league."],
            }
        },
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages(topic)},
        "bindings": {
            "kafka": {
                "partitions": PARTITIONS,
                "replicas": REPLICAS,
                "topicConfiguration": {
                    "cleanup.policy": [settings["cleanup.policy"]],
                    "retention.ms": int(settings["retention.ms"]),
                    "retention.bytes": int(settings["retention.bytes"]),
                    "max.message.bytes": int(settings["max.message.bytes"]),
                },
                "bindingVersion": _BINDING,
            }
        },
    }


def messages(topic: str) -> dict[str, Json]:
    """The messages of a topic, by name."""
    if topic in INPUT_TOPICS:
        inputs = {command_type(command): _input_message(topic, command) for command, _ in commands(topic)}
        return {**inputs, "tick": _tick()}
    if topic == DEAD_LETTERS:
        return {DEAD_LETTER: _dead_letter()}
    return {f"{topic}Batch": _batch(topic)}


def _message(name: str, title: str, summary: str, of_headers: Json, payload: Json, key: Json = _KEY) -> Json:
    return {
        "name": name,
        "title": title,
        "summary": summary,
        "contentType": "application/json",
        "headers": of_headers,
        "payload": payload,
        "bindings": {"kafka": {"key": key, "bindingVersion": _BINDING}},
    }


def _input_message(topic: str, command: str) -> Json:
    type = command_type(command)
    schema = reference(type)
    by = dict(commands(topic))[command]
    more = {"traceparent": TRACEPARENT, SIGNATURE_HEADER: {"type": "string", "description": SIGNATURE}}
    summary = " ".join(dict.fromkeys(item.summary for item in by.values()))
    return _message(type, command, summary, headers(type, f"/warledger/{topic}", "The game's id.", **more), schema)


def _tick() -> Json:
    known = {SIGNATURE_HEADER: {"type": "string", "description": SIGNATURE}}
    return {
        "name": "tick",
        "title": "tick",
        "summary": TICK,
        "headers": {"type": "object", "properties": known, "required": [SIGNATURE_HEADER]},
        "payload": {"type": "string", "maxLength": 0, "description": "Empty."},
    }


def _dead_letter() -> Json:
    summary = ABOUT[DEAD_LETTERS].summary
    of_headers = headers(DEAD_LETTER, "/warledger/resolver", None)
    return _message(DEAD_LETTER, "dead letter", summary, of_headers, reference("deadLetter"))


def _batch(topic: str) -> Json:
    marks = {"type": "string", "description": MARKS}
    more = {"traceparent": TRACEPARENT, MARKS_HEADER: marks} if topic == TURNS else {}
    made = _message(
        BATCH,
        f"events of {topic}",
        "Events of one game in order, packed into one record.",
        headers(BATCH, f"/warledger/{topic}", "The game's id.", **more),
        reference("chronicleBatch" if topic == CHRONICLE else "batch"),
    )
    return {**made, "examples": [_example()]} if topic == CHRONICLE else made


def _example() -> Json:
    told = JournalEvent(
        812, "warledger.gxc.captured.v1", {"from": "ash", "step": 3, "territory": "dunmere", "to": "birch"}, PUBLIC
    )
    [value] = pack("spring", [told])
    payload = {"events": [{"data": told.data, "n": told.n, "to": ["public"], "type": told.type}], "game": "spring",
               "origins": [], "part": 1, "parts": 1}  # fmt: skip
    attributes = {"ce_specversion": "1.0", "ce_id": "spring-812-1", "ce_source": "/warledger/chronicle",
                  "ce_type": BATCH, "ce_subject": "spring", "content-type": "application/json"}  # fmt: skip
    summary = f"The team birch takes Dunmere from the team ash; {len(value)} bytes."
    return {"name": "captured", "summary": summary, "headers": attributes, "payload": payload}


def _operations(principal: Principal, topic: str) -> list[tuple[str, Json]]:
    """What a process does with a topic; what only the operator's repairs write is not the way of an order."""
    found = []
    if principal.writes(topic):
        found.append(("send", "writes", [name for name in messages(topic) if _written(principal, topic, name)]))
    if principal.reads(topic):
        found.append(("receive", "reads", list(messages(topic))))
    return [
        (f"{principal.name}-{verb}-{topic}", _operation(principal, action, topic, names))
        for action, verb, names in found
    ]


def _written(principal: Principal, topic: str, message: str) -> bool:
    return (message == "tick") == (principal.name == "resolver" and topic in INPUT_TOPICS)


def _operation(principal: Principal, action: str, topic: str, names: list[str]) -> Json:
    made: Json = {
        "action": action,
        "channel": {"$ref": f"#/channels/{topic}"},
        "title": f"{principal.name}: {topic}",
        "summary": principal.summary,
        "tags": [{"name": principal.name}],
        "messages": [{"$ref": f"#/channels/{topic}/messages/{name}"} for name in names],
    }
    groups = [right for right in principal.rights if right.resource == "group" and "READ" in right.operations]
    if action == "receive" and groups:
        [group] = groups
        form = f"^{group.name}" if group.pattern == "prefixed" else f"^{group.name}$"
        made["bindings"] = {
            "kafka": {
                "groupId": {"type": "string", "pattern": form, "description": "Behind the installation's prefix."},
                "bindingVersion": _BINDING,
            }
        }
    return made
