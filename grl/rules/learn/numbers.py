"""What in the records counts: contents that are numbers, ways of sowing, squares of players.

Names are not read. Contents are numbers where every turn leaves their sum as it is, by one
solution that gives each its own whole number; or, where something leaves the board, by the steps
that squares take when one more falls on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, HOLE, Equipment, Player, Position, Square
from grl.errors import GrlError
from grl.rules.play.effects import changes_one
from grl.sgrl.evidence import Evidence
from grl.sowing import NOWHERE, Sowing
from grl.turn import REMOVE_LETTER, Segment, Turn, play

FEWEST = 3
"""Fewer contents than these don't count."""
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Taken:
    """A turn that takes up what lies on a square: the boards before and after it."""

    mover: Player
    start: Square
    before: str
    after: str


def takings(evidence: Evidence, equipment: Equipment) -> list[Taken] | None:
    """The turns of the records, in a fixed order; None where some are no such turns.

    They change the contents of single squares, the first of them that where they start, on which
    something lay, and no reserve.
    """
    found: dict[Taken, None] = {}
    for decision, turns in evidence.decisions.items():
        if decision.stock:
            return None
        position = Position(equipment, decision.cells, decision.mover)
        for text in turns:
            if text == "pass":
                continue
            turn = Turn.parse(text)
            if not all(map(changes_one, turn.segments)):
                return None
            start = equipment.board.square(turn.segments[0].origin)
            if decision.cells[start] == EMPTY:
                return None
            try:
                after = play(position, turn)
            except GrlError:
                return None
            found[Taken(decision.mover, start, decision.cells, after.cells)] = None
    return sorted(found, key=lambda taken: (taken.before, taken.mover, taken.start, taken.after))


def taking_up(turn: Turn) -> Turn:
    """The choice of a turn that takes something up: its start."""
    return Turn((Segment(turn.segments[0].origin, (REMOVE_LETTER,)),))


# Values ----------------------------------------------------------------------------------------


def values_of(taken: Sequence[Taken], equipment: Equipment) -> dict[str, int] | None:
    """The numbers that contents stand for; None where they are none."""
    found = conserved(taken) or ladder(taken)
    if found is None or len(found) < FEWEST:
        return None
    return continued(found, list(equipment.pieces))


