"""Every metric of every process, in one typed list (docs/operators.md lists them from here).

A web service with several workers counts in files that all of them share (shared/serving.py): each then shows the sum.
What only one process of an installation can know, of a partition, is shown by the one that owns it.
"""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of prometheus-client, read when it is imported: the folder in which workers count together."""
_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SLOW = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

REQUESTS = Counter("warledger_requests_total", "HTTP requests answered", ("service", "method", "route", "status"))
REQUEST_SECONDS = Histogram("warledger_request_seconds", "Time to answer an HTTP request", ("service", "route"))
APPENDED = Counter("warledger_inputs_appended_total", "Inputs made durable by an intake", ("topic",))
APPEND_REFUSED = Counter("warledger_inputs_refused_total", "Inputs refused before the log", ("topic", "code"))
APPEND_SECONDS = Histogram(
    "warledger_append_seconds", "Time to make inputs durable that came together", ("topic",), buckets=_QUICK
)
APPENDED_TOGETHER = Histogram(
    "warledger_inputs_together", "Inputs that an intake appended at once", ("topic",), buckets=(1, 2, 4, 8, 16, 32, 64)
)
JUDGED = Counter("warledger_inputs_judged_total", "Judgements written", ("verdict",))
DEAD_LETTERED = Counter("warledger_dead_letters_total", "Input records without judgement", ("reason",))
COMMITS = Counter("warledger_commits_total", "Outcomes committed by the resolver")
COMMIT_SECONDS = Histogram("warledger_commit_seconds", "Time to commit an outcome", buckets=_QUICK)
TAKEOVERS = Counter("warledger_takeovers_total", "Partitions taken over")
PARTITIONS_LOST = Counter("warledger_partitions_lost_total", "Partitions whose state was dropped after a failure")
PARTITIONS_OWNED = Gauge("warledger_partitions_owned", "Partitions that this process works on", ("service",))
CLOSES = Counter("warledger_closes_total", "Deadlines applied")
LATENESS_SECONDS = Histogram(
    "warledger_close_lateness_seconds", "Time from a deadline to the commit of its close", buckets=_SLOW
)
DEADLINE_OVERDUE_SECONDS = Gauge(
    "warledger_deadline_overdue_seconds", "How long the earliest deadline that is not applied has passed"
)
QUARANTINED = Gauge("warledger_games_quarantined", "Games whose decider raised and that wait for release")
GAMES_LOADED = Gauge("warledger_games_loaded", "Games in the memory of the resolver")
RECORDS_BEHIND = Gauge(
    "warledger_records_behind",
    "Offsets of a partition between what is done and the end: inputs of the resolver, journal of the projector",
    ("service", "partition"),
)
SECONDS_BEHIND = Gauge(
    "warledger_seconds_behind", "Age of the oldest record of a partition that is not done", ("service", "partition")
)
PROJECTED = Counter("warledger_events_projected_total", "Journal events folded into views")
VIEW_WRITES = Counter("warledger_view_documents_written_total", "View documents written", ("collection",))
VIEW_LAG_SECONDS = Histogram(
    "warledger_view_lag_seconds", "Time from a commit of the resolver to the views that show it", buckets=_SLOW
)
STREAMS_OPEN = Gauge("warledger_streams_open", "Open server-sent event streams", multiprocess_mode="livesum")
CONNECTIONS_ENDED = Counter(
    "warledger_connections_ended_total", "Connections that the server refused or dropped", ("reason",)
)
WAITERS = Gauge("warledger_writes_waiting", "Requests that wait for their judgement", multiprocess_mode="livesum")
STORAGE_FAILURES = Counter(
    "warledger_storage_failures_total", "Calls that the log or the document store did not answer", ("store",)
)

LOG_FAILED = STORAGE_FAILURES.labels("log")
DOCUMENTS_FAILED = STORAGE_FAILURES.labels("documents")


def exposition() -> bytes:
    """All metrics of this process, or of all workers of its service, in the text format of Prometheus."""
    if SHARED_FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)
