"""Restrictions, learned: which pseudo-legal turns the rules forbid."""
