"""What everybody may know is enough for a price, and it is the price that advice tells (MAP-38, MAP-78, MAP-97)."""

from random import Random
from typing import Any

import pytest

from shared.rules.interface import PUBLIC, Refusal, Viewer
from shared.rules.map_war import RULES
from shared.rules.map_war.quotes import PRICING
from shared.rules.map_war.tables import STRUCTURES
from shared.scenarios.table import Table
from tests.rules.map_war.play import NAMES, a_game, turns

NOBODY = Viewer("public", "")


def prices(table: Table) -> Any:
    """The table of prices that the economy service makes."""
    documents = [item for item in table.documents.of(NOBODY) if item.kind in PRICING.kinds and item.audience in PUBLIC]
    return PRICING.read(RULES.view(documents, NOBODY))


def question(random: Random, zones: list[str]) -> dict[str, Any]:
    """Something that has a price, or has none."""
    zone = random.choice(zones)
    return random.choice(
        (
            {},
            {"order": "claim", "zone": zone},
            {"order": "conquest", "zone": zone, "support": random.sample(range(1, 9), random.randint(0, 2))},
            {"order": "build", "zone": zone, "structure": random.choice(STRUCTURES)},
            {"order": "sale", "zone": zone},
            {"order": "sale", "good": random.choice(("food", "resources")), "amount": random.randint(1, 99_999)},
            {"order": "sale", "zone": "atlantis"},
            {"zone": zone},
        )
    )


def sums_up(quote: dict[str, Any]) -> bool:
    """Whether the rows make the price, each by a rule."""
    rows = quote["rows"]
    cost = quote["cost"] if "cost" in quote else {"currency": quote["price"], "resources": 0}
    return all(row["rule"].startswith("MAP-") for row in rows) and all(
        cost[name] == sum(row[name] for row in rows) for name in ("currency", "resources")
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_price_from_public_documents_is_that_of_advice_and_its_rows_make_it(seed: int) -> None:
    table, random, priced = a_game(seed), Random(seed), 0
    for _ in turns(table, seed, 6):
        made, zones = prices(table), sorted(RULES.encode(table.state)["zones"])
        for name in (*NAMES, "nobody"):
            viewer = table.documents.viewer(name)
            view = RULES.view(table.documents.of(viewer), viewer)
            for _ in range(12):
                asked = question(random, zones)
                found = PRICING.quote(made, name, asked)
                told = RULES.advise(view, {"type": "quote", **asked})
                if isinstance(found, Refusal):
                    assert isinstance(told, Refusal)
                    assert found.code == told.code
                else:
                    assert found == told
                    assert "claims" in found or sums_up(found)
                    priced += "rows" in found
    assert priced > 20
