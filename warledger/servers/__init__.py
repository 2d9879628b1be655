"""Kafka and a server of the MongoDB protocol on this machine, for tests and for trying out.

`opening` chooses: an address given by the environment, else containers, else processes of this machine. A production
installation runs on none of this: see docker-compose.yml.
"""


class NoServer(RuntimeError):
    """This machine cannot have the server; the message says what was looked for and what is needed."""


class UnknownWay(NoServer):
    """The environment asks for a way to have servers that there is not."""
