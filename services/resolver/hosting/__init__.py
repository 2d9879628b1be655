"""The hosting core: what a host does around the rules of one game, as pure functions of its journal and inputs.

`judging` makes events of an input, `folding` makes the game of events, `snapshots` keeps it, `certifying` proves it.
Nothing here reads a clock, a log or a document; secrets and stored data come in through `Context`.
"""
