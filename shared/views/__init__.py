"""Views: projections of the journal that the gateway shows (docs/decisions/0005-views.md).

The projector writes them, whoever shows something reads them through `Views`:

    views = Views(documents)
    def answer(head):
        audiences = views.audiences_of(head, actor)
        documents = views.documents(head, rules.pages["map"].kinds, audiences)
        return views.etag(head, audiences), rules.view(documents, Viewer("player", actor, audiences))
    tag, seen = views.read(game, answer)
"""

from shared.views.reader import UnknownGame, Views
from shared.views.shapes import Certificate, Counts, FeedEntry, Head, JudgementView, SeenEvent
from shared.views.versions import HeadMoved

__all__ = [
    "Certificate",
    "Counts",
    "FeedEntry",
    "Head",
    "HeadMoved",
    "JudgementView",
    "SeenEvent",
    "UnknownGame",
    "Views",
]
