"""Chess: rules, variants and perft tables."""
