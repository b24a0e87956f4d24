"""Breakthrough Checkers: rules and perft tables."""
