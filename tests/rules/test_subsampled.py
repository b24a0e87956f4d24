"""Positions with very many turns, cut down to some of every shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grl.rules.restrictions.labelled import ALIAS, ILLEGAL, LEGAL, Labelled, subsampled


def item(labels: list[int]) -> Labelled:
    """Labelled turns whose cases and effects are numbers."""
    numbers = list(range(len(labels)))
    blank = Labelled(None, [], [], [], complete=True, missing=0)  # type: ignore[arg-type]
    return replace(blank, cases=numbers, labels=labels, effects=numbers)  # type: ignore[arg-type]


turns = st.lists(
    st.tuples(st.sampled_from((ILLEGAL, LEGAL, ALIAS)), st.integers(0, 3)), max_size=40
)


@given(turns, st.integers(1, 20))
def test_legal_turns_stay_and_the_others_are_shared_out_among_shapes(
    rows: list[tuple[int, int]], most: int
) -> None:
    labels, kinds = [label for label, _ in rows], [kind for _, kind in rows]
    shapes = np.array([[kind & 1, kind & 2] for kind in kinds], dtype=bool).reshape(-1, 2)

    found = subsampled(item(labels), shapes, most)

    kept: list[int] = found.cases  # type: ignore[assignment]
    assert kept == sorted(kept) == found.effects
    assert found.labels == [labels[i] for i in kept]
    assert {i for i, x in enumerate(labels) if x != ILLEGAL} <= set(kept)
    illegal = [i for i, x in enumerate(labels) if x == ILLEGAL]
    assert sum(i in kept for i in illegal) == min(most, len(illegal))
    counts = {k: sum(kinds[i] == k for i in illegal) for k in set(kinds)}
    chosen = {k: sum(kinds[i] == k for i in illegal if i in kept) for k in counts}
    for one, number in chosen.items():
        assert number == counts[one] or all(number >= other - 1 for other in chosen.values())


@pytest.mark.parametrize("most", [2, 4, 8])
def test_those_kept_of_a_shape_are_spread(most: int) -> None:
    found = subsampled(item([ILLEGAL] * 64), np.zeros((64, 1), dtype=bool), most)
    gaps = np.diff([*found.cases, 64])  # type: ignore[list-item]
    assert max(gaps) <= 2 * 64 / most
