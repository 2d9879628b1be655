"""Who is asking: the bearer token of a request, and what it may do."""

from flask import g, request

from services.gateway.tokens import CHALLENGE, Identity, Scope, Tokens
from shared.errors import Problem


def identify(tokens: Tokens) -> Identity | None:
    """The holder of the request's token; None without one. Raises Problem `unauthenticated`, `token_expired`."""
    if "identity" not in g:
        g.identity = bearer(tokens, request.headers.get("Authorization"))
    found: Identity | None = g.identity
    return found


def require(tokens: Tokens, scope: Scope) -> Identity:
    """The holder of a token whose scope covers this one. Raises Problem `unauthenticated` or `forbidden` too."""
    identity = identify(tokens)
    if identity is None:
        raise Problem("unauthenticated", "send Authorization: Bearer TOKEN; POST /tokens gives one", headers=CHALLENGE)
    if not identity.may(scope):
        raise Problem("forbidden", f"the token has the scope {identity.scope}; this needs {scope}")
    return identity


def bearer(tokens: Tokens, header: str | None) -> Identity | None:
    """The holder of the token in an Authorization header. Raises Problem `unauthenticated`, `token_expired`."""
    token = _token_of(header)
    return None if token is None else tokens.check(token)


def bearer_at_hand(tokens: Tokens, header: str | None) -> Identity | None:
    """The same without asking the store; None also if this process does not know the token now."""
    token = _token_of(header)
    return None if token is None else tokens.at_hand(token)


def _token_of(header: str | None) -> str | None:
    if header is None:
        return None
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Problem("unauthenticated", "Authorization must read: Bearer TOKEN", headers=CHALLENGE)
    return token.strip()
