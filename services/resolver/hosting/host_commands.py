"""The events of the host's own commands on a game that exists: schedule and release."""

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judgements import Steps, accepted, host_fault, rejected
from services.resolver.hosting.scheduling import read_schedule
from shared.commands import RELEASE_GAME
from shared.events import JournalEvent, Submitted
from shared.host_events import RELEASED, RULES_CHANGED, SCHEDULED
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import OPERATORS, PUBLIC, Refusal


def schedule_steps(game: HostedGame, submitted: Submitted, at: int) -> Steps:
    """The judgement of a `set_schedule`, and `game.scheduled` if it is accepted."""
    if (refusal := _check_schedule(game, submitted)) is not None:
        yield (rejected(game, submitted, at, refusal),)
        return
    schedule = read_schedule(submitted.payload)
    if isinstance(schedule, Refusal):
        yield (rejected(game, submitted, at, schedule),)
        return
    yield (accepted(game, submitted, at),)
    if schedule is None:
        yield (JournalEvent(game.n + 1, SCHEDULED, {"zone": None, "times": (), "days": ()}, PUBLIC),)
    else:
        yield (JournalEvent(game.n + 1, SCHEDULED, schedule._asdict(), PUBLIC),)


def _check_schedule(game: HostedGame, submitted: Submitted) -> Refusal | None:
    if found := host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if game.over():
        return Refusal("game_over", "ENG-5", "the game has ended")
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", "only an operator sets the schedule")
    if game.rules is not None and "set_deadline" not in game.rules.commands:
        return Refusal("bad_schedule", "ENG-12", f"{game.kind} has no deadlines that a schedule could set")
    return None


def release_steps(game: HostedGame, submitted: Submitted, at: int) -> Steps:
    """The judgement of a `release_game`; accepted, the game goes on, if need be under another rules version."""
    if (refusal := _check_release(game, submitted)) is not None:
        yield (rejected(game, submitted, at, refusal),)
        return
    yield (accepted(game, submitted, at),)
    shift = submitted.payload.get("shift_ms", 0)
    yield (JournalEvent(game.n + 1, RELEASED, {"shift_ms": shift, "at": at}, OPERATORS),)
    wanted = submitted.payload.get("rules")
    if game.rules is not None and wanted not in (None, game.rules.version):
        yield (JournalEvent(game.n + 1, RULES_CHANGED, {"from": game.rules.version, "to": wanted}, PUBLIC),)


def _check_release(game: HostedGame, submitted: Submitted) -> Refusal | None:
    if found := host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", f"only an operator may give {RELEASE_GAME}")
    if game.quarantined is None:
        return Refusal("not_quarantined", "ENG-5", "the game is not quarantined; there is nothing to release")
    wanted = submitted.payload.get("rules")
    if game.rules is None or wanted in (None, game.rules.version):
        return None
    try:
        rules_of(game.kind, wanted).decode(game.rules.encode(game.state))
    except UnknownRules as error:
        return Refusal("unknown_rules", "ENG-5", str(error))
    except Exception as error:
        said = f"rules {wanted} cannot take over this game: {type(error).__name__}: {error}"
        return Refusal("unknown_rules", "ENG-5", said)
    return None
