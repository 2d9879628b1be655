"""What the host writes at the end of a resolution: leaves, paths of private inputs, certificate, and the next chain
when one is used up."""

from services.resolver.hosting.draws import Opening
from services.resolver.hosting.game import SMALL_STATE_BYTES, CertifiedState, Chain, HostedGame
from services.resolver.hosting.judgements import Steps
from services.resolver.hosting.secrets import Secrets
from shared.canonical import canonical, sha256_hex
from shared.dice import CHAIN_LENGTH, leaf
from shared.events import CERTIFIED, JournalEvent
from shared.host_events import CHAIN_STARTED, COVERED, LEAVES, RENEWED, SEALED_REVEALED
from shared.private_tree import tree
from shared.rules.interface import PUBLIC

LEAVES_A_PART = 3000


def certify(game: HostedGame, opening: Opening, secrets: Secrets) -> Steps:
    """The events of a mark."""
    k = game.k + 1
    parts = max(1, -(-len(opening.leaves) // LEAVES_A_PART))
    for part in range(parts):
        leaves = opening.leaves[part * LEAVES_A_PART : (part + 1) * LEAVES_A_PART]
        data = {"k": k, "label": opening.label, "part": part + 1, "parts": parts, "leaves": leaves}
        yield (JournalEvent(game.n + 1, LEAVES, data, PUBLIC),)
    nonce = secrets.new_nonce(game.id, k)
    root: str | None = None
    if game.private_apart:
        waiting = {leaf(item.id, item.hash): item for item in game.private}
        root, paths = tree(list(waiting), nonce)
        for mark, item in waiting.items():
            covered = {"k": k, "label": opening.label, "input": item.id, "leaf": mark, "path": paths[mark]}
            yield (JournalEvent(game.n + 1, COVERED, covered, (f"player:{item.actor}",)),)
    yield (JournalEvent(game.n + 1, CERTIFIED, _certificate(game, k, opening, nonce, root), PUBLIC),)
    if game.next_seed > CHAIN_LENGTH and game.chain is not None:
        # The salt stays: the sealed commitments of game.created hold on.
        yield (chain_started(game, game.chain._replace(number=game.chain.number + 1), {}, RENEWED, secrets),)


def _certificate(game: HostedGame, k: int, opening: Opening, nonce: str, root: str | None) -> dict[str, object]:
    if game.rules is None:
        raise ValueError(f"game {game.id} has no rules, so nothing can be certified")
    journal, chronicle = game.tally.hashes()
    canonical_state = canonical(game.rules.encode(game.state))
    if len(canonical_state) <= SMALL_STATE_BYTES:
        game.certified_state = CertifiedState(game.n + 1, canonical_state)
    state = sha256_hex(canonical_state)
    data: dict[str, object] = {
        "k": k,
        "label": opening.label,
        "previous": game.previous,
        "seed": None if opening.sealed else opening.key.hex(),
        "digest": opening.digest,
        "public": chronicle.hex(),
        "sealed": sha256_hex(f"{nonce}|{journal.hex()}|{state}".encode()),
        "nonce": nonce,
        "state": state,
    }
    if root is not None:
        data["private"] = root
    if opening.sealed:
        data["sealed_key"] = opening.key.hex()
    return data


def chain_started(
    game: HostedGame, chain: Chain, sealed: dict[str, str], reason: str, secrets: Secrets
) -> JournalEvent:
    """The commitment of a chain that follows another one."""
    data = {
        "chain": chain.number,
        "key_id": chain.key_id,
        "salt": chain.salt,
        "seed0": secrets.seed(chain, 0).hex(),
        "sealed": sealed,
        "reason": reason,
    }
    return JournalEvent(game.n + 1, CHAIN_STARTED, data, PUBLIC)


def reveal(game: HostedGame) -> Steps:
    """Once the game is over its used sealed keys become public."""
    if game.sealed_keys and game.over():
        yield (JournalEvent(game.n + 1, SEALED_REVEALED, {"keys": dict(game.sealed_keys)}, PUBLIC),)
