"""Boards whose edges meet: a step across an edge is the same step, spelled by another letter.

Where the first file lies beside the last one, as on a cylinder, a step to the right is ``(1 0 e)``
from every file but the last, and from there ``(1-width 0 e)``. No square has both. Traces don't
say that edges meet; it is taken from the words seen, whose other spellings must not have been
silent for long where they would have fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from grl.sgrl.words import Word
from grl.turn import Letter


@dataclass(frozen=True)
class Wrapping:
    """Across which edges steps go: so many files and ranks further on is the same square.

    0 where the edges don't meet.
    """

    files: int = 0
    ranks: int = 0

    def __bool__(self) -> bool:
        return bool(self.files or self.ranks)

    def plain(self, letter: Letter) -> Letter:
        """The spelling of the shortest displacement, which stands for all."""
        if not (letter.steps and self):
            return letter
        return min(self.spellings(letter), key=_length)

    def spellings(self, letter: Letter) -> list[Letter]:
        """All spellings of a letter, itself included."""
        if not letter.steps:
            return [letter]
        return [
            letter._replace(dx=dx, dy=dy) for dx, dy in self.displacements(letter.dx, letter.dy)
        ]

    def displacements(self, dx: int, dy: int) -> list[tuple[int, int]]:
        """All displacements that are the same step, from one square or another."""
        return list(product(_around(dx, self.files), _around(dy, self.ranks)))

    def place(self, x: int, y: int) -> tuple[int, int]:
        """A place seen from where a way began, the same each time that it comes round."""
        return x % self.files if self.files else x, y % self.ranks if self.ranks else y

    def word(self, word: Word) -> Word:
        """The plain spelling of a word."""
        return tuple(map(self.plain, word)) if self else word


def _around(by: int, period: int) -> list[int]:
    least = by % period if period else 0
    return [least, least - period] if least else [by]


def _length(letter: Letter) -> tuple[int, int, int, int]:
    return abs(letter.dx) + abs(letter.dy), abs(letter.dx), -letter.dx, -letter.dy


NO_EDGE = Wrapping()
