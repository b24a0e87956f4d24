"""The features that separate rows best: counted in C as by products of matrices."""

from __future__ import annotations

import numpy as np
import pytest

from grl.compiler import Kernel
from grl.rules.features.vocabulary import Priced
from grl.rules.search import gains
from grl.rules.search.gains import Columns


@pytest.mark.parametrize("rows", [3, 40, 64, 300])
@pytest.mark.parametrize("seed", range(6))
def test_columns_counted_in_c_are_chosen_as_those_of_products(
    seed: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if Kernel("grl.rules.search", "column_weights", 0).compiled is None:
        pytest.skip("there is no C compiler")
    chance = np.random.default_rng(seed)
    width = int(chance.choice([1, 30, 1_500]))
    positions, bad = np.sort(chance.integers(0, 1 + rows // 9, rows)), chance.random(rows) < 0.4
    bad[:2] = False, True
    weights = np.zeros(rows)
    for side in (bad, ~bad):
        weights[side] = 1.0 / np.bincount(positions[side])[positions[side]]
    columns = Columns(chance.random((rows, 7)) < chance.random(7))
    several = [Priced(("column", number), 1.0) for number in range(width)]
    columns.add(several, chance.random((rows, width)) < chance.random(width))
    found = []
    for worth in (1_000, 0):
        monkeypatch.setattr(gains, "_KERNEL", Kernel("grl.rules.search", "column_weights", worth))
        found.append(columns.best(bad, weights))
    assert found[0] == found[1]
    assert found[0] or rows == 3
