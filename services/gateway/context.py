"""Everything that the routes use, put together by bootstrap.py or by a test."""

from dataclasses import dataclass

from services.gateway.accounts import Accounts
from services.gateway.conversations import Conversations
from services.gateway.limits import Attempts, Limit
from services.gateway.notices import Notices
from services.gateway.pages import Pages
from services.gateway.proofs import Proofs
from services.gateway.quoting import Quoting
from services.gateway.reads import Reads
from services.gateway.streams import Streams
from services.gateway.tickets import Tickets
from services.gateway.tokens import Tokens
from services.gateway.waiting import HeadWatch
from services.gateway.writes import Writes
from shared.documents import Documents
from shared.views import Head
from shared.views.freshness import Freshness


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on attempts: log-ins by address and by account, registrations by address."""

    login_address: Limit
    login_account: Limit
    registration: Limit


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of one gateway process. `streams_url` is None in the instance that serves streams itself."""

    documents: Documents
    accounts: Accounts
    tokens: Tokens
    attempts: Attempts
    limits: Limits
    reads: Reads
    freshness: Freshness
    proofs: Proofs
    conversations: Conversations
    notices: Notices
    writes: Writes
    quoting: Quoting
    pages: Pages
    watch: HeadWatch[Head]
    streams: Streams
    tickets: Tickets
    streams_url: str | None
    max_body_bytes: int


def limits_of(logins_a_minute: int, registrations_an_hour: int) -> Limits:
    """The limits of an installation."""
    return Limits(
        Limit("login_address", logins_a_minute, 60),
        Limit("login_account", logins_a_minute, 60),
        Limit("registration", registrations_an_hour, 3600),
    )
