"""`warledger doctor`: what is wrong with an installation, why, and what to do."""

import sys
import time

import click

from warledger.doctor import examine
from warledger.doctor.finding import AWAY, FAULT
from warledger.local import settings
from warledger.output import DIFFERENCE, TRUE, UNREACHABLE, show


@click.command()
@click.option(
    "--min-free", type=click.IntRange(0), default=500, show_default=True, metavar="MB", help="Room wanted on the disk."
)
def doctor(min_free: int) -> None:
    """Look at keys, files, journal, lag, clock, dead letters, quarantined games and disk; change nothing.

    Ends with 0 if nothing must be mended, with 3 if servers cannot be reached: what they hold was not looked at. It
    needs no service to run, and may run beside all of them.
    """
    survey, findings = examine(settings(), time.time_ns() // 1_000_000, min_free * 1_000_000)
    for finding in findings:
        text = f"{finding.level} ({finding.check}): {finding.said}\n  {finding.help}"
        show(finding._asdict(), text)
    faults = sum(finding.level == FAULT for finding in findings)
    summary = {"games": len(survey.games), "faults": faults, "notes": len(findings) - faults}
    show(summary, f"{summary['games']} games, {faults} faults, {summary['notes']} notes")
    if any(finding.check == AWAY for finding in findings):
        sys.exit(UNREACHABLE)
    sys.exit(DIFFERENCE if faults else TRUE)
