"""Rules in C: features of positions and turns, and what lists of rules say (`grl.engine`)."""
