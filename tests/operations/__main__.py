"""`python -m tests.operations [--record]`: count, compare with what is recorded, or record it."""

import argparse
import sys

from shared.logs import configure
from tests.operations.comparing import HOW_TO, RECORDED, differences, read, record
from tests.operations.workloads import counted, plain


def main() -> int:
    """Print all counts and what differs; exit 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help=f"write {RECORDED.name}")
    given = parser.parse_args()
    configure("operations", "warning")
    found = plain(counted())
    if given.record:
        record(found)
    for workload, counts in found.items():
        print(workload)
        for counter, number in counts.items():
            print(f"  {number:>12,}  {counter}")
    differing = [item.told() for item in differences(read(), found)]
    print("\n".join([*differing, HOW_TO] if differing else ["as recorded"]))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
