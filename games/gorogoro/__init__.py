"""Gorogoro, a small shogi with drops: rules and perft tables."""
