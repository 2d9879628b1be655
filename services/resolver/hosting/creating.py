"""The events of a creation: judgement, data, commitments (ENG-7), and what the rules announce.

The data that a creation was judged by stands behind its judgement, also behind a refusal: a replay finds it there and
nowhere else. Behind a refusal it is for operators, like the refusal itself.
"""

from collections.abc import Mapping
from typing import Any

from services.resolver.hosting.creation import DataRead, announce, part_events
from services.resolver.hosting.deciding import own_events
from services.resolver.hosting.game import Chain, Creation, HostedGame
from services.resolver.hosting.judgements import Context, Steps, accepted, host_fault, rejected
from shared.creation import fault_of_creation
from shared.events import JournalEvent, Submitted
from shared.host_events import CREATED
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import OPERATORS, PUBLIC, Event, Refusal, Rules


def create_steps(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    """The judgement of a `create_game` and, if it is accepted, the beginning of the game."""
    data = DataRead(context.data)
    checked = _check(game, submitted, at, data)
    if isinstance(checked, Refusal):
        yield (rejected(game, submitted, at, checked),)
        yield from _parts(game, data, OPERATORS)
        return
    rules, announced = checked
    yield (accepted(game, submitted, at),)
    yield from _parts(game, data, PUBLIC)
    yield (_created(game, rules, submitted.payload["create"], context),)
    if announced:
        yield own_events(game.n + 1, rules, announced)


def _parts(game: HostedGame, data: DataRead, to: tuple[str, ...]) -> Steps:
    if data.texts:
        yield part_events(game.n + 1, data.texts, to)


def _created(game: HostedGame, rules: Rules[Any], create: Mapping[str, Any], context: Context) -> JournalEvent:
    secrets = context.secrets
    chain = Chain(game.id, 0, secrets.new_salt(game.id, 0), secrets.key_id)
    labels = sorted(rules.sealed_labels(create))
    data = {
        "id": game.id,
        "kind": rules.game,
        "rules": rules.version,
        "chain": 0,
        "key_id": chain.key_id,
        "salt": chain.salt,
        "seed0": secrets.seed(chain, 0).hex(),
        "sealed": {label: secrets.sealed_commitment(chain, label) for label in labels},
    }
    return JournalEvent(game.n + 1, CREATED, data, PUBLIC)


def _check(game: HostedGame, submitted: Submitted, at: int, data: DataRead) -> tuple[Rules[Any], list[Event]] | Refusal:
    """Rules and announcing events of a creation that can be, or why it cannot."""
    payload = submitted.payload
    if found := host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", "only an operator creates games")
    if game.rules is not None:
        return Refusal("game_exists", "ENG-5", f"a game {game.id} exists already; choose another id")
    creation = Creation(payload, submitted.id, submitted.actor, submitted.salt, at, game.seq + 1)
    try:
        rules = rules_of(payload["game"], payload.get("rules"))
        if found := fault_of_creation(rules, payload["create"], "payload.create"):
            return Refusal("malformed", "ENG-5", found)
        made = announce(game.id, rules, creation, data)
    except UnknownRules as error:
        return Refusal("unknown_rules", "ENG-5", str(error))
    except LookupError as error:
        return Refusal("unknown_data", "ENG-5", str(error))
    except Exception as error:
        # There is no game yet that could be quarantined: the operator gets the answer at once.
        return Refusal("internal", "ENG-5", f"the rules failed on this creation: {type(error).__name__}: {error}")
    return made if isinstance(made, Refusal) else (rules, made[1])
