"""The graph game: rules and perft tables."""
