"""Five Field Kono: rules and perft tables."""
