"""Games of GXC, projected record by record: the stored views are the fold of the rules' own projection."""

import random

import pytest

from shared.events import event_type
from shared.host_events import ACCEPTED, CREATED, REJECTED
from shared.rules.gxc import RULES
from shared.rules.gxc.view import PAGES
from shared.rules.interface import Viewer
from shared.scenarios.documents import Documents
from shared.views import Views
from tests.rules.conformance.play import deal, step_by_step
from tests.unit.resolver.projector.batches import dump, project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records

KINDS = (*dict.fromkeys(kind for page in PAGES.values() for kind in page.kinds), "member", "chat")


@pytest.mark.parametrize("seed", range(3))
def test_stored_views_equal_the_fold_in_memory(seed: int) -> None:
    chance = random.Random(seed)
    table = deal(RULES, seed)
    for _ in step_by_step(table, seed, 80):
        pass
    story, folded = Story(), Documents()
    chain = {"chain": 0, "key_id": "k", "salt": "0" * 32, "seed0": "0" * 64, "sealed": {}}
    created = {"id": "g1", "kind": "gxc", "rules": "1", **chain}
    for number, judged in enumerate(table.journal):
        command = judged.input
        actor = "op" if command.role == "operator" else command.actor
        verdict = story.judgement(command.id, REJECTED if judged.refusal else ACCEPTED, actor, command.type)
        host = [story.event(CREATED, created, ("public",))] if number == 0 else []
        own = [story.event(event_type("gxc", item.type), dict(item.data), item.to) for item in judged.events]
        events = [verdict, *host, *own]
        for item, stored in zip(judged.events, own, strict=True):
            folded.write(RULES.project(item._replace(n=stored.n)))
        story.unit(*events, cuts=chance.sample(range(1, 60), 3))
    documents, again = MemoryDocuments(), MemoryDocuments()
    project_rest(documents, records([story]), 7)
    project_rest(again, records([story]), 50)
    assert dump(documents) == dump(again)
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    shown = {item[:3]: item.fields for item in views.documents(head, KINDS, None)}
    assert shown == {item[:3]: item.fields for item in folded}
    for name in ("public", *RULES.encode(table.state)["players"]):
        viewer = table.documents.viewer(name)
        if name != "public":
            assert set(views.audiences_of(head, name)) == set(viewer.audiences)
        seen = RULES.view(views.documents(head, KINDS, viewer.audiences), Viewer(viewer.role, name, viewer.audiences))
        assert seen == RULES.view(table.documents.of(viewer), Viewer(viewer.role, name, viewer.audiences))
