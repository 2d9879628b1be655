"""The command line of Warledger and the supervisor of a one-machine installation."""
