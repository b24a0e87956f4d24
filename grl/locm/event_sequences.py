"""What each object goes through in its plan, and what every projection of that looks like.

A sequence holds the labels of one owner in order: an object's transitions, a plan's actions, or
what befalls a pair of objects. Where an owner stands twice in one action, the labels happen
together.

Projecting sequences to a set of labels is the costly part of LOCM2. Between an ``a`` and a later
``b`` of one sequence lies a set of labels; ``b`` follows ``a`` in the projection to T exactly when
one of these sets is disjoint from T. So the least of these sets, as bit masks, answer for every T.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from grl.locm.table import Ints

_TOGETHER = 0x10000
"""Characters from here on stand for several labels that happen together."""


@dataclass(frozen=True, eq=False)
class EventSequences:
    """Events sorted by owner and then row; `label` is below `labels`."""

    owner: Ints
    row: Ints
    label: Ints
    labels: int

    @classmethod
    def of(cls, owner: Ints, row: Ints, label: Ints, labels: int) -> EventSequences:
        """The sequences of events in any order."""
        order = np.lexsort((label, row, owner))
        return cls(owner[order], row[order], label[order], labels)

    def only(self, chosen: Iterable[int]) -> EventSequences:
        """The projection to some labels."""
        keep = np.zeros(self.labels, dtype=bool)
        keep[list(chosen)] = True
        kept = keep[self.label]
        return EventSequences(self.owner[kept], self.row[kept], self.label[kept], self.labels)

    @cached_property
    def starts(self) -> Ints:
        """Where each moment begins: the events of one owner in one row."""
        if not len(self.owner):
            return np.zeros(0, dtype=np.int64)
        new = np.ones(len(self.owner), dtype=bool)
        new[1:] = (self.owner[1:] != self.owner[:-1]) | (self.row[1:] != self.row[:-1])
        return np.flatnonzero(new)

    def neighbours(self) -> tuple[Ints, Ints]:
        """Pairs of events, as indices: each of one moment with each of the next, same owner."""
        starts = self.starts
        size = np.diff(np.append(starts, len(self.owner)))
        follows = self.owner[starts[1:]] == self.owner[starts[:-1]]
        first, second = starts[:-1][follows], starts[1:][follows]
        if len(starts) == len(self.owner):
            return first, second
        wide, high = size[1:][follows], (size[:-1] * size[1:])[follows]
        which = np.repeat(np.arange(len(first)), high)
        offset = np.arange(len(which)) - np.repeat(np.cumsum(high) - high, high)
        return first[which] + offset // wide[which], second[which] + offset % wide[which]

    def together(self) -> set[tuple[int, int]]:
        """Pairs of different labels that happen to one owner in one action."""
        size = np.diff(np.append(self.starts, len(self.owner)))
        found = set()
        for start, n in zip(self.starts[size > 1], size[size > 1], strict=True):
            labels = sorted(set(self.label[start : start + n].tolist()))
            found |= {(a, b) for a in labels for b in labels if a < b}
        return found

    def following(self) -> set[tuple[int, int]]:
        """The pairs of labels of which the second directly follows the first in some sequence."""
        return set(self.pair_counts())

    def pair_counts(self) -> dict[tuple[int, int], int]:
        """How often each label directly follows each other one."""
        first, second = self.neighbours()
        codes = self.label[first] * self.labels + self.label[second]
        found, counts = np.unique(codes, return_counts=True)
        return {
            (int(code) // self.labels, int(code) % self.labels): int(n)
            for code, n in zip(found, counts, strict=True)
        }

    @cached_property
    def ends(self) -> tuple[frozenset[int], frozenset[int]]:
        """The labels with which sequences begin, and those with which they end."""
        if not len(self.owner):
            return frozenset(), frozenset()
        owners = self.owner[self.starts]
        change = owners[1:] != owners[:-1]
        moment = np.zeros(len(self.owner), dtype=np.int64)
        moment[self.starts[1:]] = 1
        moment = np.cumsum(moment)
        first, last = np.append(True, change), np.append(change, True)
        return (
            frozenset(self.label[first[moment]].tolist()),
            frozenset(self.label[last[moment]].tolist()),
        )

    @cached_property
    def between(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """For labels a, b the least masks of labels that lie between an a and a later b."""
        texts, joint = self._texts()
        return masks_between(windows(texts), joint)

    def _texts(self) -> tuple[set[str], dict[str, tuple[int, ...]]]:
        """Different sequences as texts, a character a moment; what joint characters stand for."""
        starts = self.starts
        size = np.diff(np.append(starts, len(self.owner)))
        codes = self.label[starts].astype(np.uint32)
        joint: dict[str, tuple[int, ...]] = {}
        numbers: dict[tuple[int, ...], int] = {}
        for moment in np.flatnonzero(size > 1):
            start = starts[moment]
            labels = tuple(sorted(set(self.label[start : start + size[moment]].tolist())))
            if len(labels) > 1:
                number = numbers.setdefault(labels, _TOGETHER + len(numbers))
                joint[chr(number)] = labels
                codes[moment] = number
        text = codes.tobytes().decode("utf-32-le")
        owners = self.owner[starts]
        bounds = np.flatnonzero(np.concatenate(([True], owners[1:] != owners[:-1], [True])))
        if not len(starts):
            return set(), joint
        cuts: list[int] = bounds.tolist()
        return {text[i:j] for i, j in pairwise(cuts)}, joint


def windows(sequences: Iterable[str]) -> set[str]:
    """Every stretch from a label up to its next occurrence, or to the end of the sequence."""
    found: set[str] = set()
    for sequence in sequences:
        for i, character in enumerate(sequence):
            after = sequence.find(character, i + 1)
            found.add(sequence[i:] if after < 0 else sequence[i : after + 1])
    return found


def masks_between(
    stretches: Iterable[str], joint: dict[str, tuple[int, ...]]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """The least sets of labels between two labels, over all stretches."""
    found: dict[tuple[int, int], set[int]] = {}
    for stretch in stretches:
        mask = 0
        firsts = joint.get(stretch[0], (ord(stretch[0]),))
        for character in stretch[1:]:
            here = 0
            for label in joint.get(character, (ord(character),)):
                here |= 1 << label
                if not mask >> label & 1:
                    for first in firsts:
                        if not mask >> first & 1:
                            found.setdefault((first, label), set()).add(mask)
            mask |= here
    return {pair: least(masks) for pair, masks in found.items()}


def least(masks: Iterable[int]) -> tuple[int, ...]:
    """Those of `masks` of which no other one is a part, in ascending order of size."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda m: (m.bit_count(), m)):
        if not any(mask & small == small for small in kept):
            kept.append(mask)
    return tuple(kept)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(labels: Iterable[int]) -> int:
    """The mask of some labels."""
    mask = 0
    for label in labels:
        mask |= 1 << label
    return mask
