"""Features of contents that count: where sowing ends, what players' squares hold, who has more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from grl.logic.ops.counts import FIELD, WORTH, sown
from grl.logic.ops.places import lies, square
from grl.logic.ops.sets import EITHER, together
from grl.logic.terms import Term, make
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.quantities import MOST_NUMBERS
from grl.rules.features.terms import some, total, totals
from grl.rules.features.vocabulary import Priced, broad
from grl.sowing import FIELDS

SMALL = range(1, 5)
"""Numbers on a square that are named."""


def turns_counted(setting: Setting) -> Iterator[Priced]:
    """Where turns start and where what they take up ends, as far as contents count."""
    for here, cost in ((square("start1"), 1.1), (sown, 1.2)):
        for field in fields(setting):
            yield Priced(some("before", together(here, field)), cost)
        for number in SMALL:
            for relation in ("=", "<") if number > 1 else ("=",):
                there = together(here, make(WORTH, relation, number))
                yield Priced(some("before", there), cost + 0.4)
                if here is sown:
                    yield Priced(some("after", there), cost + 0.4)
    yield Priced(some("before", together(sown, square("start1"))), 1.3)
    yield Priced(some("before", together(sown, lies("empty"))), 1.4)
    yield Priced(some("after", together(sown, lies("empty"))), 1.5)
    for held in held_by(setting):
        yield Priced(some("after", held), 1.6)
        yield Priced(some("before", held), 1.6)


def positions_counted(setting: Setting, cases: Sequence[PositionCase]) -> Iterator[Priced]:
    """Whether players' squares hold anything, how much, and who has more of it."""
    yield from (Priced(some("now", held), 1.4) for held in held_by(setting))
    seats = range(len(setting.equipment.players))
    gathered = [*FIELDS, None]
    for one, other in permutations(seats, 2):
        for kind in gathered:
            mine, theirs = _all_of(kind, one), _all_of(kind, other)
            yield Priced(totals("now", mine, "<", theirs), 1.5)
            if one < other:
                yield Priced(totals("now", mine, "=", theirs), 1.5)
    for kind in gathered:
        for seat in seats:
            whole = _all_of(kind, seat)
            seen = sorted({case.total(whole) for case in cases})
            for number in sorted({*seen[:MOST_NUMBERS], *seen[-MOST_NUMBERS:]}):
                cost = 1.5 + min(number / 20, 0.8)
                yield Priced(total("now", whole, "=", number), cost)
                yield Priced(total("now", whole, "<", number), cost)


def _all_of(kind: str | None, seat: int) -> Term:
    """The squares of a kind that belong to a player; all of them without a kind."""
    if kind is not None:
        return make(FIELD, kind, seat)
    home, store = (make(FIELD, each, seat) for each in FIELDS)
    return make(EITHER, home, store)


def fields(setting: Setting) -> list[Term]:
    """The squares of players."""
    seats = range(len(setting.equipment.players))
    return [make(FIELD, kind, seat) for kind in FIELDS for seat in seats]


def held_by(setting: Setting) -> list[Term]:
    """The squares of players on which something lies."""
    kinds = broad(setting)[1:]
    return [together(lies(kind), field) for field in fields(setting) for kind in kinds]
