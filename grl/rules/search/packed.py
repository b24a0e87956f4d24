"""Tables of truths as words of bits: bit i of a word stands for the i-th of 64 entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
WORD = 64


def row_words(table: NDArray[np.bool_]) -> Words:
    """The rows of a table as words: rows × words."""
    packed = np.packbits(np.ascontiguousarray(table), axis=1, bitorder="little")
    rows, width = packed.shape
    padded = np.zeros((rows, -(-width // 8) * 8), dtype=np.uint8)
    padded[:, :width] = packed
    return padded.view(np.uint64)


def column_words(table: NDArray[np.bool_]) -> Words:
    """The columns of a table as words: columns × words.

    Eight rows are laid over one another before anything is transposed: that goes by bytes, slowly.
    """
    rows, columns = table.shape
    padded = np.zeros((-(-rows // WORD) * WORD, columns), dtype=np.uint8)
    padded[:rows] = table
    eights = padded.reshape(len(padded) // 8, 8, columns)
    packed = eights[:, 0]
    for bit in range(1, 8):
        packed |= eights[:, bit] << bit
    return np.ascontiguousarray(packed.T).view(np.uint64)
