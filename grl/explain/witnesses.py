"""Which pieces make an ending true: what is left when all are taken away that it can do without."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from grl.board import EMPTY, HOLE, Position
from grl.errors import GrlError
from grl.model import Rule
from grl.rules.play.referee import Referee

MOST = 150
"""Pieces on the board; of more nothing is said."""


def needed(referee: Referee, position: Position, rule: Rule) -> tuple[str, ...]:
    """The names of squares whose pieces alone make an ending true that is so in a position.

    They are found one by one: a piece goes if the ending is still the first that is true without
    it. So none of those that stay could go; of two lines of the same player one is left. Nothing
    stays where the ending is about what is not there.
    """
    pieces = [at for at, key in enumerate(position.cells) if key not in (EMPTY, HOLE)]
    if len(pieces) > MOST:
        return ()
    here, left = position, []
    for at in pieces:
        without = replace(here, cells=here.cells[:at] + EMPTY + here.cells[at + 1 :])
        with suppress(GrlError):
            if referee.ending(without) is rule:
                here = without
                continue
        left.append(position.board.names[at])
    return tuple(left)
