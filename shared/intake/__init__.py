"""The one implementation of an intake service: judge the form of a command, make it an input, append it.

orders, polls and economy are this package with a topic each; their command tables follow from the topic.
"""
