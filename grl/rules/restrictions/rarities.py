"""Rare kinds of turns where only the turns played are known: further positions, kind by kind.

A rule has to pay for itself by silence. Of a kind of turns that few positions of a sample offer
that takes more positions than can be looked at whole. So of further ones those are kept that offer
a rare kind by the rules so far, whatever was played there; and such a kind is looked at by itself,
all of its turns in one table, each position with how many others it leaves to choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter, or_
from typing import TypeVar

import numpy as np

from grl.logic.grid import Bools, Indices
from grl.model import Rule
from grl.progress import Progress
from grl.rules.features.vocabulary import Priced
from grl.rules.restrictions.labelled import Kind, Labelled, compact, with_rows
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.templates.columns import turn_table

RARE = 0.2
"""A kind of turns is rare that at most this part of the positions offers."""
TOGETHER = 500
"""So many positions are looked at together."""
MOST_TRIALS = 10_000
"""To so many further positions every rule is held at once."""
MOST_OF_A_KIND = 6_000
"""So many further positions of each kind are kept."""

T = TypeVar("T")
Ranked = tuple[float, Labelled]
Further = Callable[[], Iterator[Ranked]]
"""Gives further positions, in any order, with ranks by which they are chosen."""


class Kinds:
    """The rare kinds of turns of some positions, each a feature of turns; rarest first.

    Of kinds that the same positions offer the widest stands for all: that of most turns.
    """

    def __init__(self, vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> None:
        self._vocabulary = vocabulary
        shapes = vocabulary.levels[0][: vocabulary.shapes]
        table = np.zeros((len(items), len(shapes)), dtype=np.intp)
        for number, some in enumerate(_parts(items)):
            table[number * TOGETHER :][: len(some)] = self._counted(some, shapes)
        counts, turns = (table > 0).sum(axis=0), table.sum(axis=0)
        found: dict[bytes, Priced] = {}
        for number in np.lexsort((-turns, counts)).tolist():
            if 0 < counts[number] <= RARE * len(items):
                found.setdefault((table[:, number] > 0).tobytes(), shapes[number])
        self.features = list(found.values())

    def table(self, items: Sequence[Labelled]) -> Bools:
        """Which positions offer which kinds."""
        found: Bools = self._counted(items, self.features) > 0
        return found

    def _counted(self, items: Sequence[Labelled], features: Sequence[Priced]) -> Indices:
        """How many turns of each position have each of the features."""
        cases = [case for item in items for case in item.cases]
        group: Indices = np.repeat(np.arange(len(items)), [len(item.cases) for item in items])
        columns = self._vocabulary.table(cases, features).T
        counts = [np.bincount(group[column], minlength=len(items)) for column in columns]
        return np.array(counts, dtype=np.intp).reshape(len(features), len(items)).T


def offering(
    vocabulary: TurnVocabulary, items: Iterable[Labelled], kind: Kind
) -> Iterator[tuple[Labelled, list[int]]]:
    """The positions that offer a kind, each with the numbers of its turns of that kind."""
    features = [literal.feature for literal in kind.body]
    holds = [literal.holds for literal in kind.body]
    for some in _parts(items):
        cases = [case for item in some for case in item.cases]
        column = (turn_table(vocabulary.setting, cases, features) == holds).all(axis=1)
        ends = np.cumsum([len(item.cases) for item in some]).tolist()
        for item, end in zip(some, ends, strict=True):
            rows = np.flatnonzero(column[end - len(item.cases) : end]).tolist()
            if rows:
                yield item, rows


def alone(vocabulary: TurnVocabulary, items: Iterable[Labelled], kind: Kind) -> list[Labelled]:
    """The positions that offer a kind, with the turns of that kind alone."""
    return [only(item, rows) for item, rows in offering(vocabulary, items, kind)]


def only(item: Labelled, rows: Sequence[int]) -> Labelled:
    """A position with some of its turns, by number; the others count as its `others`."""
    found = with_rows(item, rows)
    found.others = item.others + len(item.cases) - len(rows)
    return found


def refuting(
    further: Iterable[Ranked], rules: Sequence[Rule], vocabulary: TurnVocabulary
) -> tuple[list[bool], list[Labelled]]:
    """Which rules forbid a turn played in the first further positions, and those positions."""
    refuted = [False] * len(rules)
    found: list[Labelled] = []
    for some in _parts(islice(further, MOST_TRIALS) if rules else ()):
        survey = Survey(vocabulary.setting, [item for _, item in some])
        against = [number > 0 for _, number in survey.counted(rules)]
        if any(against):
            refuted = list(map(or_, refuted, against))
            found += survey.wrong(rules)
    return refuted, found


def held_to(
    further: Iterable[Ranked],
    rules: Sequence[Rule],
    kinds: Kinds,
    vocabulary: TurnVocabulary,
    progress: Progress,
) -> tuple[list[bool], list[Labelled]]:
    """Which rules forbid a turn played in further positions, and those positions; or other ones.

    Where none is refuted those come that offer rare kinds, with the turns that the rules leave. As
    soon as one is the search for them ends, for what that rule forbade would be missing.
    """
    found: list[list[Ranked]] = [[] for _ in kinds.features]
    number = 0
    for some in _parts(further):
        survey = Survey(vocabulary.setting, [item for _, item in some])
        refuted = [against > 0 for _, against in survey.counted(rules)]
        if any(refuted):
            return refuted, survey.wrong(rules)
        left = survey.left(rules)
        for (rank, _), item, row in zip(some, left, kinds.table(left), strict=True):
            if row.any():
                found[int(row.argmax())].append((rank, compact(item)))
        for each in found:
            if len(each) > 2 * MOST_OF_A_KIND:
                each[:] = _first(each)
        number += len(some)
        progress("restrictions: further positions", number, None)
    return [False] * len(rules), [item for each in found for _, item in _first(each)]


def _first(items: Sequence[Ranked]) -> list[Ranked]:
    return sorted(items, key=itemgetter(0))[:MOST_OF_A_KIND]


def _parts(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, TOGETHER)):
        yield some
