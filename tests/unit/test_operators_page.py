"""Metrics and settings are listed for game masters."""

import re
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase

from shared import metrics

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operators.md").read_text()


def test_every_metric_is_on_the_page_with_its_meaning() -> None:
    defined = [item for item in vars(metrics).values() if isinstance(item, MetricWrapperBase)]
    assert len(defined) > 10
    names = {item._name for item in defined}
    listed = re.findall(r"^\| `(warledger_\w+)` \|", PAGE, re.MULTILINE)
    assert {name.removesuffix("_total") for name in listed} == names
    for item in defined:
        (described,) = item.describe()
        name = described.name + ("_total" if described.type == "counter" else "")
        assert f"| `{name}` | {', '.join(item._labelnames)} | {described.documentation} |" in PAGE


def test_every_setting_is_on_the_page() -> None:
    named = set(re.findall(r'"(WARLEDGER_[A-Z_]+)"', (ROOT / "shared" / "config.py").read_text()))
    assert len(named) > 10
    assert [name for name in named if f"`{name}`" not in PAGE] == []
