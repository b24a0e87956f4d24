"""Nine Men's Morris: rules and perft tables."""
