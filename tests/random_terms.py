"""Terms drawn at random."""

from __future__ import annotations

import random

import numpy as np

from grl.board import Board, Equipment
from grl.logic.contents import contents_of
from grl.logic.ops import OPERATORS
from grl.logic.terms import LISTED, Sort, make, words_of


class Answers:
    """Says at random what turns would touch: the same whenever it is asked."""

    def __init__(self, chance: random.Random, board: Board) -> None:
        self.seed, self.board = chance.random(), board

    def touched(self, seat: int, level: int):
        """A few squares that turns of a player change, and some on which they end."""
        chance = random.Random(f"{self.seed} {seat} {level}")
        found = np.zeros((2, self.board.size), dtype=np.bool_)
        found[:, self.board.squares] = [
            [chance.random() < 0.3 for _ in self.board.squares] for _ in range(2)
        ]
        return found


FEW_ROLES = ("start1", "end1", "end1", "start2", "end2", "end3", "taken")


def random_term(chance: random.Random, equipment: Equipment, depth: int):
    """A term with every operator as likely as another where it may stand."""
    fitting = [
        operator
        for operator in OPERATORS.values()
        if (depth > 0 or Sort.SQUARES not in operator.takes)
        and not (operator.counts and equipment.sowing is None)
    ]
    operator = chance.choice(fitting)
    arguments = [
        random_term(chance, equipment, depth - 1)
        if sort is Sort.SQUARES
        else chance.randint(-1, 3)
        if sort is Sort.NUMBER
        else chance.choice(FEW_ROLES)
        if sort is Sort.ROLE
        else random_rows(chance, equipment, LISTED[sort])
        if sort in LISTED
        else chance.choice(words_of(sort, equipment))
        for sort in operator.takes
    ]
    return make(operator, *arguments)


def random_rows(chance: random.Random, equipment: Equipment, takes: tuple[type, ...]):
    """A few rows of contents and small numbers."""
    contents = contents_of(equipment)
    rows = {
        tuple(chance.choice(contents) if each is str else chance.randint(0, 3) for each in takes)
        for _ in range(3)
    }
    return tuple(sorted(rows))
