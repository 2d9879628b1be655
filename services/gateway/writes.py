"""A write on its way: handed to an intake, waited for, and turned into the answer that the client gets."""

import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.gateway.budgets import CommandBudget
from services.gateway.forwarding import Handover, Intakes
from services.gateway.waiting import HeadWatch
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from shared.faults import point
from shared.lean import caught
from shared.metrics import DOCUMENTS_FAILED, WAITERS
from shared.views import Head, JudgementView, Views

_FIRST_LOOK_SECONDS = 0.05
"""How long a request waits for the first look at its game, which is due at once."""


class WriteAnswer(NamedTuple):
    """Status, body and place of the judgement of a write that was not refused."""

    status: int
    body: dict[str, Any]
    location: str


class Submission(NamedTuple):
    """A write as the client asked for it: what an intake gets of it, and whether nobody waits for its judgement."""

    handover: Handover
    respond_async: bool


class Writes:
    """Hands writes over and waits for judgements; at most `seats` requests of this process wait at a time."""

    def __init__(
        self,
        intakes: Intakes,
        views: Views,
        watch: HeadWatch[Head],
        budget: CommandBudget,
        *,
        seats: int,
        wait_seconds: float,
    ) -> None:
        self._intakes = intakes
        self._views = views
        self._watch = watch
        self._budget = budget
        self._seats = threading.BoundedSemaphore(seats)
        self._wait_seconds = wait_seconds

    def submit(self, given: Submission) -> WriteAnswer:
        """201 with the outcome, 202 while it is not judged.

        Raises Problem: `too_many_requests`, the intake's, the judgement's own code, or `key_reused`.
        """
        [receipt] = self._handed_over(given.handover.service, [given])
        if isinstance(receipt, Exception):
            raise receipt
        judgement = None if given.respond_async else self._wait(given.handover.game, receipt["id"])
        return answer_of(receipt, judgement)

    def submit_all(self, service: str, given: Sequence[Submission]) -> list[WriteAnswer | Exception]:
        """For each of these writes, all of them for this intake, 202 or what `submit` raises. None is waited for."""
        return [
            receipt if isinstance(receipt, Exception) else caught(answer_of, receipt, None)
            for receipt in self._handed_over(service, given)
        ]

    def _handed_over(self, service: str, given: Sequence[Submission]) -> list[dict[str, Any] | Exception]:
        """The receipt of each, or why it has none; what is over a budget is not handed over."""
        refused = [caught(self._budget.take, item.handover.caller) for item in given]
        passed = [item.handover for item, problem in zip(given, refused, strict=True) if problem is None]
        if not passed:
            return [problem for problem in refused if problem is not None]
        point("gateway.before_forward")
        receipts = iter(self._intakes.submit_all(service, passed))
        point("gateway.after_forward")
        return [next(receipts) if problem is None else problem for problem in refused]

    def _wait(self, game: str, id: str) -> JudgementView | None:
        if not self._seats.acquire(blocking=False):
            return None
        try:
            with WAITERS.track_inprogress(), self._watch.on(game) as watch:
                end = time.monotonic() + self._wait_seconds
                if watch.mark is None:
                    watch.wait(0, _FIRST_LOOK_SECONDS)  # the head that is looked for anyway saves reading it here
                while True:
                    seen = watch.version
                    found = self._views.judgement(game, id, watch.mark)
                    left = end - time.monotonic()
                    if found is not None or left <= 0 or self._watch.stopping:
                        return found
                    watch.wait(seen, left)
        except DocumentsUnavailable:
            DOCUMENTS_FAILED.inc()
            return None  # the input is durable; its judgement can be asked for later
        finally:
            self._seats.release()


def headers_of(answer: WriteAnswer) -> dict[str, str]:
    """What stands beside the body."""
    return {"Location": answer.location, "Cache-Control": "no-store"}


def input_of(problem: Problem) -> str | None:
    """The id of the input that a problem is about, if it was stored."""
    receipt = problem.fields.get("receipt")
    return receipt["id"] if receipt else None


def location_of(game: str, id: str, hash: str) -> str:
    """Where a receipt's judgement will be."""
    return f"/games/{game}/inputs/{id}?hash={hash}"


def answer_of(receipt: dict[str, Any], judgement: JudgementView | None) -> WriteAnswer:
    """The answer to a write. Raises Problem for a judgement that is a refusal or of another input."""
    location = location_of(receipt["game"], receipt["id"], receipt["hash"])
    if judgement is None:
        return WriteAnswer(202, receipt, location)
    check_same(receipt["hash"], judgement)
    receipt = {**receipt, "at": judgement.at}  # a repeat has a record of its own; what counts is the judged one
    if judgement.verdict == "rejected":
        fields = {"rule": judgement.rule, "receipt": receipt}
        raise Problem(str(judgement.code), str(judgement.detail), status=422, fields=fields)
    outcome = [{"type": event.type, "data": event.data} for event in judgement.events]
    return WriteAnswer(201, {**receipt, "outcome": outcome, "complete": judgement.complete}, location)


def check_same(hash: str, judgement: JudgementView) -> None:
    """Raise Problem `key_reused` if the judged input is not the one of the receipt."""
    if judgement.hash != hash:
        raise Problem("key_reused", "this Idempotency-Key was used for another request before; take a new key")
