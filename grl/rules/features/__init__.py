"""What features look at, and which of them a game gives rise to.

What each means stands in `grl.rules.templates`.
"""
