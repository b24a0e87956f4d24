"""Tables as words of bits, entry by entry."""

from __future__ import annotations

import numpy as np
import pytest

from grl.rules.search.packed import WORD, Words, column_words, row_words


def bits(words: Words, count: int) -> list[list[bool]]:
    return [[bool(int(row[i // WORD]) >> i % WORD & 1) for i in range(count)] for row in words]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (64, 65), (130, 7), (200, 129)])
def test_bit_i_of_a_words_row_is_entry_i(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(3).random(shape) < 0.4
    rows, columns = row_words(table), column_words(table)
    assert bits(rows, shape[1]) == table.tolist()
    assert bits(columns, shape[0]) == table.T.tolist()
    assert int(np.bitwise_count(rows).sum()) == int(np.bitwise_count(columns).sum()) == table.sum()
