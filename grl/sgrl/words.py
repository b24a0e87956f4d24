"""Turns cut into the words of automata (GRL paper, section 3.2, made precise).

Control passes at the letter ``a``: the letters before it, with it, are a word of the automaton
that had control; those after it are a word of the automaton of the piece that appeared, where
the empty word counts. A word that does not end by passing control ends with one of two marks,
which the learner treats as letters: `END`, the turn is over, or `NEXT`, another segment follows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from grl.turn import Letter, Segment, Turn

END = Letter(0, 0, "$")
NEXT = Letter(0, 0, ";")

Word = tuple[Letter, ...]


def cut(letters: tuple[Letter, ...], mark: Letter) -> tuple[Word, ...]:
    """The words of one segment; the first belongs to what lies on its origin square."""
    words = []
    start = 0
    for at, letter in enumerate(letters, 1):
        if letter.appears:
            words.append(letters[start:at])
            start = at
    words.append((*letters[start:], mark))
    return tuple(words)


class Cut(NamedTuple):
    """A turn whose origin square is left open: its first segment, the words of that, the rest."""

    first: Segment
    words: tuple[Word, ...]
    later: tuple[Segment, ...]

    def turn(self, origin: str) -> tuple[Segment, ...]:
        """The segments of the turn from `origin`."""
        return self.first._replace(origin=origin), *self.later


@lru_cache(maxsize=65_536)
def cut_text(rest: str) -> Cut:
    """A turn, other than a pass, given without its origin square."""
    first, *later = Turn.parse(f"a1 {rest}").segments
    words = cut(first.letters, NEXT if later else END)
    return Cut(first, words, tuple(later))
