"""What lies in line from a square of a turn, square by square: words along lines.

What is shot may have to stand over an empty square before a row of guns. What makes such a turn
legal stands in line with a square of it, and is read off the rows: words of contents, the next
square first, that all legal turns of some rows see in some direction and those to be forbidden
never do, or that only these see. Where a few words are needed they are one set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import log2
from typing import NamedTuple

import numpy as np

from grl.errors import ModelError
from grl.logic.grid import BROAD_WAYS, DIRECTIONS, NONE, Bools, Indices
from grl.logic.ops.lines import BEHIND, SOME_WAY, brink, over_empty
from grl.logic.ops.places import lies
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.rows import Rows
from grl.logic.terms import Term, make
from grl.rules.search.tables import LEAST_BITS

LONGEST = 5
"""No word has more letters."""
LONGEST_BEHIND = 3
"""And none more behind the empty squares that it doesn't count."""
SEVERAL = 3
"""No more words than these are needed together."""
EDGE = ""
"""The letter that there is no further square."""
SURE = 0.99
"""The least part of the legal rows that words have to be seen by."""


class Seen(NamedTuple):
    """A word, and whether empty squares stand before it, as many as there are."""

    word: tuple[str, ...]
    far: bool


class Coded(NamedTuple):
    """The same as numbers: of how many letters it is, and which, each a digit."""

    letters: int
    far: bool
    code: int


class Sightline(NamedTuple):
    """The squares of the board from which words are seen, and how many letters these have."""

    squares: Term
    letters: int


def sightlines(
    rows: Rows,
    points: Sequence[Term],
    bad: Bools,
    kept: Sequence[Bools],
    contents: Sequence[str],
) -> Iterator[tuple[Term, Sightline]]:
    """Words that are seen from a point of turns, among the rows of a set of those `kept`.

    `contents`, of which one lies on each square and ``empty`` is the first, are the letters.
    """
    lying = _lying(rows, contents)
    for point in points:
        at = rows.point(point)
        lines = _lines(rows, at, lying)
        for ways in (*BROAD_WAYS, "onward"):
            read = _Read(lines, rows.ways(ways)[:, :, 0], at != NONE, contents)
            found: dict[Sightline, None] = {}
            for look in kept:
                for words in read.separating(look, bad):
                    term = _from(ways, words)
                    if term is not None:
                        found[Sightline(term, letters_of(words))] = None
            yield from ((point, each) for each in found)


def _lying(rows: Rows, contents: Sequence[str]) -> Indices:
    """Rows × squares: the number, from 1, of what lies there; 0 beyond the board."""
    found = np.zeros((len(rows), rows.grid.size + 1), dtype=np.intp)
    for number, content in enumerate(contents, 1):
        found[:, :-1][rows.squares(lies(content))] = number
    return found


def _lines(rows: Rows, at: Indices, lying: Indices) -> list[Indices]:
    """What lies on the next square from one of each row, on the one behind it, and so on: rows ×
    directions each."""
    nowhere = np.full((len(DIRECTIONS), 1), rows.grid.size)
    ahead = np.concatenate([rows.grid.ahead, nowhere], axis=1)
    on, which = np.arange(len(DIRECTIONS)), np.arange(len(at))[:, None]
    here = np.broadcast_to(
        np.where(at != NONE, at, rows.grid.size)[:, None], (len(at), len(DIRECTIONS))
    )
    found = []
    for _ in range(max(rows.grid.longest) + 1):
        here = ahead[on, here]
        found.append(lying[which, here])
    return found


