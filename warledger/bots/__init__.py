"""Bots for Exgenhoca Wars: players that know what their account sees, over HTTP or at a table of the pure rules."""
