"""Load on a running installation, for people to repeat: see docs/operators.md, Load."""
