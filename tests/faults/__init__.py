"""What an installation withstands: real processes, killed, starved, put to sleep and given sick games."""
