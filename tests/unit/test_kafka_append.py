"""What appends do while no broker is there, without one."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shared.log import Draft, LogUnavailable, kafka_producing
from shared.log.kafka_append import InputWriter
from shared.log.kafka_place import KafkaPlace
from shared.signing import Signer

CALLERS = 8
SEARCH_SECONDS = 1.0


def test_those_that_come_while_one_searches_for_a_broker_search_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(CALLERS)
    searches: list[float] = []

    def search(*_: Any, **__: Any) -> Any:
        searches.append(time.monotonic())
        time.sleep(SEARCH_SECONDS)
        raise LogUnavailable("no Kafka broker answers")

    monkeypatch.setattr(kafka_producing, "make_client", search)
    writer = InputWriter(KafkaPlace(("127.0.0.1:1",)), Signer("orders", b"k" * 32), 1.0)

    def append(_: int) -> None:
        together.wait()
        with pytest.raises(LogUnavailable, match="no Kafka broker answers"):
            writer.append("orders", [Draft("g", b"{}", {})])

    with ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(append, range(CALLERS)))
    assert len(searches) < CALLERS // 2