class _Read:
    """The words that are seen from one square of each row in some directions."""

    def __init__(
        self, lines: Sequence[Indices], ways: Bools, known: Bools, contents: Sequence[str]
    ) -> None:
        self._letters, self._known = (EDGE, *contents), known
        self._meant = ways & known[:, None]
        self._words: list[Coded] = []
        columns = [
            *self._added(lines[:LONGEST], far=False),
            *self._added(_behind_empty(np.stack(lines, axis=2)), far=True),
        ]
        self._table = np.concatenate(columns, axis=1)

    def _added(self, line: Sequence[Indices], *, far: bool) -> Iterator[Bools]:
        """Let the words join that begin with the first of these letters; their columns."""
        code, going = np.zeros_like(line[0]), self._meant.copy()
        for number, letter in enumerate(line, 1):
            code = code * len(self._letters) + letter
            words, which = np.unique(code[going], return_inverse=True)
            column = np.zeros((len(going), len(words)), dtype=np.bool_)
            column[np.nonzero(going)[0], which.ravel()] = True
            yield column
            self._words += [Coded(number + far, far, each) for each in words.tolist()]
            going &= letter > 0

    def _seen(self, number: int) -> Seen:
        coded = self._words[number]
        word: list[str] = []
        code = coded.code
        for _ in range(coded.letters - coded.far):
            code, last = divmod(code, len(self._letters))
            word.insert(0, self._letters[last])
        return Seen(tuple(word), coded.far)

    def separating(self, look: Bools, bad: Bools) -> Iterator[tuple[Seen, ...]]:
        """Words that all legal rows of a look see and no others, and such as only others see."""
        wrong, right = look & bad & self._known, look & ~bad & self._known
        if not wrong.any() or not right.any():
            return
        many = float(right.sum()), float(wrong.sum())
        bits = [each * log2(sum(many) / each) for each in many]
        for rows, others, worth, least in (
            (right, wrong, sum(bits), SURE),
            (wrong, right, bits[1], 0.0),
        ):
            pure = self._table[rows].any(axis=0) & ~self._table[others].any(axis=0)
            chosen, part = self._covering(rows, np.flatnonzero(pure))
            for codes in dict.fromkeys((chosen, self._longest(rows, chosen))):
                words = tuple(sorted(map(self._seen, codes)))
                if words and part >= least and part * worth >= self._price(words):
                    yield words

    def _price(self, words: Sequence[Seen]) -> float:
        """The bits that it takes to name words, and those that none is worth without."""
        return LEAST_BITS + letters_of(words) * log2(len(self._letters))

    def _covering(self, rows: Bools, numbers: Indices) -> tuple[tuple[int, ...], float]:
        """A few of these words that most of the rows see, and how large a part.

        One after another is taken, of those that add as many rows the shortest.
        """
        chosen: list[int] = []
        left = rows.copy()
        while len(chosen) < SEVERAL and left.any() and len(numbers):
            gains = self._table[left][:, numbers].sum(axis=0).tolist()
            gain, best = min(
                zip((-gain for gain in gains), numbers.tolist(), strict=True),
                key=lambda each: (each[0], self._words[each[1]]),
            )
            if not gain:
                break
            chosen.append(best)
            left &= ~self._table[:, best]
        return tuple(chosen), 1.0 - float(left.sum()) / float(rows.sum())

    def _longest(self, rows: Bools, chosen: Sequence[int]) -> tuple[int, ...]:
        """The longest words that begin as these do and that the same rows see."""
        table, found = self._table[rows], []
        for number in chosen:
            same = np.flatnonzero((table == table[:, [number]]).all(axis=0)).tolist()
            longer = [each for each in same if self._begins(self._words[number], each)]
            found.append(max(longer, key=lambda each: self._words[each]))
        return tuple(found)

    def _begins(self, word: Coded, number: int) -> bool:
        """Whether the word of a number begins with another one, or is it."""
        letters, far, code = self._words[number]
        further = letters - word.letters
        return (
            far == word.far and further >= 0 and code // len(self._letters) ** further == word.code
        )


def _behind_empty(lines: Indices) -> list[Indices]:
    """The letters from the first on that isn't empty: rows × directions each."""
    first = np.argmax(lines != 1, axis=2)
    found = []
    for number in range(LONGEST_BEHIND):
        at = np.minimum(first + number, lines.shape[2] - 1)[:, :, None]
        letter = np.take_along_axis(lines, at, axis=2)[:, :, 0]
        found.append(np.where(first + number < lines.shape[2], letter, 0))
    return found


def letters_of(words: Sequence[Seen]) -> int:
    """How many letters words have together; that empty squares stand before one counts as one."""
    return sum(len(each.word) + each.far for each in words)


def _from(ways: str, words: Sequence[Seen]) -> Term | None:
    """The squares from which one of the words is seen; none where the term would be too large."""
    try:
        return make(SOME_WAY, ways, reduce(lambda x, y: make(EITHER, x, y), map(_short, words)))
    except ModelError:
        return None


def _short(seen: Seen) -> Term:
    """The squares short of a word."""
    found: Term | None = None
    for letter in reversed(seen.word):
        if letter == EDGE:
            found = brink
        else:
            here = lies(letter)
            found = make(BEHIND, here if found is None else make(BOTH, here, found))
    assert found is not None
    if not seen.far:
        return found
    return make(EITHER, found, over_empty(found))
