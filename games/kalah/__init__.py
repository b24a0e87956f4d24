"""Kalah with a few houses and seeds: rules and perft tables."""
