"""The polls service: intake of nominations, votes, shield, chat, mail and battle plans (topic votes)."""
