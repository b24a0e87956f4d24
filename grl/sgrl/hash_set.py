"""Sets of numbers that are spread evenly, asked about many at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SLOTS = 8
"""Slots for each number of a `HashSet`, at least."""

Hashes = NDArray[np.uint64]


class HashSet:
    """A set of numbers that are spread evenly, asked about many at a time.

    Each number has a slot by its lowest bits. Those that found theirs taken are searched for, yet
    they are few; a search for every number would take the most time of all that is done here.
    """

    def __init__(self, hashes: Hashes) -> None:
        self._mask = np.uint64((1 << (SLOTS * len(hashes)).bit_length()) - 1)
        self._slots = np.zeros(int(self._mask) + 1, dtype=np.uint64)
        self._slots[hashes & self._mask] = hashes
        self._others = np.unique(hashes[self._slots[hashes & self._mask] != hashes])
        self._shared = np.zeros(len(self._slots), dtype=bool)
        self._shared[self._others & self._mask] = True

    def holds(self, hashes: Hashes) -> NDArray[np.bool_]:
        """For each number whether it is in the set."""
        slot = (hashes & self._mask).astype(np.int64)
        found: NDArray[np.bool_] = self._slots[slot] == hashes
        if len(self._others):
            doubtful = np.flatnonzero(self._shared[slot] & ~found)
            at = np.searchsorted(self._others, hashes[doubtful]) % len(self._others)
            found[doubtful] = self._others[at] == hashes[doubtful]
        return found
