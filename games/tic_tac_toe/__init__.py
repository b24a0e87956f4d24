"""Tic-tac-toe: rules and perft tables."""
