"""Every metric of every process, in one typed list (docs/operators.md lists them from here)."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("warledger_requests_total", "HTTP requests answered", ("service", "method", "status"))
REQUEST_SECONDS = Histogram("warledger_request_seconds", "Time to answer an HTTP request", ("service",))
APPENDED = Counter("warledger_inputs_appended_total", "Inputs made durable by an intake", ("topic",))
APPEND_REFUSED = Counter("warledger_inputs_refused_total", "Inputs refused before the log", ("topic", "code"))
JUDGED = Counter("warledger_inputs_judged_total", "Judgements written", ("verdict",))
DEAD_LETTERED = Counter("warledger_dead_letters_total", "Input records without judgement", ("reason",))
COMMITS = Counter("warledger_commits_total", "Outcomes committed by the resolver")
TAKEOVERS = Counter("warledger_takeovers_total", "Partitions taken over")
CLOSES = Counter("warledger_closes_total", "Deadlines applied")
LATENESS_SECONDS = Histogram(
    "warledger_close_lateness_seconds",
    "Time from a deadline to the commit of its close",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
QUARANTINED = Gauge("warledger_games_quarantined", "Games whose decider raised and that wait for release")
GAMES_LOADED = Gauge("warledger_games_loaded", "Games in the memory of the resolver")
PROJECTED = Counter("warledger_events_projected_total", "Journal events folded into views")
VIEW_WRITES = Counter("warledger_view_documents_written_total", "View documents written", ("collection",))
STREAMS_OPEN = Gauge("warledger_streams_open", "Open server-sent event streams")
CONNECTIONS_ENDED = Counter(
    "warledger_connections_ended_total", "Connections that the server refused or dropped", ("reason",)
)
WAITERS = Gauge("warledger_writes_waiting", "Requests that wait for their judgement")
