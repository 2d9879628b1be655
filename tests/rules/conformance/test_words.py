"""What a game says of its events: who may see them, and how pages tell those that are public."""

from collections.abc import Sequence
from string import Formatter
from typing import Any

from shared.asyncapi.schemas import audience, is_public
from shared.events import event_type
from shared.rules.interface import OPERATORS, PUBLIC, Registration, Sentence, sentences_of
from shared.rules.shapes import Choice, Object
from tests.rules.conformance.marks import games
from tests.rules.conformance.play import SEEDS, played


def _full(registered: Registration[Any], name: str) -> str:
    return event_type(registered.game, name, registered.load().events[name].version)


@games
def test_summaries_say_who_is_told(registered: Registration[Any]) -> None:
    """Topics and the chronicle's schema read the first sentence of a summary."""
    rules = registered.load()
    told = {
        (event.type, event.to) for seed in SEEDS for item in played(registered, seed).journal for event in item.events
    }
    for name, to in sorted(told):
        head = audience(_full(registered, name))
        assert PUBLIC[0] not in to or is_public(_full(registered, name)), (name, head, to)
        assert (to == OPERATORS) == head.startswith(("Operators", "Journal")), (name, head, to)
        assert rules.events[name].journal_only == (head == "Journal"), (name, head)
        assert to == PUBLIC or head != "Public", (name, head, to)


@games
def test_every_event_that_may_be_public_is_told_or_left_out_on_purpose(registered: Registration[Any]) -> None:
    rules = registered.load()
    assert sorted(sentences_of(rules)) == sorted(name for name in rules.events if is_public(_full(registered, name)))


@games
def test_a_sentence_names_fields_of_its_event(registered: Registration[Any]) -> None:
    rules = registered.load()
    for name, sentences in sentences_of(rules).items():
        for sentence in sentences:
            named = {field for _, field, _, _ in Formatter().parse(sentence.text) if field is not None}
            assert named | set(sentence.when) <= set(rules.events[name].data.fields), name


@games
def test_one_sentence_fits_whatever_an_event_holds(registered: Registration[Any]) -> None:
    """The last one asks for nothing, or there is one for each choice that the form allows."""
    rules = registered.load()
    for name, sentences in sentences_of(rules).items():
        assert not sentences or not sentences[-1].when or _exhausted(rules.events[name].data, sentences), name


def _exhausted(form: Object, sentences: Sequence[Sentence]) -> bool:
    [field] = sentences[-1].when
    shape = form.fields[field]
    fitting = [sentence.when[field] for sentence in sentences if set(sentence.when) == {field}]
    return isinstance(shape, Choice) and set(shape.of) <= set(fitting)
