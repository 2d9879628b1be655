"""Every error code of the host in one table, and the problem that carries one to a client (RFC 9457).

Codes of the games are in their rules (`Rules.errors`); docs/errors.md lists both and is generated from here.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class ErrorCode(NamedTuple):
    """HTTP status and meaning of a code."""

    status: int
    title: str


HOST_ERRORS: Mapping[str, ErrorCode] = {
    # Refused before the log
    "malformed": ErrorCode(400, "The request or its payload does not have the documented form"),
    "unknown_command": ErrorCode(400, "No game and no part of the host knows this command type"),
    "unknown_rules": ErrorCode(400, "No such game or rules version is installed (422 where a release names it)"),
    "bad_idempotency_key": ErrorCode(400, "An Idempotency-Key has 1 to 64 of A-Z a-z 0-9 _ -"),
    "unauthenticated": ErrorCode(401, "A valid bearer token is needed"),
    "token_expired": ErrorCode(401, "The token is past its expiry; get a new one by POST /tokens"),
    "bad_credentials": ErrorCode(401, "Name and password do not belong together"),
    "forbidden": ErrorCode(403, "The token's role or scope does not allow this"),
    "not_found": ErrorCode(404, "There is nothing under this address"),
    "unknown_game": ErrorCode(404, "There is no game with this id"),
    "method_not_allowed": ErrorCode(405, "The address does not answer this method; Allow lists those it does"),
    "not_acceptable": ErrorCode(406, "None of the media types asked for can be given"),
    "request_timeout": ErrorCode(408, "The request did not arrive in time"),
    "name_taken": ErrorCode(409, "An account with this name exists"),
    "too_large": ErrorCode(413, "The body is larger than allowed"),
    "uri_too_long": ErrorCode(414, "The address is longer than allowed"),
    "unsupported_media_type": ErrorCode(415, "The body must be application/json"),
    "too_long": ErrorCode(422, "A text is longer than its limit in characters"),
    "headers_too_large": ErrorCode(431, "The request's headers are larger than allowed"),
    "too_many_requests": ErrorCode(429, "Too many requests; Retry-After says when to come again"),
    "too_many_streams": ErrorCode(429, "The number of open streams is at its limit"),
    # After the log
    "key_reused": ErrorCode(422, "The Idempotency-Key was used before for another request"),
    "unavailable": ErrorCode(
        503, "It could not be made durable now; nothing was stored; Retry-After says when to try again"
    ),
    "outcome_unknown": ErrorCode(
        503, "It is not known whether it was made durable; send it again under the Idempotency-Key given here"
    ),
    "internal": ErrorCode(500, "A fault of the server; it is logged with the trace id"),
    # Judged by the host, before the rules of a game
    "game_exists": ErrorCode(422, "A game with this id exists already"),
    "too_many_private": ErrorCode(422, "So many private commands of the player wait for a resolution already"),
    "unknown_data": ErrorCode(422, "The creation names data by a SHA-256 that is not stored"),
    "not_quarantined": ErrorCode(422, "Only a quarantined game can be released"),
    "bad_schedule": ErrorCode(422, "The schedule names no IANA time zone, or a time that is not HH:MM"),
    # The order of checks that all games share (ENG-5)
    "game_over": ErrorCode(422, "The game has ended"),
    "not_authorised": ErrorCode(422, "The actor may not give this command in this game"),
    "unknown_id": ErrorCode(422, "The payload names something that is not in the game"),
    "wrong_phase": ErrorCode(422, "The command is not possible in this phase"),
    "wrong_turn": ErrorCode(422, "The input names a turn that is not the open one"),
    "wrong_round": ErrorCode(422, "The input names a round that is not the open one"),
    "deadline_passed": ErrorCode(422, "The input came after the deadline"),
    "bad_deadline": ErrorCode(
        422, "A new deadline or time would lie before the input itself, or outside of what can be stored"
    ),
}


class Problem(Exception):
    """An answer that is an error. `code` is in HOST_ERRORS or in a game's table; `detail` says what would be right."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.status = status or (HOST_ERRORS[code].status if code in HOST_ERRORS else 422)
        self.headers = dict(headers or {})
        self.fields = dict(fields or {})

    def body(self) -> dict[str, Any]:
        """The members of application/problem+json."""
        title = HOST_ERRORS[self.code].title if self.code in HOST_ERRORS else "Refused by the rules of the game"
        return {
            "type": f"/docs/errors#{self.code}",
            "title": title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.fields,
        }
