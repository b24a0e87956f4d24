"""Connect Four: rules and perft tables."""
