"""Kinds of positions, so that a sample has some of every kind.

Where only the turns played are known a rule has to pay for itself by silence, position for
position. What is forbidden in a short phase of long games, such as moving while pieces are in
hand, is silent in few positions of any sample, and never pays. Positions are of one kind when
their pseudo-legal turns begin with the same types of pieces: that asks nothing of the turns
played, so it leans to no rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any

from grl.board import EMPTY
from grl.rules.restrictions.labelled import Labelled

Kind = frozenset[str]


def kind_of(item: Labelled) -> Kind:
    """The types of pieces that the turns of a position begin with; ``.`` for an empty square."""
    before = item.turn_list.before
    held = {before.cells[case.candidate.starts[0]] for case in item.cases}
    pieces = before.setting.equipment.pieces
    return frozenset(EMPTY if key == EMPTY else pieces[key].type for key in held)


def even(items: Sequence[Labelled]) -> list[Labelled]:
    """The same positions, so ordered that every beginning has as many of each kind as can be."""
    return spread(items, [sorted(kind_of(item)) for item in items])


def spread(items: Sequence[Labelled], kinds: Sequence[Any]) -> list[Labelled]:
    """Positions of some kinds, so ordered that every beginning is spread over these."""
    found: dict[Any, list[Labelled]] = {}
    for item, kind in sorted(zip(items, kinds, strict=True), key=itemgetter(1)):
        found.setdefault(tuple(kind), []).append(item)
    return [item for each in zip_longest(*found.values()) for item in each if item is not None]


def uneven(sample: Sequence[Labelled], mixed: Sequence[Labelled]) -> bool:
    """Whether a sample has less than half as many of some kind as an even one of its size."""
    has = Counter(map(kind_of, sample))
    fair = Counter(map(kind_of, mixed[: len(sample)]))
    return any(2 * has[kind] < number for kind, number in fair.items())
