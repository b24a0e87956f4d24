"""The Game of the Amazons: rules and perft tables."""
