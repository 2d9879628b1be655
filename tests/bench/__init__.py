"""Benchmarks: `make bench` prints ratios, each against a peer or a part below us, measured in turn in one run."""
