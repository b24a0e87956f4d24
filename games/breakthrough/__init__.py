"""Breakthrough: rules and perft tables."""
