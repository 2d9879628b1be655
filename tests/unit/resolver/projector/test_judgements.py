"""What is kept of judgements, certificates and the game itself."""

import pytest

from services.resolver.projector.judging import MAX_OUTCOMES
from shared.events import CERTIFIED
from shared.host_events import COVERED, QUARANTINED, REJECTED, RELEASED, REPEATED, RULES_CHANGED, SCHEDULED
from shared.views import Certificate, JudgementView, Views
from tests.unit.resolver.projector.batches import project, project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records


def _judgement(story: Story, id: str) -> JudgementView:
    documents = MemoryDocuments()
    project_rest(documents, records([story]), 1)
    judgement = Views(documents).judgement("g1", id)
    assert judgement is not None
    return judgement


def test_an_accepted_input_shows_the_outcomes_that_its_actor_may_see() -> None:
    story = Story()
    story.created()
    accepted = story.judgement("i1")
    story.unit(
        accepted,
        story.wrote(name="for_all"),
        story.wrote(name="for_red", to=("team:red",)),
        story.wrote(name="for_blue", to=("team:blue",)),
        story.wrote(name="for_operators", to=()),
        story.judgement("i2"),
        story.wrote(name="of_the_next"),
        cuts=(1, 2, 4),
    )
    seen = _judgement(story, "i1")
    assert (seen.verdict, seen.actor, seen.code, seen.complete) == ("accepted", "ana", None, True)
    assert seen.hash == accepted.data["hash"]
    assert [event.type for event in seen.events] == ["warledger.toy.for_all.v1", "warledger.toy.for_red.v1"]


def test_a_rejected_input_shows_code_rule_and_what_would_have_been_right() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1", REJECTED, actor="bia"))
    seen = _judgement(story, "i1")
    assert (seen.verdict, seen.code, seen.rule, seen.detail) == ("rejected", "not_active", "TOY-1", "Wait.")


def test_a_repeated_input_keeps_its_first_answer() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1"), story.wrote(name="first"))
    story.unit(story.judgement("i1", REPEATED), story.wrote(name="after"))
    seen = _judgement(story, "i1")
    assert (seen.verdict, seen.n) == ("accepted", 4)
    assert [event.type for event in seen.events] == ["warledger.toy.first.v1"]


def test_an_input_with_very_many_outcomes_keeps_the_first_and_says_so() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1"), *(story.wrote() for _ in range(MAX_OUTCOMES + 1)), cuts=(20, 40, 60))
    seen = _judgement(story, "i1")
    assert len(seen.events) == MAX_OUTCOMES
    assert not seen.complete


def test_outcomes_that_the_actor_may_not_see_cut_nothing_that_she_may() -> None:
    story = Story()
    story.created()
    hidden = [story.wrote(name="for_blue", to=("team:blue",)) for _ in range(MAX_OUTCOMES + 1)]
    story.unit(story.judgement("i1"), *hidden, story.wrote(name="for_all"), cuts=(20, 40, 60))
    seen = _judgement(story, "i1")
    assert [event.type for event in seen.events] == ["warledger.toy.for_all.v1"]
    assert seen.complete


@pytest.mark.parametrize("actor", ["ana", "op"])
def test_what_covers_earlier_private_inputs_is_no_outcome_and_cuts_none(actor: str) -> None:
    story = Story()
    story.created()
    cover = {"k": 1, "label": "roll:1", "input": "p", "leaf": "0" * 64, "path": ["1" * 64] * 48}
    covers = [story.event(COVERED, cover, ("player:ana",)) for _ in range(MAX_OUTCOMES + 1)]
    story.unit(story.judgement("i1", actor=actor), *covers, story.wrote(to=("player:ana",)), cuts=(20, 40, 60))
    seen = _judgement(story, "i1")
    assert [event.type for event in seen.events] == ["warledger.toy.wrote.v1"]
    assert seen.complete


def test_an_operators_input_shows_every_outcome() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1", actor="op"), story.wrote(name="secret", to=()))
    assert len(_judgement(story, "i1").events) == 1


def test_a_judgement_is_not_shown_before_the_head_has_reached_it() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1"), story.wrote(), cuts=(1,))
    documents = MemoryDocuments()
    journal = records([story])
    project(documents, journal[:-1])
    assert Views(documents).judgement("g1", "i1") is None
    project(documents, journal[-1:])
    assert Views(documents).judgement("g1", "i1") is not None


def test_a_refused_creation_is_judged_though_there_is_no_game() -> None:
    story = Story()
    story.unit(story.judgement("c", REJECTED, actor="op", command="create_game"))
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    views = Views(documents)
    assert _judgement(story, "c").code == "not_active"
    assert views.head("g1") is None
    assert views.games() == []


