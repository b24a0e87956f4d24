"""The features, of thousands, that separate bad rows from others best, alone or after others.

They are ranked by what they gain as literals (FOIL's measure; Quinlan 1990, section 4). Those that
gain most are chosen, and likewise among the rows that the best literals keep. What columns weigh
among the rows of a look is a product of matrices, or, where there is a compiler, counted in C on
bits (``column_weights.c``).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Bools

KEPT = 16
"""So many features are chosen of each look."""
FOLLOWED = 3
"""After so many of the best literals the next ones are sought."""
STEPS = 3
LOOKS = 24
"""The rows that so many of the best literals keep are looked at for tables."""
BLOCK = 1_024
"""So many columns are looked at at a time."""
WORD = 64

Floats = NDArray[np.float64]

_KERNEL = Kernel(__package__, "column_weights", worth=2)


class Columns:
    """Features with different columns, each up to negation: of equal ones the cheapest.

    Those that equal one of the columns `known`, rows × features, are left out, and so are those
    that equal one of `barred`, which are no features.
    """

    def __init__(self, known: Bools, barred: Bools | None = None) -> None:
        self.known = known
        out = known if barred is None else np.concatenate([known, barred], axis=1)
        self._old = {key for _, _, key in _either_way(out)}
        self._kept: dict[bytes, tuple[Priced, bool]] = {}
        """By a column, packed and such that its first row lacks it: whose it is, negated or not."""

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, several: Sequence[Priced], table: Bools) -> None:
        """Let features join, unless they are the same for all rows or are there already.

        `table` has their columns: rows × features.
        """
        for number, negated, key in _either_way(table):
            if key in self._old:
                continue
            priced, kept = several[number], self._kept.get(key)
            if kept is None or _cheaper(priced, kept[0]):
                self._kept[key] = priced, negated

    @property
    def features(self) -> list[Priced]:
        """Those that joined."""
        return [priced for priced, _ in self._kept.values()]

    def blocks(self) -> Iterator[tuple[list[Priced], Bools]]:
        """Those that joined with their columns, rows × features, some at a time."""
        keys = list(self._kept)
        for begin in range(0, len(keys), BLOCK):
            some = keys[begin : begin + BLOCK]
            yield [self._kept[key][0] for key in some], self._unpacked(some)

    def table(self, numbers: Sequence[int]) -> Bools:
        """The columns of some that joined: rows × features."""
        keys = list(self._kept)
        return self._unpacked([keys[number] for number in numbers])

    def best(self, bad: Bools, weights: Floats) -> list[int]:
        """The numbers of features that separate the rows `bad` from others best.

        They are looked at alone and after literals that gain most, those known before included.
        Gains are rounded, so that machines which add in another order choose the same.
        """
        chosen: set[int] = set()
        looks = np.ones((1, len(bad)), dtype=np.bool_)
        for step in range(STEPS):
            looks = looks[(looks & bad).any(axis=1) & (looks & ~bad).any(axis=1)]
            if not len(looks):
                break
            followed = []
            for look, (gains, signs) in zip(looks, self._gains(looks, bad, weights), strict=True):
                order = np.argsort(-gains, kind="stable")
                order = order[gains[order] > 0]
                chosen.update(order[order < len(self)][:KEPT].tolist())
                if step + 1 < STEPS:
                    best = order[:FOLLOWED].tolist()
                    followed += [look & (self._column(each) == signs[each]) for each in best]
            looks = np.array(followed, dtype=np.bool_).reshape(len(followed), len(bad))
        return sorted(chosen)

    def _gains(self, looks: Bools, bad: Bools, weights: Floats) -> Iterator[tuple[Floats, Bools]]:
        """For each look, a set of rows, what the columns gain and whether plain: `_gain`.

        The columns are those that joined and those known before.
        """
        wrong, right = looks * (weights * bad), looks * (weights * ~bad)
        sides = np.concatenate([wrong, right])
        function = _KERNEL.function()
        if function is None:
            tables = [*(table for _, table in self.blocks()), self.known]
            sums = np.concatenate([sides @ each.astype(np.float64) for each in tables], axis=1)
        else:
            sums = self._counted(function, sides)
        for number in range(len(looks)):
            totals = float(wrong[number].sum()), float(right[number].sum())
            yield _gain(sums[number], sums[len(looks) + number], totals)

    def _counted(self, function: Callable[..., int], sides: Floats) -> Floats:
        """The product of rows of weights with the columns that joined and those known before."""
        parts, keys = _Parts(function, sides), list(self._kept)
        blocks = [keys[begin : begin + BLOCK] for begin in range(0, len(keys), BLOCK)]
        width = -(-len(self.known) // 8)
        found = [
            parts.weights(np.frombuffer(b"".join(some), dtype=np.uint8).reshape(-1, width))
            for some in blocks
        ]
        sums = np.concatenate([*found, parts.weights(np.packbits(self.known.T, axis=1))], axis=1)
        negated = np.zeros(sums.shape[1], dtype=np.bool_)
        negated[: len(keys)] = [negated for _, negated in self._kept.values()]
        return np.where(negated, sides.sum(axis=1)[:, None] - sums, sums)

    def _column(self, number: int) -> Bools:
        if number >= len(self):
            column: Bools = self.known[:, number - len(self)]
            return column
        return self.table([number])[:, 0]

    def _unpacked(self, keys: Sequence[bytes]) -> Bools:
        if not keys:
            return np.zeros((len(self.known), 0), dtype=np.bool_)
        bits = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), -1)
        plain = np.unpackbits(bits, axis=1, count=len(self.known)).view(np.bool_)
        negated = np.array([self._kept[key][1] for key in keys], dtype=np.bool_)
        found: Bools = (plain ^ negated[:, None]).T
        return found


class _Parts:
    """Rows of weights as sets of bits of equal weight, each in a word of some row's."""

    def __init__(self, function: Callable[..., int], sides: Floats) -> None:
        self._function, self._many = function, len(sides)
        side, row = np.nonzero(sides)
        kinds = np.stack([side, row // WORD, sides[side, row]])
        parts, which = np.unique(kinds, axis=1, return_inverse=True)
        bits = np.zeros((parts.shape[1], WORD), dtype=np.bool_)
        bits[which.ravel(), row % WORD] = True
        self._masks = np.packbits(bits, axis=1).view(np.uint64)
        self._sums, self._words = parts[:2].astype(np.int32, order="C")
        self._weights = parts[2].copy()

    def weights(self, columns: NDArray[np.uint8]) -> Floats:
        """What columns weigh, packed as bytes, a column a row: rows of weights × columns."""
        words = np.zeros((len(columns), -(-columns.shape[1] // 8) * 8), dtype=np.uint8)
        words[:, : columns.shape[1]] = columns
        sums = np.zeros((len(columns), self._many))
        arrays = (words, self._words, self._masks, self._sums, self._weights, sums)
        self._function(
            *(ctypes.c_void_p(array.ctypes.data) for array in arrays),
            len(columns), words.shape[1] // 8, len(self._weights), self._many,
        )  # fmt: skip
        return sums.T


def kept_by_best(known: Bools, bad: Bools, weights: Floats) -> list[Bools]:
    """All rows, and those that the literals with `known` columns keep that gain most alone."""
    wrong, right = weights * bad, weights * ~bad
    columns = known.astype(np.float64)
    gains, signs = _gain(wrong @ columns, right @ columns, (float(wrong.sum()), float(right.sum())))
    order = np.argsort(-gains, kind="stable")[:LOOKS].tolist()
    best = {(known[:, each] == signs[each]).tobytes(): each for each in order if gains[each] > 0}
    return [np.ones_like(bad), *(known[:, each] == signs[each] for each in best.values())]


def _cheaper(one: Priced, other: Priced) -> bool:
    if one.cost != other.cost:
        return one.cost < other.cost
    return repr(one.feature) < repr(other.feature)


def _either_way(table: Bools) -> Iterator[tuple[int, bool, bytes]]:
    """The numbers of the columns that differ in any row; whether the first row has it; packed."""
    if not len(table):
        return
    first = table[0]
    different = table ^ first
    numbers = np.flatnonzero(different.any(axis=0))
    packed = np.packbits(np.ascontiguousarray(different[:, numbers].T), axis=1)
    text, width = packed.tobytes(), packed.shape[1]
    for place, number in enumerate(numbers.tolist()):
        yield number, bool(first[number]), text[place * width : (place + 1) * width]


def _gain(
    kept_wrong: Floats, kept_right: Floats, totals: tuple[float, float]
) -> tuple[Floats, Bools]:
    """What each column gains as a literal, plain or negated, and whether it is plain.

    Given is what the wrong and the right rows weigh that have it, and that all of them weigh. A
    gain is the weight of the wrong rows that the literal keeps times by how many bits a row that it
    keeps is likelier wrong than before.
    """
    wrong, right = totals
    before = np.log2(wrong / (wrong + right))
    best = np.full(len(kept_wrong), -np.inf)
    plain = np.zeros(len(kept_wrong), dtype=np.bool_)
    for sign in (True, False):
        kept = kept_wrong if sign else wrong - kept_wrong
        others = kept_right if sign else right - kept_right
        kept, others = np.maximum(kept, 0.0), np.maximum(others, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.where(kept > 1e-9, kept * (np.log2(kept / (kept + others)) - before), -np.inf)
        gain = np.round(gain, 9)
        plain = np.where(gain > best, sign, plain)
        best = np.maximum(best, gain)
    return best, plain
