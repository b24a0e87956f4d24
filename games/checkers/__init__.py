"""English checkers: rules and perft tables."""
