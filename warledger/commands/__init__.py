"""The commands, one module a group. Each translates words of the command line into calls and prints the answer."""
