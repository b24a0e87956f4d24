"""A theory of some examples, held to all of them; examples that it gets wrong join the first.

Neither a search over all examples nor one over a few alone would do: the first takes too long, the
second knows too little. So examples join where they make a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from grl.logic.evenly import evenly
from grl.model import Rule
from grl.progress import Stopped

T = TypeVar("T")
Item = TypeVar("Item")

ADDED = 40
"""So many examples that come out wrong join, unless something else is asked for."""


@dataclass(frozen=True)
class Theory:
    """Rules, how many of the examples that they were made from they leave, and what they cost."""

    rules: tuple[Rule, ...]
    unexplained: int
    cost: float

    @property
    def rank(self) -> tuple[int, float]:
        """Theories that explain more come first, then cheaper ones."""
        return self.unexplained, self.cost


Found = TypeVar("Found", bound=Theory)


class Attempt(NamedTuple, Generic[T]):
    """A theory and its cost; `last` says that further examples would not lead to a better one.

    A `draft` is cheap to make. Only where it gets nothing wrong another attempt follows.
    """

    theory: T
    cost: float
    last: bool = False
    draft: bool = False


def refine(
    working: Sequence[Item],
    attempts: Callable[[Sequence[Item], int], Iterable[Attempt[T]]],
    wrong: Callable[[T], Sequence[Item]],
    revisions: int,
    *,
    joining: Callable[[Sequence[Item]], Sequence[Item]] = lambda fresh: evenly(fresh, ADDED),
    doubted: Callable[[T], Sequence[Item]] = lambda _: (),
    fruitless: int | None = None,
) -> tuple[T, int]:
    """The theory that gets fewest examples wrong, of those the cheapest; how many it gets wrong.

    `attempts` makes theories of a working set, given the number of the revision; a later one is
    asked for only where those before get something `wrong`. Of what the last one gets wrong, and
    is not in the working set, the examples `joining` make the next one, if there are any; where it
    gets nothing wrong, those by which it may still be `doubted`. There are at most so many
    `revisions`, and none after so many `fruitless` ones that are no better than one before. Where
    making attempts raises `Stopped` there are no more; without any before, it is passed on.
    """
    best: tuple[tuple[int, float], T] | None = None
    improved = 0
    for revision in range(revisions):
        try:
            for attempt in attempts(working, revision):
                mistakes = wrong(attempt.theory)
                rank = len(mistakes), attempt.cost
                if best is None or rank < best[0]:
                    best, improved = (rank, attempt.theory), revision
                if bool(mistakes) == attempt.draft:
                    break
        except Stopped:
            if best is None:
                raise
            break
        inside = set(map(id, working))
        open_to = mistakes or doubted(attempt.theory)
        fresh = [item for item in open_to if id(item) not in inside]
        if not fresh or attempt.last or revision - improved == fruitless:
            break
        joined = joining(fresh) if mistakes else fresh
        if not joined:
            break
        working = [*working, *joined]
    assert best is not None
    return best[1], best[0][0]


def by_level(
    made: Callable[[int], Found], levels: range, enough: Callable[[Found, int], bool]
) -> tuple[Found, int]:
    """The theory of the first level of features that explains all, and does `enough`; or the best.

    With it comes the level to begin with when more examples have joined: what a level did not
    explain before it will not explain then.
    """
    best: Found | None = None
    least = levels.start
    for level in levels:
        try:
            found = made(level)
        except Stopped:
            if best is None:
                raise
            break
        if found.unexplained and least == level < levels[-1]:
            least = level + 1
        if best is None or found.rank < best.rank:
            best = found
        if best.unexplained == 0 and enough(best, level):
            break
    assert best is not None
    return best, least
