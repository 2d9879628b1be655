"""The SQLite documents against bare sqlite3 upserts of the same documents."""

from tests.bench.documents_workload import write_ratios
from tests.bench.rows import Bars, Row

RUNS = 7


def rows() -> list[Row]:
    """Bulk writes of views."""
    return [Row("views: documents written/s against bare upserts", Bars("min", 0.5, None), write_ratios(RUNS))]
