"""One rule for what several rules cover: the literals that hold on all of it, as few as are needed.

A search from the top finds rules of few literals, and where the right rule has more, several that
overlap. From the bottom it is at hand: what the rows of these rules have in common (Plotkin, *A
note on inductive generalization*, Machine Intelligence 5, 1970), if no negative row has it, too.
Rows that no rule covers are put together in the same way (Muggleton and Feng, *Efficient induction
of logic programs*, 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grl.iggp.sweep import Body
from grl.iggp.tables import Bools

_PARTS = 6
_LONGEST = 10
_BIG = 0.25
_SEEDS = 6
_CANDIDATES = 40


def unions(positive: Bools, negative: Bools, parts: Sequence[Bools]) -> Iterator[Bools]:
    """Rows of several parts that have something in common that no negative row has, each once.

    The matrices have a column a literal and `parts` the rows of the positive one that a rule
    covers; begins with each of the greatest parts and adds others while it can.
    """
    parts = sorted(parts, key=lambda rows: -int(rows.sum()))[:_PARTS]
    seen: set[bytes] = set()
    for first in parts:
        rows = first
        for other in parts:
            both = rows | other
            if (both != rows).any() and common(positive, negative, both) is not None:
                rows = both
        if rows is not first and rows.tobytes() not in seen:
            seen.add(rows.tobytes())
            yield rows


def grown(
    positive: Bools, negative: Bools, parts: Sequence[Bools], random: np.random.Generator
) -> Iterator[Bools]:
    """Rows that have something in common that no negative row has, as many as can be.

    They begin with a row that no rule covers, or only one that covers little, and each further row
    is the one with which most rows have what all have in common.
    """
    big = [rows for rows in parts if rows.mean() >= _BIG]
    waiting = ~np.any(big, axis=0) if big else np.ones(len(positive), dtype=bool)
    yes, no = _words(positive), _words(negative)
    for _ in range(_SEEDS):
        if not waiting.any():
            return
        seed = random.choice(np.flatnonzero(waiting))
        shared, rows = yes[seed], _having(yes, yes[seed][None])[0]
        apart = not _having(no, shared[None]).any()
        while apart and not rows.all():
            others = np.flatnonzero(~rows)
            if len(others) > _CANDIDATES:
                others = random.choice(others, _CANDIDATES, replace=False)
            options = shared & yes[np.sort(others)]
            options = options[~_having(no, options).any(axis=1)]
            if not len(options):
                break
            covers = _having(yes, options)
            best = int(np.argmax(covers.sum(axis=1)))
            shared, rows = options[best], covers[best]
        waiting = waiting & ~rows
        if apart and rows.sum() > 1:
            yield rows


def _words(matrix: Bools) -> NDArray[np.uint64]:
    """The rows of a matrix as bits."""
    bits = np.packbits(matrix, axis=1)
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return padded.view(np.uint64)


def _having(rows: NDArray[np.uint64], options: NDArray[np.uint64]) -> Bools:
    """Which rows have all the bits of each option, a row an option."""
    found: Bools = ((rows[None] & options[:, None]) == options[:, None]).all(axis=2)
    return found


def common(positive: Bools, negative: Bools, rows: Bools) -> NDArray[np.intp] | None:
    """The literals that hold on all these rows, unless some negative row has all of them."""
    always = np.flatnonzero(positive[rows].all(axis=0))
    return None if negative[:, always].all(axis=1).any() else always


def body_of(
    positive: Bools, negative: Bools, costs: NDArray[np.float64], rows: Bools
) -> Body | None:
    """Cheap literals that hold on all these rows and together on no negative one, if few do."""
    always = common(positive, negative, rows)
    if always is None:
        return None
    excludes = ~negative[:, always]
    left = np.ones(len(negative), dtype=bool)
    chosen: list[int] = []
    while left.any():
        if len(chosen) == _LONGEST:
            return None
        best = int(np.argmax(excludes[left].sum(axis=0) / (costs[always] + 1.0)))
        chosen.append(int(always[best]))
        left &= ~excludes[:, best]
    return tuple(sorted(chosen))


__all__ = ["body_of", "grown", "unions"]
