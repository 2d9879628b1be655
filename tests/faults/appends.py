"""How often an intake appended several inputs at once, by its metrics; its process is killed now and then."""

import re
import time

from tests.faults.houses import probe
from warledger.demo.installation import Installation

LOOK_SECONDS = 0.5


class Appends:
    """Appends of several inputs at once by the orders service, as far as they were seen: what a process counted after
    the last look died with it."""

    def __init__(self, house: Installation) -> None:
        self._house = house
        self._before = 0
        self._looked = 0.0
        self._seen = 0

    @property
    def of_several(self) -> int:
        """How many so far."""
        self._look()
        return self._seen

    def watch(self) -> None:
        """Look, if it is time."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._look()

    def _look(self) -> None:
        status, text = probe(self._house, "orders", "/metrics")
        if status == 200:
            now = int(_sample(text, "count") - _sample(text, "bucket", 'le="1.0",'))
            self._seen += now - self._before if now >= self._before else now
            self._before = now
        self._looked = time.monotonic()


def _sample(text: str, name: str, labels: str = "") -> float:
    """A sample of the histogram; 0 before anything is counted."""
    found = re.search(rf'^warledger_inputs_together_{name}\{{{labels}topic="orders"\}} (\S+)$', text, re.MULTILINE)
    return float(found[1]) if found else 0.0
