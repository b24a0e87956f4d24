"""Numbers of 64 bits for positions and lines of play, the same in every process.

A sample that keeps what has the smallest fingerprints doesn't depend on the order in which things
come, nor on who counts them. A board's fingerprint is the exclusive or of a number for each piece
on its square (Zobrist hashing), so that a turn changes it by what it changes on the board. All
functions work on columns; those of one value give the same numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Stock

Hashes = NDArray[np.uint64]

ALL = 1 << 64
"""Above every fingerprint."""
_MASK = ALL - 1
_SHIFTS = (30, 27, 31)
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_WEIGHTS = tuple((0x9E3779B97F4A7C15 * (2 * i + 1) & _MASK) | 1 for i in range(1, 9))


def mixed(value: int) -> int:
    """A number that spreads another over all 64 bits (the end of splitmix64)."""
    for shift, factor in zip(_SHIFTS, _FACTORS, strict=False):
        value = (value ^ value >> shift) * factor & _MASK
    return value ^ value >> _SHIFTS[2]


def mixed_column(values: Hashes) -> Hashes:
    """`mixed` of each."""
    for shift, factor in zip(_SHIFTS, _FACTORS, strict=False):
        values = (values ^ values >> np.uint64(shift)) * np.uint64(factor)
    return values ^ values >> np.uint64(_SHIFTS[2])


def distinct(values: Hashes) -> Hashes:
    """Each value once, in ascending order."""
    ordered = np.sort(values)
    found: Hashes = ordered[np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)]]
    return found


def combined(*parts: int) -> int:
    """One number for several, whose order counts."""
    return mixed(sum(w * part for w, part in zip(_WEIGHTS, parts, strict=False)) & _MASK)


def combined_columns(*parts: Hashes | int) -> Hashes:
    """`combined` of the rows of columns; a single number stands for a column of them."""
    total: Hashes = np.zeros(1, dtype=np.uint64)
    for weight, part in zip(_WEIGHTS, parts, strict=False):
        if isinstance(part, int):
            total = total + np.uint64(weight * part & _MASK)
        else:
            total = total + part * np.uint64(weight)
    return mixed_column(total)


@lru_cache(maxsize=1 << 17)
def of_text(text: str) -> int:
    """The fingerprint of a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def of_stock(stock: Stock) -> int:
    """The fingerprint of the pieces in hand."""
    return of_text(str(stock)) if stock else 0


def of_squares(size: int) -> Hashes:
    """For each square a number that says that its piece has moved."""
    return mixed_column(np.arange(1, size + 1, dtype=np.uint64))


def of_contents(size: int, contents: str) -> Hashes:
    """Squares × contents: the part of a piece on its square in a board's fingerprint."""
    squares = np.arange(1, size + 1, dtype=np.uint64) << np.uint64(21)
    codes = np.array([ord(content) for content in contents], dtype=np.uint64)
    table = mixed_column(mixed_column(squares)[:, None] + codes)
    table[:, codes == ord(EMPTY)] = 0
    return table


def of_boards(boards: Sequence[str]) -> Hashes:
    """The fingerprints of boards of one size, each a string with a character for each square."""
    if not boards:
        return np.zeros(0, dtype=np.uint64)
    size = len(boards[0])
    codes = np.frombuffer("".join(boards).encode("utf-32-le"), dtype=np.uint32)
    order = np.zeros(int(codes.max()) + 1, dtype=np.uint8 if codes.max() < 256 else np.uint32)
    order[codes] = 1
    present = np.flatnonzero(order)
    order[present] = np.arange(len(present))
    table = of_contents(size, "".join(map(chr, present.tolist())))
    found = np.zeros(len(boards), dtype=np.uint64)
    for square, column in enumerate(order[codes].reshape(len(boards), size).T):
        found ^= table[square, column]
    return found
