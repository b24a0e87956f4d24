"""Samples of recorded positions: what rules are learned from before they are held to all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest
from operator import itemgetter
from typing import Any

import numpy as np

from grl.model import Rule
from grl.rules.restrictions.labelled import ALIAS, LEGAL, Labelled, subsampled
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

FIRST_TURNS = 2_000
MOST_POSITIONS = 80
MOST_SURPLUS = 48
"""So many turns that are not legal show enough of a position of which all legal ones are known."""
ADDED_TURNS = 500
ADDED_POSITIONS = 16
MOST_ADDED = 4
"""The first revision adds so many wrong positions, later ones up to so many times as many."""
MOST_WRONG = 300
"""Wrong positions are counted up to this many."""


def beginning(items: Sequence[Labelled], turns: int = FIRST_TURNS) -> list[Labelled]:
    """Positions to begin with: with illegal turns, and without; none where all are legal."""
    with_surplus = [item for item in items if item.surplus]
    quiet = [item for item in items if not item.surplus and item.cases]
    if not with_surplus:
        return []
    first = first_of(with_surplus, MOST_POSITIONS, turns)
    return first + first_of(quiet, MOST_POSITIONS // 2, turns // 4)


def first_of(items: Sequence[Labelled], positions: int, turns: int) -> list[Labelled]:
    """The first positions, until there are enough of them or of their turns; at least one."""
    found: list[Labelled] = []
    for item in items[:positions]:
        found.append(item)
        turns -= len(item.cases) - (max(0, item.surplus - MOST_SURPLUS) if item.complete else 0)
        if turns <= 0:
            break
    return found


def shown(vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> list[Labelled]:
    """The positions; of large ones where all legal turns are known with some of the others."""
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    return [
        subsampled(item, vocabulary.table(item.cases, shapes), MOST_SURPLUS)
        if item.complete and item.surplus > MOST_SURPLUS
        else item
        for item in items
    ]


def faults(
    vocabulary: TurnVocabulary, rules: Sequence[Rule], items: Sequence[Labelled]
) -> list[bytes]:
    """For each position of which shapes the turns are that rules leave or forbid wrongly."""
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    found = []
    for item, left in zip(items, Survey(vocabulary.setting, items).left(rules), strict=True):
        kept = set(map(id, left.cases))
        wrong = [
            case
            for case, label in zip(item.cases, item.labels, strict=True)
            if label != ALIAS and (id(case) in kept) != (label == LEGAL)
        ]
        rows = vocabulary.table(wrong, shapes)
        found.append(b"".join(sorted({row.tobytes() for row in rows})))
    return found


def joining(
    vocabulary: TurnVocabulary, rules: Sequence[Rule], wrong: Sequence[Labelled], revision: int
) -> list[Labelled]:
    """Of the positions that rules get wrong some of each fault, to learn from in a later revision.

    Revisions are numbered from 0.
    """
    number = min(2**revision, MOST_ADDED)
    mixed = spread(wrong, faults(vocabulary, rules, wrong))
    return first_of(mixed, ADDED_POSITIONS * number, ADDED_TURNS * number)


def rarest(vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> list[tuple[int, bytes]]:
    """For each position the rarest shape of its turns, and in how many positions it is met."""
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    met = [
        {row.tobytes() for row in np.packbits(vocabulary.table(item.cases, shapes), axis=1)}
        for item in items
    ]
    counts = Counter(chain.from_iterable(met))
    return [min((counts[shape], shape) for shape in some) for some in met]


def spread(items: Sequence[Labelled], kinds: Sequence[Any]) -> list[Labelled]:
    """Positions of some kinds, so ordered that every beginning is spread over these."""
    found: dict[Any, list[Labelled]] = {}
    for item, kind in sorted(zip(items, kinds, strict=True), key=itemgetter(1)):
        found.setdefault(tuple(kind), []).append(item)
    return [item for each in zip_longest(*found.values()) for item in each if item is not None]
