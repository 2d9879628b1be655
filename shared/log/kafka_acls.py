"""The access list of an installation in a cluster: what of it is in force, and putting it there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    KafkaAdminClient,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.errors import KafkaError, NoError, SecurityDisabledError

from shared.log import LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace
from shared.rights import Entry, entries

EVERY_HOST = "*"
CONNECT_SECONDS = 4
ANSWER_SECONDS = 10


class NobodyRefused(Exception):
    """The brokers ask for no rights: no list can be in force."""


def missing(place: KafkaPlace) -> list[Entry]:
    """The entries that are not in force, each with the operations that lack. Raises LogUnavailable.

    Only who may describe the cluster is answered: an administrator of it. Raises NobodyRefused.
    """
    with _admin(place) as admin:
        return _missing(admin, place)


def apply(place: KafkaPlace) -> list[Entry]:
    """Put what is missing in force; returns it. Nothing is taken away. Raises LogUnavailable, NobodyRefused."""
    with _admin(place) as admin:
        lacking = _missing(admin, place)
        answer = admin.create_acls([acl for entry in lacking for acl in _acls(entry)]) if lacking else {"failed": ()}
        for acl, error in answer["failed"]:
            raise LogUnavailable(f"Kafka did not take {acl}: {error}")
        return lacking


def _missing(admin: Any, place: KafkaPlace) -> list[Entry]:
    anything = ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY)
    found, error = admin.describe_acls(ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ALLOW, anything))
    if error is not NoError:
        raise LogUnavailable(f"Kafka does not tell its access list: {error.__name__}: {error.description}")
    in_force = {_identity(acl) for acl in found}
    lacking = (
        entry._replace(
            operations=tuple(
                operation
                for operation, acl in zip(entry.operations, _acls(entry), strict=True)
                if _identity(acl) not in in_force
            )
        )
        for entry in entries(place)
    )
    return [entry for entry in lacking if entry.operations]


def _acls(entry: Entry) -> Sequence[ACL]:
    pattern = ResourcePattern(
        ResourceType[entry.resource.upper()], entry.name, ACLResourcePatternType[entry.pattern.upper()]
    )
    return [
        ACL(entry.principal, EVERY_HOST, ACLOperation[operation], ACLPermissionType.ALLOW, pattern)
        for operation in entry.operations
    ]


def _identity(acl: ACL) -> tuple[Any, ...]:
    pattern = acl.resource_pattern
    where = (pattern.resource_type, pattern.resource_name, pattern.pattern_type)
    return (acl.principal, acl.host, acl.operation, acl.permission_type, *where)


@contextmanager
def _admin(place: KafkaPlace) -> Iterator[Any]:
    admin = make_client(
        KafkaAdminClient, place, bootstrap_timeout_ms=CONNECT_SECONDS * 1000, request_timeout_ms=ANSWER_SECONDS * 1000
    )
    try:
        yield admin
    except SecurityDisabledError as error:
        brokers = ", ".join(place.brokers)
        raise NobodyRefused(
            f"the brokers at {brokers} refuse nobody anything: they have no authorizer, so there is no access list;"
            " deploy/kafka-acls.yaml says what they must be told"
        ) from error
    except KafkaError as error:
        raise LogUnavailable(f"Kafka did not answer for its access list: {error}") from error
    finally:
        admin.close()
