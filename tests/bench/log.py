"""The SQLite log against bare sqlite3 rows in the same durability mode."""

from tests.bench.log_workload import append_ratios, input_scan_ratios, journal_scan_ratios
from tests.bench.rows import Bars, Row

RUNS = 7


def rows() -> list[Row]:
    """Appends in batches, and scans of both kinds of topic."""
    none = Bars("min", None, None)
    return [
        Row("log: orders appended/s in batches of 500 against bare rows", Bars("min", 0.7, None), append_ratios(RUNS)),
        Row("log: journal records read/s against bare rows", Bars("min", 0.5, None), journal_scan_ratios(RUNS)),
        Row("log: input records read and verified by HMAC/s against bare rows", none, input_scan_ratios(RUNS)),
    ]
