"""Work on the games of this machine's log that a resolver does not do: moving in and out, new chains."""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from services.resolver.bootstrap import build_mover
from services.resolver.journal import PartitionStopped
from services.resolver.moving import CannotMove, InputsWait, Mover
from shared.batches import At
from shared.config import Settings
from shared.documents import DocumentsUnavailable
from shared.events import JournalEvent
from shared.log import LogError
from warledger.output import DIFFERENCE, MALFORMED, UNREACHABLE, fail

SETTLE_SECONDS = 4.0
"""Longer than a running resolver needs to notice that its partition was taken, and to take it back."""
_ATTEMPTS = 5


@contextmanager
def mover(found: Settings) -> Iterator[Mover]:
    """What moves games; whatever it raises ends the command with one sentence."""
    made = build_mover(found)
    try:
        yield made
    except CannotMove as error:
        fail(MALFORMED, str(error))
    except PartitionStopped as error:
        fail(DIFFERENCE, f"the journal cannot be read: {error}; `warledger doctor` says more")
    except (LogError, DocumentsUnavailable) as error:
        fail(UNREACHABLE, f"nothing was written: {error}")
    finally:
        made.log.close()
        made.documents.close()


def freeze_game(found: Settings, game: str, skipped: Collection[At] = ()) -> list[JournalEvent]:
    """Set a game down so that it can move; returns its journal. Waits for inputs that are not judged yet."""
    with mover(found) as made:
        for _ in range(_ATTEMPTS - 1):
            try:
                return made.freeze(game, skipped)
            except InputsWait:
                time.sleep(SETTLE_SECONDS)
        return made.freeze(game, skipped)