def conserved(taken: Iterable[Taken]) -> dict[str, int] | None:
    """Whole numbers by which no turn changes the sum on the board, the smallest there are.

    None where there are none, or several, or two contents have the same.
    """
    differences = {_difference(each) for each in taken}
    differences.discard(())
    keys = sorted({key for each in differences for key, _ in each})
    rows = sorted(differences, key=lambda each: (len(each), each))
    basis: dict[str, dict[str, Fraction]] = {}
    for row in rows:
        if len(basis) >= len(keys):
            return None
        _add(basis, {key: Fraction(number) for key, number in row})
        if len(basis) == len(keys) - 1:
            break
    if len(basis) != len(keys) - 1 or not keys:
        return None
    (free,) = set(keys) - basis.keys()
    exact = {free: Fraction(1)}
    for pivot in reversed(basis):
        row_of = basis[pivot]
        rest = sum((n * exact[key] for key, n in row_of.items() if key != pivot), Fraction(0))
        exact[pivot] = -rest
    scale = lcm(*(value.denominator for value in exact.values()))
    least = {key: int(value * scale) for key, value in exact.items()}
    divisor = int(np.gcd.reduce(list(least.values())))
    if divisor == 0:
        return None
    sign = 1 if least[keys[0]] > 0 else -1
    found = {key: sign * value // divisor for key, value in least.items()}
    plausible = min(found.values()) > 0 and len(set(found.values())) == len(found)
    holds = all(sum(found[key] * n for key, n in row) == 0 for row in rows)
    return found if plausible and holds else None


def _difference(taken: Taken) -> tuple[tuple[str, int], ...]:
    """How many more there are of each content after a turn, those of which there are as many left
    out."""
    number = Counter(taken.after)
    number.subtract(taken.before)
    return tuple(sorted((k, n) for k, n in number.items() if n and k not in (EMPTY, HOLE)))


def _add(basis: dict[str, dict[str, Fraction]], row: dict[str, Fraction]) -> None:
    """Joins an equation to those of a basis, by the least key that none of them begins with.

    Equations of the basis are in the order in which they came; each is free of the pivots of those
    before it.
    """
    for pivot, other in basis.items():
        factor = row.get(pivot)
        if factor:
            for key, number in other.items():
                left = row.get(key, Fraction(0)) - factor * number
                if left:
                    row[key] = left
                else:
                    row.pop(key, None)
    if row:
        pivot = min(row)
        basis[pivot] = {key: number / row[pivot] for key, number in row.items()}


def ladder(taken: Iterable[Taken]) -> dict[str, int] | None:
    """Numbers by the steps that squares take mostly, from empty on: each step is one more.

    None where steps lead in a circle.
    """
    steps: dict[str, Counter[str]] = {}
    for each in taken:
        for square, (old, new) in enumerate(zip(each.before, each.after, strict=True)):
            if new not in (old, EMPTY) and square != each.start:
                steps.setdefault(old, Counter())[new] += 1
    found: dict[str, int] = {}
    at = EMPTY
    while at in steps:
        ranked = sorted(steps[at].items(), key=lambda item: (-item[1], item[0]))
        following, number = ranked[0]
        if 2 * number <= sum(steps[at].values()):
            break
        if following in found:
            return None
        found[following] = len(found) + 1
        at = following
    return found


def continued(values: dict[str, int], keys: Sequence[str]) -> dict[str, int]:
    """The numbers with those of further contents, where the keys are listed in their order."""
    places = {key: place for place, key in enumerate(keys)}
    shifts = {value - places[key] for key, value in values.items()}
    if len(shifts) > 1:
        return values
    (shift,) = shifts
    return {key: place + shift for key, place in places.items() if place + shift > 0}


# Ways ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counted:
    """Turns as numbers, a row each: who moves, where, how many are taken up, and what all squares
    count before and after."""

    movers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lifted: NDArray[np.int64]
    before: Counts
    after: Counts

    @classmethod
    def of(
        cls, taken: Sequence[Taken], values: Mapping[str, int], equipment: Equipment
    ) -> tuple[Counted, list[Taken]]:
        """The turns on boards on which all pieces are numbers, and these turns themselves."""
        known = {EMPTY: 0, HOLE: 0, **values}
        some = [each for each in taken if known.keys() >= {*each.before, *each.after}]
        before, after = (
            np.array([[known[c] for c in cells] for cells in boards], dtype=np.int64)
            for boards in ([t.before for t in some], [t.after for t in some])
        )
        movers = np.array([equipment.players.index(t.mover) for t in some], dtype=np.int64)
        starts = np.array([t.start for t in some], dtype=np.int64)
        lifted = before[np.arange(len(some)), starts]
        return cls(movers, starts, lifted, before, after), some

    @property
    def left(self) -> Counts:
        """What squares count once something was taken up."""
        found = self.before.copy()
        found[np.arange(len(found)), self.starts] = 0
        return found


def ways_of(counted: Counted, keeps: bool, players: int) -> NDArray[np.int64]:
    """Players × squares: the next square on the way, by what grows by one when few are sown.

    Where the squares on the way so far grow, and one further, the way leads there; most turns
    decide.
    """
    size = counted.before.shape[1]
    votes: dict[tuple[int, int], Counter[int]] = {}
    ways = np.full((players, size), NOWHERE, dtype=np.int64)
    grown = counted.after - counted.before == 1
    if keeps:
        everything = np.arange(len(grown))
        grown[everything, counted.starts] = counted.after[everything, counted.starts] == 1
    for number in range(1 + keeps, size + 1):
        for row in np.flatnonzero(counted.lifted == number).tolist():
            mover, at = int(counted.movers[row]), int(counted.starts[row])
            left = set(np.flatnonzero(grown[row]).tolist()) - ({at} if keeps else set())
            for _ in range(number - 1 - keeps):
                at = int(ways[mover, at])
                left.discard(at)
                if at == NOWHERE:
                    break
            if at != NOWHERE and len(left) == 1:
                votes.setdefault((mover, at), Counter())[left.pop()] += 1
        for (mover, at), counts in votes.items():
            ways[mover, at] = min(counts, key=lambda square: (-counts[square], square))
    return ways


def sowing_of(
    counted: Counted, values: Mapping[str, int], equipment: Equipment
) -> tuple[Sowing, NDArray[np.bool_]]:
    """The way of sowing that leaves most turns as they are in the records, and these turns."""
    players = equipment.players
    homes = fields(counted, players, counted.starts)
    best: tuple[int, Sowing, NDArray[np.bool_]] | None = None
    for keeps, goes_on in ((False, False), (True, False), (True, True)):
        ways = ways_of(counted, keeps, len(players))
        for skips in (False, True):
            table: dict[str, tuple[int, ...]] = {
                player: tuple(ways[n].tolist()) for n, player in enumerate(players)
            }
            sowing = Sowing(dict(values), table, homes, {}, keeps, skips, goes_on)
            fallen, _ = sowing.sown(players, counted.movers, counted.starts, counted.lifted)
            right = (counted.left + fallen == counted.after).all(axis=1)
            if best is None or int(right.sum()) > best[0]:
                best = int(right.sum()), sowing, right
    assert best is not None
    return best[1], best[2]


def fields(
    counted: Counted, players: Sequence[Player], squares: NDArray[np.int64]
) -> dict[str, tuple[int, ...]]:
    """For each player the squares that they have in their turns, of a square a turn."""
    return {
        player: tuple(np.unique(squares[counted.movers == number]).tolist())
        for number, player in enumerate(players)
    }


def stores_of(
    counted: Counted, sowing: Sowing, players: Sequence[Player]
) -> dict[str, tuple[int, ...]]:
    """For each player the square, none from which turns begin, that gains in most of their turns.

    No square for a player in whose turns none does, and none that two would have.
    """
    homes = {square for each in sowing.homes.values() for square in each}
    outside = [s for s in range(counted.before.shape[1]) if s not in homes]
    found: dict[str, tuple[int, ...]] = {}
    for number, player in enumerate(players):
        own = counted.movers == number
        gains = (counted.after > counted.before)[own][:, outside].sum(axis=0)
        if gains.size and gains.max() > 0:
            found[player] = (outside[int(gains.argmax())],)
    squares = Counter(found.values())
    return {player: each for player, each in found.items() if squares[each] == 1}
