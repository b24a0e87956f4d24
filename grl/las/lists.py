"""Weak constraints one a level: the best list of preferences for orderings in observed contexts.

Where every context is a set of facts and rules are weak constraints alone, an example has one
answer set, whatever is learned, and what a constraint gives it is known. With one constraint a
level an ordering is then decided by the first constraint of the list that gives the two examples
different weights. So what is still undecided depends on which constraints stand in a list and not
on their order, and for each set of undecided orderings one list is enough, the cheapest. Lists grow
by one constraint at a time; as long as no layer has to drop any, the best one is proven. Where one
does, the best list is changed constraint by constraint as long as that makes it cheaper.

Each ordering stands for two of a task: that the first example is better, and that it is not worse.
One that is left undecided costs a penalty, one that is decided the wrong way several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grl.las.clock import Clock, OutOfTime
from grl.progress import Progress, silent

LEAST_WIDTH = 200
"""Lists of a length that are gone on with at least."""
WORK = 20_000_000
"""Cells of the table that are looked at for the lists of a length, if that allows for more."""

Signs = NDArray[np.int8]


@dataclass(frozen=True)
class Listed:
    """A list of constraints by number, the highest level first, and its cost: those of its
    constraints, `tied` orderings and `broken` ones. `bound` is the least cost of all."""

    chosen: tuple[int, ...]
    cost: int
    tied: int
    broken: int
    bound: int = 0
    proven: bool = False


@dataclass(frozen=True)
class _Open:
    """A list that can go on: what it has cost, without the orderings that are left `undecided`."""

    chosen: tuple[int, ...]
    cost: int
    broken: int
    undecided: NDArray[np.bool_]


def best_list(
    signs: Signs,
    counts: Sequence[int],
    costs: Sequence[int],
    longest: int,
    *,
    wrong: int = 2,
    clock: Clock | None = None,
    progress: Progress = silent,
    better: Callable[[Listed], None] | None = None,
    width: int | None = None,
) -> Listed:
    """The cheapest list of at most `longest` constraints; of equal ones the first by number.

    `signs` (orderings × constraints) are 1 where a constraint prefers the first example, -1 where
    it prefers the second. `counts` are the penalties of orderings left undecided; one decided the
    wrong way costs `wrong` times that. `costs` are those of the constraints. Of more than `width`
    lists of a length only the cheapest are gone on with. `better` hears of each list that is better
    than those before. When the clock runs out, or Ctrl-C comes, it is the best one so far.
    """
    width = max(LEAST_WIDTH, WORK // max(1, signs.size)) if width is None else width
    search = _Search(signs, counts, costs, wrong, clock or Clock(), better)
    try:
        search.run(longest, width, progress)
    except (OutOfTime, KeyboardInterrupt):
        search.complete = False
    best = search.best
    bound = best.cost if search.complete else 0
    return Listed(best.chosen, best.cost, best.tied, best.broken, bound, search.complete)


class _Search:
    def __init__(
        self,
        signs: Signs,
        counts: Sequence[int],
        costs: Sequence[int],
        price: int,
        clock: Clock,
        better: Callable[[Listed], None] | None,
    ) -> None:
        self.counts = np.asarray(counts, dtype=np.float64)  # exact, and products are fast
        self.right, self.wrong = (signs > 0).astype(np.float64), (signs < 0).astype(np.float64)
        self.same = np.ascontiguousarray((signs == 0).T)
        self.costs, self.price, self.clock, self.better = list(costs), price, clock, better
        self.complete = True
        total = int(self.counts.sum())
        self.best = Listed((), total, total, 0)
        self.first = _Open((), 0, 0, np.ones(len(signs), dtype=np.bool_))

    def run(self, longest: int, width: int, progress: Progress) -> None:
        layer = [self.first]
        for length in range(1, longest + 1):
            kept: dict[bytes, _Open] = {}
            for number, each in enumerate(layer):
                self.clock.check()
                progress(f"lists of {length}", number, len(layer))
                self._grow(each, kept)
            progress(f"lists of {length}", len(layer), len(layer))
            layer = sorted(kept.values(), key=self._rank)
            if len(layer) > width and length < longest:
                self.complete = False
                del layer[width:]
        if not self.complete:
            self._change(longest)

    def _change(self, longest: int) -> None:
        """Replaces, inserts, drops and swaps constraints of the best list until nothing helps."""
        before = None
        while before != self.best.chosen:
            before = self.best.chosen
            for other in _neighbours(before, len(self.costs), longest):
                self.clock.check()
                self._offer(self._listed(other))

    def _offer(self, listed: Listed) -> None:
        if listed.cost < self.best.cost:
            self.best = listed
            if self.better is not None:
                self.better(listed)

    def _listed(self, chosen: tuple[int, ...]) -> Listed:
        """A list with what it costs."""
        left, broken = self.counts, 0
        for number in chosen:
            broken += int(left @ self.wrong[:, number])
            left = np.where(self.same[number], left, 0)
        tied = int(left.sum())
        spent = sum(self.costs[number] for number in chosen) + self.price * broken
        return Listed(chosen, spent + tied, tied, broken)

    def _grow(self, each: _Open, kept: dict[bytes, _Open]) -> None:
        """The lists with one constraint more, each kept where it is the cheapest of its kind."""
        left = np.where(each.undecided, self.counts, 0)
        right, wrong = left @ self.right, left @ self.wrong
        tied = int(left.sum())
        for number, cost in enumerate(self.costs):
            decided = int(right[number] + wrong[number])
            if not decided:
                continue
            broken = each.broken + int(wrong[number])
            spent = each.cost + cost + self.price * int(wrong[number])
            chosen = (*each.chosen, number)
            rest = tied - decided
            self._offer(Listed(chosen, spent + rest, rest, broken))
            if not rest or spent + min(self.costs) >= self.best.cost:
                continue
            undecided = each.undecided & self.same[number]
            key = np.packbits(undecided).tobytes()
            known = kept.get(key)
            if known is None or (spent, chosen) < (known.cost, known.chosen):
                kept[key] = _Open(chosen, spent, broken, undecided)

    def _rank(self, each: _Open) -> tuple[int, tuple[int, ...]]:
        return each.cost + int(self.counts[each.undecided].sum()), each.chosen


def _neighbours(chosen: tuple[int, ...], number: int, longest: int) -> Iterator[tuple[int, ...]]:
    """The lists that differ from one in one constraint, or in the order of two."""
    places = range(len(chosen))
    for place in places:
        yield chosen[:place] + chosen[place + 1 :]
        for other in range(place):
            swapped = list(chosen)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            yield tuple(swapped)
    for each in range(number):
        if each in chosen:
            continue
        for place in places:
            yield (*chosen[:place], each, *chosen[place + 1 :])
        if len(chosen) < longest:
            for place in (*places, len(chosen)):
                yield (*chosen[:place], each, *chosen[place:])
