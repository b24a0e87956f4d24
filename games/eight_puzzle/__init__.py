"""The 8-puzzle: rules and perft tables."""
