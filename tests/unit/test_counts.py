"""The table of counts of the fault tests."""

from tests.counts import Counts


def test_sums_add_and_of_maxima_the_largest_stays() -> None:
    counts = Counts()
    counts.add("crashes", "kills", 2)
    counts.add("crashes", "kills")
    counts.largest("crashes", "slowest, ms", 5)
    counts.largest("crashes", "slowest, ms", 3)
    assert [line.split() for line in counts.table()] == [["crashes", "kills", "3"], ["crashes", "slowest,", "ms", "5"]]


def test_counts_of_a_worker_are_added() -> None:
    worker, controller = Counts(), Counts()
    worker.add("keys", "sent", 7)
    worker.largest("keys", "wait, ms", 7)
    controller.add("keys", "sent", 1)
    controller.largest("keys", "wait, ms", 9)
    controller.take(worker.plain())
    assert [line.split()[-1] for line in controller.table()] == ["8", "9"]


def test_a_session_without_counts_has_no_table() -> None:
    assert Counts().table() == []
