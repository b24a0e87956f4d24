"""Endings, learned: when a game is over and with which goals, and whether that is cheapest."""
