"""The orders service: intake of every command that is not a vote, a talk or a trade (topic orders)."""
