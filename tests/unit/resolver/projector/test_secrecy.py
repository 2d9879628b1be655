"""What a viewer may not see moves nothing of hers: no document, no feed, no id of a feed, no tag (design, Secrecy)."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.interface import OPERATORS
from shared.views import Views
from tests.unit.resolver.projector.batches import project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records

SECRETS = st.lists(
    st.tuples(st.sampled_from(["team:red", "player:ana", ""]), st.integers(0, 5), st.booleans()), max_size=4
)
OUTSIDERS = (("public",), ("player:bia", "public"))


@settings(deadline=None)
@given(SECRETS, SECRETS, st.integers(1, 5))
def test_secret_events_change_nothing_for_others(one: Sequence[Any], other: Sequence[Any], size: int) -> None:
    first, second = _story_with(one), _story_with(other)
    for audiences in OUTSIDERS:
        assert _seen(first, audiences, size) == _seen(second, audiences, size)


def test_a_secret_event_moves_the_tag_and_the_feed_of_those_who_see_it() -> None:
    without, with_one = _story_with([]), _story_with([("team:red", 1, False)])
    for audiences in (("public", "team:red"), ("",)):
        assert _seen(without, audiences, 9) != _seen(with_one, audiences, 9)


def _story_with(secrets: Sequence[Any]) -> Story:
    story = Story()
    story.created()
    for turn in (1, 2):
        for audience, value, of_its_own_document in secrets:
            id = f"s{value}" if of_its_own_document else "shared"
            to = OPERATORS if audience == "" else (audience,)
            write = ["order", id, audience, {"v": value}, False]
            story.unit(story.judgement(f"t{turn}-{value}-{id}"), story.wrote(write, to=to))
        # The judgement of bia's own input, and what everybody sees of it, stands at another position each time.
        story.unit(
            _at(story.judgement(f"b{turn}", actor="bia"), turn),
            story.wrote(["order", "shared", "public", {"turn": turn}, False]),
        )
    return story


def _at(event: Any, turn: int) -> Any:
    """The same input at the same time, whatever was judged before: `seq` and `at` are not what is tested here."""
    return event._replace(data={**event.data, "seq": turn, "at": turn})


def _seen(story: Story, audiences: Sequence[str], size: int) -> object:
    documents = MemoryDocuments()
    project_rest(documents, records([story]), size)
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    feed = views.feed(head, audiences, {}, 1000)
    judgement = views.judgement("g1", "b2")
    assert judgement is not None
    return (
        views.etag(head, audiences),
        views.counters(head, audiences),
        views.documents(head, ("order", "host"), audiences),
        [(entry.type, entry.data, entry.at, entry.after) for entry in feed],
        (judgement.verdict, judgement.hash, judgement.at, judgement.events, judgement.complete),
    )
