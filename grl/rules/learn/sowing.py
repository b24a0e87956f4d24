"""Games of sowing: what contents count, and what turns bring about with it, stage by stage.

Where the rests of turns are no effects of few kinds (`grl.rules.play.effects`), contents may be
numbers (`grl.rules.learn.numbers`). What a turn takes up is sown then, and what this leaves
unexplained are contents that are moved together, one stage after the other: each is the
intersection of few terms that explains most of what is left, and comes where it does so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import Equipment, Square
from grl.logic.changes import MOVED, REMOVED, SOWN
from grl.logic.contents import contents_of
from grl.logic.evenly import evenly
from grl.logic.intersections import Literals, Places, Search, Squares, packed
from grl.logic.ops.counts import FIELD, GIVEN, MULTIPLE, WAY_UP, WORTH, sown
from grl.logic.ops.lines import THROUGH
from grl.logic.ops.places import lies, square
from grl.logic.ops.sets import BOTH, NEAR, WITHOUT
from grl.logic.rows import Rows
from grl.logic.search import different
from grl.logic.terms import FARTHEST, Term, make
from grl.model import AutomatonKey, Dfa, Effect, Role
from grl.rules.learn.numbers import (
    Counted,
    sowing_of,
    stores_of,
    taking_up,
    takings,
    values_of,
)
from grl.rules.play.effects import grid_of
from grl.rules.play.stages import Boards, Choice, Stage, rows_of
from grl.sgrl.evidence import Evidence
from grl.sgrl.learn import Learned
from grl.sowing import Sowing
from grl.turn import Turn

LEAST = 0.5
"""Sowing alone explains so many of the turns, at the least."""
FEW = 600
"""Turns on which a stage is sought: so many that are explained, and so many that aren't."""
SEEDS, STEPS = 6, 3_000
"""Turns for which intersections are sought, and partial ones for each."""
MORE = 30
"""Further turns with which an intersection is sought that it should have as well."""
THRESHOLDS = 30
"""Numbers in store that are named."""
WORTH_NAMING = 2
"""So many squares have to be right by a stage for each unit that its term costs."""
MOST_STAGES = 8
ROUNDS = 6
"""How often turns that a stage gets wrong join those on which it is sought."""
SMALL = range(1, 6)
"""Numbers that are named."""
MULTIPLES = (2, 3)


@dataclass(frozen=True)
class LearnedSowing:
    """What contents count, what turns bring about, and how many turns of the records are not
    explained by it."""

    sowing: Sowing
    effects: tuple[Effect, ...]
    unexplained: int


def learn_sowing(evidence: Evidence, equipment: Equipment) -> LearnedSowing | None:
    """What there is of sowing in the records; None where there is none."""
    taken = takings(evidence, equipment)
    values = values_of(taken, equipment) if taken else None
    if taken is None or values is None:
        return None
    counted, known = Counted.of(taken, values, equipment)
    if not known:
        return None
    sowing, right = sowing_of(counted, values, equipment)
    if right.sum() < LEAST * len(taken):
        return None
    sowing = replace(sowing, stores=stores_of(counted, sowing, equipment.players))
    equipment = replace(equipment, sowing=sowing)
    search = _Stages(equipment, counted)
    effects = [Effect(square("start1").data, SOWN), *search.found()]
    return LearnedSowing(sowing, tuple(effects), search.left + len(taken) - len(known))


def takings_of(evidence: Evidence) -> Evidence:
    """The evidence with nothing of each turn but what it takes up."""
    decisions = {}
    for decision, turns in evidence.decisions.items():
        cut: dict[str, int] = {}
        for text, count in turns.items():
            first = text if text == "pass" else str(taking_up(Turn.parse(text)))
            cut[first] = cut.get(first, 0) + count
        decisions[decision] = cut
    return evidence.of(decisions)


def alike(learned: Sequence[Learned], equipment: Equipment) -> tuple[list[Dfa], list[Learned]]:
    """The automata, in order of their keys, and those of which the records settle something.

    Numbers are taken up alike: what the records say of one too seldom, or not at all, is what they
    say of another, the one that the same player's turns take up most often.
    """
    assert equipment.sowing is not None
    numbers = equipment.sowing.values
    found = {item.dfa.key: item.dfa for item in learned}
    reported = [item for item in learned if not _of_number(item.dfa.key, numbers)]
    for player in equipment.players:
        mine = [
            item
            for item in learned
            if _of_number(item.dfa.key, numbers) and item.dfa.key.mover == player
        ]
        best = max(mine, key=lambda item: item.confidence.sightings, default=None)
        if best is None:
            continue
        others = [item for item in mine if item.confidence.sure and not _same(item.dfa, best.dfa)]
        reported += [best, *others]
        kept = {item.dfa.key for item in others}
        for holds in numbers:
            key = AutomatonKey(player, holds, Role.FIRST)
            if key not in kept:
                found[key] = replace(best.dfa, key=key)
    return [found[key] for key in sorted(found)], sorted(reported, key=lambda it: it.dfa.key)


