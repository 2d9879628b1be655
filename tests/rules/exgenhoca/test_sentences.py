"""How public events are told: each has its sentences, and they speak of nothing that the event does not hold."""

from string import Formatter

import pytest

from shared.rules.exgenhoca.events import EVENTS
from shared.rules.exgenhoca.sentences import SENTENCES

MAYBE_PUBLIC = sorted(
    name for name, event in EVENTS.items() if event.summary.startswith(("Public", "As `effect_applied`"))
)


def test_every_event_that_may_be_public_is_told_or_left_out_on_purpose() -> None:
    assert sorted(SENTENCES) == MAYBE_PUBLIC


@pytest.mark.parametrize("name", MAYBE_PUBLIC)
def test_a_sentence_names_fields_of_its_event(name: str) -> None:
    fields = set(EVENTS[name].data.fields)
    for sentence in SENTENCES[name]:
        named = {field for _, field, _, _ in Formatter().parse(sentence.text) if field is not None}
        assert named | set(sentence.when) <= fields


@pytest.mark.parametrize("name", [name for name in MAYBE_PUBLIC if SENTENCES[name]])
def test_the_last_sentence_fits_whatever_the_ones_before_did_not(name: str) -> None:
    assert not SENTENCES[name][-1].when
