"""Draughts with international rules on 8 x 8: rules and perft tables."""