def _of_number(key: AutomatonKey, numbers: Mapping[str, int]) -> bool:
    return key.holds in numbers and key.role is Role.FIRST


def _same(one: Dfa, other: Dfa) -> bool:
    """Whether two automata accept the same words."""
    return replace(one, key=other.key) == other


class _Try(NamedTuple):
    """A stage, how many squares more are right by it, and what it leaves of the boards."""

    stage: Stage
    gained: int
    counts: NDArray[np.int64]

    @property
    def rank(self) -> tuple[int, Term]:
        """The least is the best."""
        return -self.gained, self.stage.where


class _Stages:
    """Stages that are sought for turns, one after the other."""

    def __init__(self, equipment: Equipment, counted: Counted) -> None:
        assert equipment.sowing is not None
        self._equipment, self._counted, self._sowing = equipment, counted, equipment.sowing
        self._grid = grid_of(equipment)
        self._boards = Boards(equipment, equipment.sowing)
        contents = equipment.sowing.contents
        self._choices = [
            Choice(equipment.players[mover], Square(start), contents[number])
            for mover, start, number in zip(
                counted.movers.tolist(),
                counted.starts.tolist(),
                counted.lifted.tolist(),
                strict=True,
            )
        ]
        fallen, _ = equipment.sowing.sown(
            equipment.players, counted.movers, counted.starts, counted.lifted
        )
        self._sown = counted.left + fallen
        self._now = self._sown

    @cached_property
    def words(self) -> Sequence[Term]:
        """The terms of which descriptions are made."""
        return sorted({*words(self._equipment)})

    @property
    def left(self) -> int:
        """How many turns the stages found don't explain."""
        return int(self._wrong(self._now).sum())

    def found(self) -> list[Effect]:
        """The stages that explain what is left once a turn has sown."""
        stages: list[Stage] = []
        while self._wrong(self._now).any() and len(stages) < MOST_STAGES:
            best = self._next(self._now)
            if best is None:
                break
            stages.append(best.stage)
            self._now = best.counts
        for stage in list(stages):
            fewer = [each for each in stages if each is not stage]
            counts = self._carried_out(fewer)
            if self._squares(counts) <= self._squares(self._now):
                stages, self._now = fewer, counts
        return [
            Effect(stage.where.data, stage.becomes, () if stage.to is None else stage.to.data)
            for stage in stages
        ]

    def _wrong(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The turns that leave another board."""
        found: NDArray[np.bool_] = (counts != self._counted.after).any(axis=1)
        return found

    def _squares(self, counts: NDArray[np.int64]) -> int:
        """How many squares hold something else, of all turns together."""
        return int((counts != self._counted.after).sum())

    def _rows(self, counts: NDArray[np.int64], some: NDArray[np.intp]) -> Rows:
        choices = [self._choices[at] for at in some.tolist()]
        return rows_of(self._equipment, self._grid, self._boards, choices, counts[some])

    def _carried_out(self, stages: Sequence[Stage]) -> NDArray[np.int64]:
        everything = np.arange(len(self._choices))
        counts = self._sown
        for stage in stages:
            counts, _ = stage.carried_out(self._rows(counts, everything), counts)
        return counts

    def _next(self, counts: NDArray[np.int64]) -> _Try | None:
        """The stage that puts most squares right; None where none pays."""
        wrong = np.flatnonzero(self._wrong(counts) & ~self._lost(counts))
        right = np.flatnonzero(~self._wrong(counts))
        some = np.array(sorted({*evenly(wrong.tolist(), FEW), *evenly(right.tolist(), FEW)}))
        best: _Try | None = None
        for _ in range(ROUNDS):
            tried = self._best(counts, some)
            if tried is None:
                break
            if best is None or tried.rank < best.rank:
                best = tried
            spoiled = np.flatnonzero(self._wrong(tried.counts) & ~self._wrong(counts))
            joining = evenly(spoiled.tolist(), FEW // 2)
            if not joining:
                break
            some = np.array(sorted({*some.tolist(), *joining}))
        return (
            best
            if best is not None and best.gained > WORTH_NAMING * best.stage.where.price
            else None
        )

    def _lost(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The turns that no further stage can explain: something has gone that should not have."""
        stores = [square for squares in self._sowing.stores.values() for square in squares]
        missing = self._counted.after > counts
        missing[:, stores] = False
        return np.asarray(missing.any(axis=1), dtype=np.bool_)

    def _best(self, counts: NDArray[np.int64], some: NDArray[np.intp]) -> _Try | None:
        """The stage that explains most, sought on some turns."""
        rows = self._rows(counts, some)
        now, then = counts[some], self._counted.after[some]
        vocabulary = [*self.words, *self._thresholds(rows, now, then)]
        terms = different((word, packed(rows.full(word))) for word in vocabulary)
        literals = Literals.of(Places(rows), None, terms)
        gone = (now > 0) & (then == 0)
        outside = packed(((now > 0) & ~gone)[:, None])[0]
        best: tuple[int, Term, Stage] | None = None
        for to in self._destinations():
            clear = np.flatnonzero(self._clear(rows, to, now, then)).tolist()
            met: set[Term] = set()
            for row in evenly(clear, SEEDS):
                met |= self._wide(literals, [row, *evenly(clear, MORE)], gone, outside)
            for term in sorted(met):
                stage = Stage(term, REMOVED if to is None else MOVED, to)
                left, _ = stage.carried_out(rows, now)
                rank = int((left != then).sum()), term
                if best is None or rank < best[:2]:
                    best = *rank, stage
        return None if best is None else self._tried(counts, best[2])

    def _thresholds(
        self, rows: Rows, now: NDArray[np.int64], then: NDArray[np.int64]
    ) -> Iterator[Term]:
        """Whether a player has less in store than a number that is there where a turn is wrong."""
        wrong = (now != then).any(axis=1)
        for seat in range(len(self._equipment.players)):
            store = make(FIELD, "store", seat)
            held = np.where(rows.squares(store), now, 0).sum(axis=1)[wrong]
            for number in evenly(np.unique(held[held > max(SMALL)]).tolist(), THRESHOLDS):
                yield make(GIVEN, make(BOTH, store, make(WORTH, "<", min(number, FARTHEST))))

    def _wide(
        self, literals: Literals, turns: Sequence[int], gone: NDArray[np.bool_], outside: Squares
    ) -> set[Term]:
        """Intersections with all that is gone in the first of some turns, and in as many of the
        others as one after the other can be joined."""
        target = np.zeros(gone.shape, dtype=np.bool_)
        best: set[Term] = set()
        for row in turns:
            if target[row].any():
                continue
            target[row] = gone[row]
            run = Search(literals, packed(target[:, None])[0], outside).run(STEPS, None)
            found = {each.term for each in run if each is not None}
            if found:
                best = found
            elif not best:
                break
            else:
                target[row] = False
        return best

    def _tried(self, counts: NDArray[np.int64], stage: Stage) -> _Try:
        everything = np.arange(len(self._choices))
        after, _ = stage.carried_out(self._rows(counts, everything), counts)
        gained = self._squares(counts) - self._squares(after)
        return _Try(stage, gained, after)

    def _destinations(self) -> Iterator[Term | None]:
        """Where contents may be moved: to whoever's store, or off the board."""
        yield from (make(FIELD, "store", seat) for seat in range(len(self._equipment.players)))
        yield None

    def _clear(
        self, rows: Rows, to: Term | None, now: NDArray[np.int64], then: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """The turns in which all that is gone has gone there, and nothing else grows."""
        grown = then > now
        gone = np.where((now > 0) & (then == 0), now, 0).sum(axis=1)
        if to is None:
            return np.asarray(~grown.any(axis=1) & (gone > 0), dtype=np.bool_)
        there = rows.squares(to)
        gain = np.where(there, then - now, 0).sum(axis=1)
        return np.asarray(~(grown & ~there).any(axis=1) & (gain == gone) & (gone > 0))


def words(equipment: Equipment) -> Iterator[Term]:
    """The terms of which stages are made: squares by what they count and to whom they belong,
    where the last one falls, what lies across from there and on the way up to it, and whether there
    are any such, or others."""
    seats = range(len(equipment.players))
    homes = [make(FIELD, "home", seat) for seat in seats]
    stores = [make(FIELD, "store", seat) for seat in seats]
    empty, pieces = lies("empty"), [lies(c) for c in contents_of(equipment)[1:] if ":" not in c]
    counts = [make(WORTH, "=", number) for number in SMALL]
    counts += [make(WORTH, "<", number) for number in SMALL if number > 1]
    counts += [make(MULTIPLE, number) for number in MULTIPLES]
    places = [*homes, *stores, empty, *pieces, *counts]
    across = [make(THROUGH, ways, sown) for ways in ("file", "rank")]
    ranges = [
        make(WITHOUT, make(WORTH, "<", high), make(WORTH, "<", low))
        for low, high in combinations(SMALL, 2)
    ]
    for home in homes:
        for count in (*counts, *ranges, *pieces):
            row = make(WAY_UP, sown, make(BOTH, home, count))
            yield row
            for piece in pieces:
                yield make(GIVEN, make(WITHOUT, make(BOTH, home, piece), row))
    yield from (square("start1"), sown, *across, make(NEAR, "orthogonal", sown), *places)
    for place in places:
        yield make(GIVEN, make(BOTH, sown, place))
        for way, home in product(across, homes):
            if place not in homes and place not in stores:
                yield make(GIVEN, make(BOTH, make(BOTH, way, home), place))
    for home, piece in product(homes, [*pieces]):
        yield make(GIVEN, make(BOTH, home, piece))
