"""How much is done, not how long it takes: operations of fixed workloads, compared with recorded numbers."""
