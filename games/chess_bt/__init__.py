"""Breakthrough Chess: rules and perft tables."""
