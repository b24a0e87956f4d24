"""The 15-puzzle: rules and perft tables."""
