"""The wiring of the gateway: the only place where it meets an adapter."""

import signal
from collections.abc import Callable
from types import FrameType

from flask import Flask

from services.gateway.accounts import Accounts, Passwords
from services.gateway.app import create_app
from services.gateway.boards import Boards
from services.gateway.budgets import CommandBudget
from services.gateway.context import Context, limits_of
from services.gateway.conversations import Conversations
from services.gateway.forwarding import Intakes
from services.gateway.limits import Attempts
from services.gateway.names import DisplayNames
from services.gateway.notices import Notices
from services.gateway.pages import Pages
from services.gateway.proofs import Proofs
from services.gateway.quoting import Quoting
from services.gateway.reads import Reads
from services.gateway.spoken import Spoken
from services.gateway.streams import Streams
from services.gateway.tickets import Tickets
from services.gateway.tokens import Tokens
from services.gateway.waiting import HeadWatch
from services.gateway.writes import Writes
from shared.adapters import open_documents
from shared.clock import Clock, SystemClock
from shared.config import Settings
from shared.documents import Documents
from shared.messages import Messages
from shared.views import Views
from shared.views.freshness import Freshness

STREAMS = "streams"


def context_of(
    settings: Settings,
    documents: Documents,
    *,
    role: str = "gateway",
    clock: Clock | None = None,
    passwords: Passwords | None = None,
    intakes: Intakes | None = None,
) -> Context:
    """The parts of one process over a document store. `role` is `gateway` or `streams`."""
    clock = clock or SystemClock()
    views = Views(documents)
    messages = Messages(documents)
    reads = Reads(views, DisplayNames(documents), Spoken(messages))
    proofs = Proofs(reads)
    notices = Notices(reads)
    tokens = Tokens(documents, clock)
    watch = HeadWatch(views.heads, lambda seconds: documents.wait("views", seconds))
    intakes = intakes or Intakes(settings.urls, settings.key("calls"), clock)
    seats = max(1, settings.threads // 2)
    budget = CommandBudget(settings.commands_a_minute)
    return Context(
        documents=documents,
        accounts=Accounts(documents, clock, passwords or Passwords()),
        tokens=tokens,
        attempts=Attempts(documents, clock),
        limits=limits_of(settings.logins_a_minute, settings.registrations_an_hour),
        reads=reads,
        freshness=Freshness(documents, clock),
        proofs=proofs,
        conversations=Conversations(reads, messages, clock),
        notices=notices,
        writes=Writes(intakes, views, watch, budget, seats=seats, wait_seconds=settings.wait_seconds),
        quoting=Quoting(intakes),
        pages=Pages(reads, proofs, Boards(reads), notices),
        watch=watch,
        streams=Streams(reads, notices, watch, tokens, settings.max_streams),
        tickets=Tickets(settings.key("calls"), tokens, clock),
        streams_url=None if role == STREAMS else settings.urls[STREAMS],
        max_body_bytes=settings.max_body_bytes,
    )


def build(settings: Settings, role: str = "gateway") -> Flask:
    """The app with real adapters; opens nothing before the first request. Called in each worker, after the fork."""
    context = context_of(settings, open_documents(settings), role=role)
    _stop_with_the_process(context.watch.stop)
    return create_app(context)


def _stop_with_the_process(stop: Callable[[], None]) -> None:
    """End open streams on SIGTERM, before the server's own handler runs, so that the worker can end in time."""
    before = signal.getsignal(signal.SIGTERM)

    def on_term(number: int, frame: FrameType | None) -> None:
        stop()
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGTERM, on_term)
