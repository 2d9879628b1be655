"""Choice, ports, processes and state of servers, without a server."""
