"""Go on small boards: rules and perft tables."""
