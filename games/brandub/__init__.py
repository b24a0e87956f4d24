"""Brandub, a small tafl: rules and perft tables."""
