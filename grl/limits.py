"""How large what comes from outside may be. Files are data from anywhere: what is larger is refused
with an error that names the bound, before it costs memory or time.

Every bound is far above what any board game known to us needs.
"""

from __future__ import annotations

MAX_LINE = 64 * 2**20
"""Bytes of a line of a trace file, by default: a game of a million turns fits."""
MAX_POSITION = 2**20
"""Bytes of a position file."""
MAX_TRAIL = 10_000
"""Earlier positions of a position file."""
MAX_NAME = 200
"""Characters of the name of a game, a player, a type of piece, a sort or an action."""
MAX_PLAYERS = 100
MAX_PIECES = 5_000
MAX_RESERVE = 1_000_000
"""Pieces of a kind in hand."""
MAX_DEPTH = 20
"""Nesting of the report in a model file."""
MAX_TERM_DEPTH = 100
"""Levels of a term of `grl.logic`: a union of many parts is as deep as it has parts."""
MAX_COUNT = 10**15
"""Positions, turns or games that a report counts."""
MAX_SEGMENTS = 1_000
"""Segments of a turn."""
MAX_STATES = 2_000
"""States of an automaton or a machine."""
MAX_TRANSITIONS = 20_000
"""Transitions of a whole model."""
MAX_RULES = 1_000
"""Rules of a part of a model."""
MAX_LITERALS = 100
"""Literals of a rule."""
MAX_PERFT_DEPTH = 500
"""Plies that perft counts: each is a level of recursion."""
