"""The gateway: the only service that talks to clients. It judges no rule and writes nothing but accounts and data."""
