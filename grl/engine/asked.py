"""What is asked of engines, held to what they can do."""

from __future__ import annotations

from grl.errors import GrlError
from grl.limits import MAX_PERFT_DEPTH

MOST_PLIES = 10_000
"""A random game that goes on for longer is broken off."""


def check_depth(depth: object) -> None:
    """Raises `GrlError` for a depth that is no whole number from 0 to `MAX_PERFT_DEPTH`."""
    if type(depth) is not int or not 0 <= depth <= MAX_PERFT_DEPTH:
        raise GrlError(
            "wrong depth of perft",
            found=repr(depth)[:40],
            expected=f"a whole number from 0 to {MAX_PERFT_DEPTH}",
        )


def check_games(n: object, seed: object) -> None:
    """Raises `GrlError` for what is no number of games, or no seed."""
    if type(n) is not int or n < 0 or type(seed) is not int:
        raise GrlError(
            "wrong number of games or seed",
            found=f"{n!r}, {seed!r}"[:80],
            expected="whole numbers, that of games at least 0",
        )
