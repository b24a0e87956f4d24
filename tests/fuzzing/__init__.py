"""Mutated inputs for every command, run under limits, and what may not come of them."""
