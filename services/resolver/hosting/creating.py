"""The events of a creation: judgement, data, commitments (ENG-7), and what the rules announce."""

from collections.abc import Mapping
from typing import Any

from services.resolver.hosting.creation import announce, named_data, part_events, read_data
from services.resolver.hosting.deciding import own_event
from services.resolver.hosting.game import Chain, Creation, HostedGame
from services.resolver.hosting.judgements import Context, Steps, accepted, host_fault, rejected
from shared.events import JournalEvent, Submitted
from shared.host_events import CREATED
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import PUBLIC, Event, Refusal, Rules


def create_steps(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    """The judgement of a `create_game` and, if it is accepted, the beginning of the game."""
    checked = _check(game, submitted, at, context)
    if isinstance(checked, Refusal):
        yield rejected(game, submitted, at, checked)
        return
    rules, texts, announced = checked
    yield accepted(game, submitted, at)
    for sha256, text in texts.items():
        yield from part_events(game.n + 1, sha256, text)
    yield _created(game, rules, submitted.payload["create"], context)
    for event in announced:
        yield own_event(game.n + 1, rules, event)


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


def _check(
    game: HostedGame, submitted: Submitted, at: int, context: Context
) -> tuple[Rules[Any], dict[str, str], list[Event]] | Refusal:
    """Rules, data texts by SHA-256 and announcing events of a creation that can be, or why it cannot."""
    payload = submitted.payload
    if found := host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if not isinstance(payload["create"], Mapping):
        return Refusal("malformed", "ENG-5", "payload.create must be an object")
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", "only an operator creates games")
    if game.rules is not None:
        return Refusal("game_exists", "ENG-5", f"a game {game.id} exists already; choose another id")
    creation = Creation(payload, submitted.id, submitted.actor, submitted.salt, at, game.seq + 1)
    try:
        rules = rules_of(payload["game"], payload.get("rules"))
        texts = {
            sha256: read_data(context.data, sha256)[0] for sha256 in sorted(set(named_data(payload["create"]).values()))
        }
        made = announce(game.id, rules, creation, context.data)
    except UnknownRules as error:
        return Refusal("unknown_rules", "ENG-5", str(error))
    except LookupError as error:
        return Refusal("unknown_data", "ENG-5", str(error))
    except Exception as error:
        # There is no game yet that could be quarantined: the operator gets the answer at once.
        return Refusal("internal", "ENG-5", f"the rules failed on this creation: {type(error).__name__}: {error}")
    return made if isinstance(made, Refusal) else (rules, texts, made[1])
