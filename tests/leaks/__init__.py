"""What a viewer may not know changes nothing that reaches her (docs/decisions, design of secrecy)."""
