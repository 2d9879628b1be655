"""Structured logs: one JSON line an event on standard error, with service, game, input and trace id where known."""

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog

_SECRET_NAMES = ("password", "token", "seed", "secret", "email", "key", "authorization")


def _hide_secrets(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
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


def configure(service: str, level: int = logging.INFO) -> None:
    """Set logging up for a process; call once, first thing."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _hide_secrets,
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _StandardError())),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