def test_the_public_certificate_has_no_nonce_and_no_sealed_key() -> None:
    story = Story()
    story.created()
    for k in (1, 2, 3):
        data = {"k": k, "label": f"turn:{k}", "seed": None, "nonce": "0" * 32, "sealed_key": "1" * 64}
        story.unit(story.event(CERTIFIED, data, ("public",)))
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    views = Views(documents)
    shown = views.read("g1", lambda head: views.certificates(head, after=1, limit=1))
    assert shown == [Certificate(2, {"k": 2, "label": "turn:2", "seed": None})]
    entries = views.read("g1", lambda head: views.feed(head, ["public"], {}))
    assert "nonce" not in entries[-1].data


@pytest.mark.parametrize("actor", ["ana", "op"])
def test_whose_input_resolves_something_gets_its_certificate_as_the_chronicle_has_it(actor: str) -> None:
    public = {"k": 1, "label": "roll:1", "seed": "2" * 64}
    story = Story()
    story.created()
    data = {**public, "nonce": "0" * 32, "state": "3" * 64, "sealed_key": "4" * 64}
    story.unit(story.judgement("i1", actor=actor), story.event(CERTIFIED, data, ("public",)))
    assert [event.data for event in _judgement(story, "i1").events] == [public]
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    fed = Views(documents).read("g1", lambda head: Views(documents).feed(head, ["", "public"], {}))
    assert [entry.data for entry in fed if entry.type == CERTIFIED] == [public]


def test_what_the_journal_alone_holds_is_shown_to_nobody() -> None:
    story = Story()
    story.created()
    hidden = story.wrote(["secret", "s", "", {"told": True}, False], name="hidden", to=())
    story.unit(story.judgement("i1", actor="op"), hidden, story.wrote(name="seen", to=()))
    assert [event.type for event in _judgement(story, "i1").events] == ["warledger.toy.seen.v1"]
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    fed = Views(documents).read("g1", lambda head: Views(documents).feed(head, [""], {}))
    assert [entry.type for entry in fed if ".toy." in entry.type] == ["warledger.toy.wrote.v1", "warledger.toy.seen.v1"]
    assert Views(documents).read("g1", lambda head: Views(documents).documents(head, ["secret"], None)) == []


def test_the_head_and_the_hosts_documents_tell_what_became_of_the_game() -> None:
    story = Story()
    story.created()
    story.unit(story.event(SCHEDULED, {"zone": "Europe/Berlin", "times": ["20:00"], "days": []}, ("public",)))
    quarantine = {"cause": "it raised", "positions": {"orders": 7}, "at": 9}
    story.unit(story.event(QUARANTINED, quarantine, ()))
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    assert (head.kind, head.rules, head.created_at, head.quarantined) == ("toy", "1", 1000, True)
    public = views.one(head, "host", "game", "public")
    operators = views.one(head, "host", "game", "")
    assert public is not None
    assert operators is not None
    assert public.fields["schedule"]["times"] == ["20:00"]
    assert "quarantine" not in public.fields
    assert operators.fields["quarantine"] == quarantine

    story.unit(
        story.event(RELEASED, {"shift_ms": 0, "at": 10}, ()),
        story.event(RULES_CHANGED, {"from": "1", "to": "2"}, ("public",)),
    )
    project_rest(documents, records([story]))
    head = views.head("g1")
    assert head is not None
    assert (head.rules, head.quarantined) == ("2", False)


def test_a_report_holds_the_public_events_between_two_certificates() -> None:
    story = Story()
    story.created()
    told: dict[int, list[str]] = {}
    for k in (1, 2, 3, 4):
        count = (1, 300, 2, 600)[k - 1]
        outcomes = [story.wrote(name=f"r{k}_{number}") for number in range(count)]
        secrets = [story.wrote(name="secret", to=("team:red",)) for _ in range(k)]
        certificate = story.event(CERTIFIED, {"k": k, "label": f"turn:{k}"}, ("public",))
        told[k] = [*(event.type for event in outcomes), CERTIFIED]
        story.unit(*outcomes, *secrets, certificate, cuts=(10, 290))
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    for k in (2, 3, 4):
        assert [entry.type for entry in views.report(head, k, limit=1000)] == told[k]
    assert [entry.type for entry in views.report(head, 1)][-2:] == told[1]
    assert views.report(head, 5) == []
    paged: list[str] = []
    after = 0
    while page := views.report(head, 4, after, 250):
        paged += [entry.type for entry in page]
        after = page[-1].after["public"]
    assert paged == told[4]


def test_what_a_close_has_done_is_not_kept_with_the_input_of_the_clock() -> None:
    story = Story()
    story.created()
    story.unit(story.judgement("i1", actor="clock"), story.wrote(name="closed"))
    seen = _judgement(story, "i1")
    assert (seen.verdict, seen.events, seen.complete) == ("accepted", (), False)
