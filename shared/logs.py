"""Structured logs: one JSON line an event on standard error, with service, game, input and trace id where known."""

import logging
import sys

import structlog

_SECRET_NAMES = ("password", "token", "seed", "secret", "email", "key", "authorization")


def _hide_secrets(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    """A field whose name sounds like a secret is never written, whoever put it there."""
    for name in event:
        if any(word in name.lower() for word in _SECRET_NAMES):
            event[name] = "[hidden]"
    return event


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
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
