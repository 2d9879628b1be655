"""The master key of the dice: do the games have theirs from the one that lies here.

A full look reads the whole journal. At a start the views tell which games there are and where their dice come from;
as they may be late, a new chain among what they lack, the journal has the last word, of a few games.
"""

from collections.abc import Iterator

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.secrets import MasterKey
from shared.config import Settings
from shared.log import LogDamaged, LogError
from shared.views import Views, ids
from shared.views.shapes import Head
from shared.views.versions import HeadMoved
from warledger.doctor.finding import FAULT, Case, Finding
from warledger.journals import journal
from warledger.local import local_documents, local_log

CHAIN = "chain"
"""Kind of the documents that hold the commitments of seed chains, with the id of their master key."""
_NEWEST = 8
"""So many games are read in the journal, the newest first, where the views name no game with this master key."""
_PAGE = 100


def check_master_key(case: Case) -> Iterator[Finding]:
    """Whether the games that run have their dice from this master key."""
    own = MasterKey(case.settings.secret_file).key_id
    for name, game in sorted(case.survey.games.items()):
        if game.key_id not in ("", own):
            folded = _folded(case.settings, name)
            if folded is None or not _is_over(folded):
                yield _foreign(case.settings, name, game.key_id, own)


def other_master_key(settings: Settings) -> Finding | None:
    """What is wrong where no game has its dice from this master key, and one that runs has them from another.

    A key that was replaced on purpose is the key of a game at least, for `renew-chain` begins a chain of each. Nothing
    is said where the views know no game. Raises LogError, DocumentsUnavailable, ConfigError.
    """
    own = MasterKey(settings.secret_file).key_id
    with local_documents(settings) as documents:
        views = Views(documents)
        heads = []
        for head in _heads(views):
            if _shown_key(views, head) == own:
                return None
            heads.append(head)
    found = None
    for head in sorted(heads, key=lambda head: head.created_at, reverse=True)[:_NEWEST]:
        game = _folded(settings, head.game)
        if game is None or game.chain is None:
            continue
        if game.chain.key_id == own:
            return None
        if found is None and not _is_over(game):
            found = _foreign(settings, head.game, game.chain.key_id, own)
    return found


def _foreign(settings: Settings, name: str, key_id: str, own: str) -> Finding:
    said = f"the dice of {name} come from master key {key_id}, and {settings.secret_file} is {own}"
    return Finding("keys", FAULT, said, f"put the right file back, or: warledger game renew-chain {name} --reason key")


def _heads(views: Views) -> Iterator[Head]:
    """Every game that the views show."""
    after = ""
    while page := views.games(after, _PAGE):
        yield from page
        after = page[-1].game


def _shown_key(views: Views, head: Head) -> str:
    """The id of the master key of a game's last chain, as far as the views know; "" where they cannot say it now."""
    try:
        chains = list(views.page(head, CHAIN, ids.PUBLIC))
    except HeadMoved:
        return ""
    return str(chains[-1].fields["key_id"]) if chains else ""


def _folded(settings: Settings, name: str) -> HostedGame | None:
    """A game as its journal tells it; None for one that cannot be folded. Raises LogUnavailable."""
    game: HostedGame | None = None
    with local_log(settings) as log:
        try:
            for event in journal(log, name):
                game = fold(game, event)
        except LogDamaged:
            return None
        except LogError:
            raise
        except Exception:  # rules that raise: the game is sick, and says nothing of keys
            return None
    return game


def _is_over(game: HostedGame) -> bool:
    """Whether a game has ended; one whose rules cannot say it has not."""
    try:
        return game.over()
    except Exception:  # rules that raise
        return False
