"""Shapes of turns of which a part was never played, though an even choice would have played it.

A shape is what the features of kinds of turns say together: which piece moves, how many steps, what
it takes. Of each any sample of positions has only some turns, so that a rule on one of many shapes
may not pay for itself there. So it is counted, over as many positions as all samples together, how
often an even choice would have played the turns of a shape of which a feature of the first round
holds, and those of which it doesn't; where such a part was never played and should have been many
times, the shape is looked at by itself (`grl.rules.restrictions.rarities`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grl.logic.grid import Bools, Indices
from grl.model import Literal
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.restrictions.labelled import LEGAL, Kind, Labelled
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

MOST_TURNS = 150_000
"""So many turns are looked at, in positions spread over all."""
TOGETHER = 200
"""So many positions are looked at at once."""
LEAST_EXPECTED = 15.0
"""A part that should have been played more seldom than this may be silent by chance: there are some
hundred thousand parts."""
MOST_SHAPES = 6
MOST_LITERALS = 3
MOST_OTHERS = 0.1
"""A kind names enough of a shape when at most such a part of its turns has another one."""


@dataclass
class _Shape:
    """The turns of a shape: how many, how many were to be expected, and how many of these have each
    feature; of which features those that were played had each, and of which they lacked it."""

    number: int
    expected: float
    having: NDArray[np.float64]
    played: Bools
    lacked: Bools

    def silence(self) -> float:
        """How often the part was to be expected that was most, of those never played."""
        having = np.where(self.played, 0.0, self.having)
        lacking = np.where(self.lacked, 0.0, self.expected - self.having)
        return float(max(having.max(initial=0.0), lacking.max(initial=0.0)))


def neglected(vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> list[Kind]:
    """The shapes with such a part, as kinds of turns, that of the greatest silence first."""
    known = [item for item in items if item.labels.count(LEGAL) == 1 and len(item.cases) > 1]
    turns = sum(len(item.cases) for item in known)
    found: dict[bytes, _Shape] = {}
    some = known[:: 1 + turns // MOST_TURNS]
    for begin in range(0, len(some), TOGETHER):
        _count(vocabulary, some[begin : begin + TOGETHER], found)
    silences = {shape: found[shape].silence() for shape in sorted(found)}
    odd = sorted(silences, key=lambda shape: -silences[shape])[:MOST_SHAPES]
    features = vocabulary.levels[0][: vocabulary.shapes]
    shapes = np.array([np.frombuffer(shape, dtype=np.bool_) for shape in found])
    numbers = np.array([shape.number for shape in found.values()])
    return [
        _kind(features, shapes, numbers, list(found).index(shape))
        for shape in odd
        if silences[shape] >= LEAST_EXPECTED
    ]


def _count(
    vocabulary: TurnVocabulary, items: Sequence[Labelled], found: dict[bytes, _Shape]
) -> None:
    """Count the turns of some positions in."""
    cases = [case for item in items for case in item.cases]
    table = vocabulary.table(cases, vocabulary.levels[0])
    chosen = np.array([label == LEGAL for item in items for label in item.labels])
    sizes = [len(item.cases) for item in items]
    chance = np.repeat([1 / (len(item.cases) + item.others) for item in items], sizes)
    shapes, number = np.unique(table[:, : vocabulary.shapes], axis=0, return_inverse=True)
    for at, row in enumerate(shapes):
        rows = np.flatnonzero(number.ravel() == at)
        mine, played = table[rows], table[rows[chosen[rows]]]
        shape = found.get(row.tobytes())
        if shape is None:
            none = np.zeros(table.shape[1], dtype=np.bool_)
            shape = _Shape(0, 0.0, np.zeros(len(none)), none, none)
            found[row.tobytes()] = shape
        shape.number += len(rows)
        shape.expected += float(chance[rows].sum())
        shape.having += chance[rows] @ mine
        shape.played = shape.played | played.any(axis=0)
        shape.lacked = shape.lacked | (~played).any(axis=0)


def _kind(features: Sequence[Priced], shapes: Bools, numbers: Indices, at: int) -> Kind:
    """A shape in few literals, true of no others but few, and cheap."""
    same = shapes == shapes[at]
    left = np.ones(len(shapes), dtype=np.bool_)
    literals: list[Literal] = []
    cost = 0.0
    prices = [
        price + (0.0 if holds else NEGATION)
        for (_, price), holds in zip(features, shapes[at].tolist(), strict=True)
    ]
    while len(literals) < MOST_LITERALS:
        others = numbers[left].sum() - numbers[at]
        if literals and others <= MOST_OTHERS * numbers[at]:
            break
        remaining = numbers[left] @ same[left]
        best = min(range(len(features)), key=lambda each: (remaining[each], prices[each]))
        literals.append(Literal(features[best].feature, bool(shapes[at, best])))
        cost += prices[best]
        left &= same[:, best]
    return Kind(tuple(literals), cost)
