"""Tables of contents: what lies on a square of a turn, given what lies on or beside another one.

Which pieces may not take which, or which ones hold others fast, is often a rule that names every
pair of types. A table says it at once (`grl.logic.ops.tables`). It has the pairs of contents that
bad turns have and no others do, of all turns or of those that a literal keeps, as far as there are
enough of them not to be bad by accident.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from grl.logic.contents import contents_of, owner_in
from grl.logic.grid import Bools
from grl.logic.ops.places import lies
from grl.logic.ops.sets import NEAR, together
from grl.logic.ops.tables import MATCHED
from grl.logic.rows import Rows
from grl.logic.terms import Table, Term, make

LEAST = 2
"""A table with fewer contents on either side is little more than plain features."""
LEAST_BITS = 6.0
"""How surprising it has to be that no turn with a pair, or with a square of a zone, is legal."""


def matched_terms(
    rows: Rows,
    pairs: Sequence[tuple[Term, Term]],
    bad: Bools,
    kept: Sequence[Bools],
    exceptions: float = 0.0,
) -> Iterator[tuple[Term, int]]:
    """Squares of turns whose contents a table gives, with the number of its pairs.

    A pair is a square of the turns and the squares that are asked, given what that one holds;
    `kept` are the sets of rows, those of a literal each, in which tables are sought. Of the rows
    with a pair others may be the part of `exceptions`.
    """
    everything = contents_of(rows.equipment)
    broad = {owner_in(each) for each in everything if ":" in each}
    contents = [each for each in everything[1:] if each not in broad]
    held = {
        place: np.stack([rows.some(together(lies(each), place)) for each in contents], axis=1)
        for place in dict.fromkeys(place for pair in pairs for place in pair)
    }
    for one, other in pairs:
        found: dict[Table, None] = {}
        for look in kept:
            sides = held[one][look], held[other][look]
            found[_table(contents, *sides, bad[look], exceptions)] = None
        for table in found:
            if min(map(len, map(set, zip(*table, strict=True))), default=0) >= LEAST:
                yield together(other, make(MATCHED, table, one)), len(table)


def squares_of(points: Sequence[Term]) -> list[tuple[Term, Term]]:
    """Each two squares of a turn."""
    return list(combinations(points, 2))


def beside(points: Sequence[Term], nearness: Iterable[str]) -> list[tuple[Term, Term]]:
    """Squares of a turn with those beside them."""
    return [(one, make(NEAR, near, one)) for one in points for near in sorted(nearness)]


def _table(
    contents: Sequence[str], ones: Bools, others: Bools, bad: Bools, exceptions: float
) -> Table:
    """The pairs that bad rows have and few others do, from rows × contents of two places."""
    wrong, right = (
        ones[rows].T.astype(np.float64) @ others[rows].astype(np.float64) for rows in (bad, ~bad)
    )
    share = right.sum() / max(right.sum() + wrong.sum(), 1.0)
    bits = -np.log2(max(1.0 - share, 1e-9))
    few = right <= exceptions * (right + wrong)
    chosen = np.argwhere(few & (wrong * bits >= LEAST_BITS))
    return tuple(sorted((contents[one], contents[other]) for one, other in chosen.tolist()))
