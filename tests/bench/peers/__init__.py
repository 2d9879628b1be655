"""Peers: other projects' code that benchmarks compare with, in an environment of their own (build/peers)."""
