"""The resolver: judges inputs in order, closes turns, certifies and keeps them; replays and exports journals."""
