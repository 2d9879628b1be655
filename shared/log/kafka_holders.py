"""Who holds a transactional id now, as the cluster's coordinator says: an owner that writes nothing learns it so."""

import threading
from contextlib import suppress
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import TransactionalIdNotFoundError

from shared.log import LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_options import RECONNECTING, said
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_waiting import Identity

_NOBODY = Identity(-1, -1)


class Holders:
    """Asks with a client of its own, made at the first question; nothing is changed by asking."""

    def __init__(self, place: KafkaPlace, patience: float) -> None:
        self._place = place
        self._patience = patience
        self._lock = threading.Lock()
        self._admin: Any = None

    def of(self, name: str) -> Identity:
        """The newest producer of a transactional id. Raises LogUnavailable."""
        with self._lock:
            if self._admin is None:
                self._admin = make_client(
                    KafkaAdminClient,
                    self._place,
                    **RECONNECTING,
                    request_timeout_ms=max(1_000, round(self._patience * 1000)),
                )
            manager = self._admin._manager
            try:
                asked = manager.call_soon(self._admin._async_describe_transactions, [name])
                found = manager.run(manager.wait_for, asked, round(self._patience * 1000))[name]
            except TransactionalIdNotFoundError:
                return _NOBODY
            except Exception as error:
                self._drop()
                raise LogUnavailable(f"Kafka does not say who holds {name}: {said(error)}") from error
        return Identity(found.producer_id, found.producer_epoch)

    def close(self) -> None:
        """End the client."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        admin, self._admin = self._admin, None
        if admin is not None:
            with suppress(Exception):
                admin.close()
