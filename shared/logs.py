"""Structured logs: one JSON line an event on standard error, with service, level, time, event, and what it is about.

`game`, `input` and `trace` (the trace id) stand in a line that is about one input. At level info a unit of work has one
line: a write answered by the gateway, an outcome committed by the resolver, a batch written by the projector; with
`input` and `trace` if it held a single one. At debug every input has one in each process that it passes.
"""

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.types import EventDict, Processor

LEVELS = ("debug", "info", "warning", "error")
_SECRET_NAMES = ("password", "token", "seed", "secret", "email", "key", "authorization")


def _hide_secrets(_logger: object, _method: str, event: EventDict) -> EventDict:
    """A field whose name sounds like a secret is never written, whoever put it there."""
    for name in event:
        if any(word in name.lower() for word in _SECRET_NAMES):
            event[name] = "[hidden]"
    return event


class _StandardError:
    """Loses what cannot be written: a disk that is full of logs must not end the process that wants to say so."""

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(service: str, level: str = "info") -> None:
    """Set logging up for a process; call once, first thing. What libraries say is written in the same form."""

    def name_service(_logger: object, _method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        name_service,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
        _hide_secrets,
    ]
    renderer = structlog.processors.JSONRenderer(sort_keys=True)
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _StandardError())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(cast("TextIO", _StandardError()))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
