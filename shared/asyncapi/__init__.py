"""The topics as an AsyncAPI 3.0 document, made from the event types, the command tables and who may do what.

`python -m shared.asyncapi` writes docs/asyncapi.json and docs/topics.md.
"""
