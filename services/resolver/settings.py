"""The constants of the sequencer, in one place; tests shorten them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CreditPolicy:
    """What counts as an outage and what it is worth (design, Time). All in milliseconds of the log's clock."""

    window_ms: int = 600_000
    """Gaps are looked for from so long before a deadline; the start of the window counts as a record."""
    gap_ms: int = 30_000
    """A longer gap between neighbouring records of `orders` is an outage."""
    rest_ms: int = 60_000
    """A credited deadline is at least so long after the last gap."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How the sequencer spends its time and memory. Times are milliseconds of this process's clock."""

    credit: CreditPolicy = field(default_factory=CreditPolicy)
    measure_ms: int = 10_000
    """While a deadline is nearer than the credit's window, `orders` is never silent for longer."""
    tick_again_ms: int = 200
    """A tick that did not show a time after the deadline is repeated after so long."""
    idle_ms: int = 1_000
    """Longest wait for records."""
    held_ms: int = 2_000
    """So often a partition is asked for whether it is still ours: an import takes it over for one commit."""
    retry_ms: int = 1_000
    """Pause before a lost partition is taken over again."""
    poll_records: int = 4_000
    """Most records of one poll, and so of one commit: what a transaction costs besides its bytes is shared by them."""
    held_records: int = 20_000
    """A topic's partition is not read further while so many of its records wait for a close."""
    commit_events: int = 20_000
    """An outcome with so many events is committed before more is judged."""
    big_close_events: int = 2_000
    """A judgement with so many events gets a commit of its own."""
    give_back_events: int = 20_000
    """After a close with so many events, once it is committed, the system gets back the memory that it took."""
    passed_records: int = 500
    """So many records without judgement (ticks, inputs of quarantined games) move the stored marks by themselves."""
    snapshot_events: int = 20_000
    """A snapshot is due after so many events since the last,"""
    snapshot_closes: int = 200
    """or so many closes, once"""
    snapshot_calm_ms: int = 5_000
    """nothing has closed for so long: somebody waits for the views of a close, nobody for a snapshot;"""
    snapshot_ms: int = 30_000
    """and at any rate so long after the first change,"""
    snapshot_rest: int = 10
    """but not before so many times as long as the last one held up inputs (half a second of 100,000 players)."""
    loaded_games: int = 5_000
    """Above so many games in memory, those that stand in a snapshot and were not touched longest are let go."""
