"""Peg solitaire: rules and perft tables."""
