"""The rule layer: which pseudo-legal turns are forbidden, when a game is over, and for whom."""
