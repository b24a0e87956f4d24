"""Features of positions: what lies where, how much of it, who is stuck or attacked.

A feature is a template's name with arguments, plain data such as ``("count", "board", "0*", "<",
3)``. What terms can say is in `grl.rules.features.terms`; the other templates are evaluated here,
phrased in `grl.rules.english.positions` and defined for ASP in `grl.rules.asp.positions`. Nothing
here knows a game: arguments come from the equipment and the records.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Player, Square
from grl.model import Feature, Literal
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.past import OPERATORS, PAST_TEMPLATES, PositionTest
from grl.rules.features.terms import TERM_TEMPLATES, position_test


def _count(setting: Setting, zone: str, what: str, op: str, number: int) -> PositionTest:
    """How many of `what` are on the board, in hand, or both (zone ``all``), or their `area`."""
    compare, amount = OPERATORS[op], _amount(zone, what)
    return lambda case: compare(amount(case), number)


def _compare(setting: Setting, zone: str, one: str, op: str, other: str) -> PositionTest:
    """Whether there are as many of `one` as of `other`, or fewer."""
    compare, left, right = OPERATORS[op], _amount(zone, one), _amount(zone, other)
    return lambda case: compare(left(case), right(case))


def _amount(zone: str, what: str) -> Callable[[PositionCase], int]:
    if zone == "board":
        return lambda case: case.bits(what).bit_count()
    if zone == "hand":
        return lambda case: case.hand(what)
    if zone == "area":
        return lambda case: area(case, what).bit_count()
    return lambda case: case.bits(what).bit_count() + case.hand(what)


def amount_columns(
    cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Iterator[NDArray[np.bool_]]:
    """Features of `AMOUNT_TEMPLATES` on positions: each amount is taken of a position once."""
    known: dict[tuple[str, str], NDArray[np.int64]] = {}

    def amounts(zone: str, what: str) -> NDArray[np.int64]:
        if (zone, what) not in known:
            one = _amount(zone, what)
            known[zone, what] = np.array([one(case) for case in cases], dtype=np.int64)
        return known[zone, what]

    for name, zone, what, op, other in features:
        left, right = amounts(zone, what), other if name == "count" else amounts(zone, other)
        yield left < right if op == "<" else left == right


def area(case: PositionCase, what: str) -> int:
    """The squares that hold `what`, and the connected empty ones with nothing else beside them.

    Neighbours are those along ranks and files, or along links where the board has them.
    """
    setting = case.setting
    near = setting.near["links" if "links" in setting.near else "orthogonal"]
    own, empty = case.bits(what), case.bits(EMPTY)
    others = sum(1 << (setting.size - 1 - s) for s in setting.board.squares) & ~(own | empty)
    reached = spread(setting, own, own | empty, near) & empty
    spoiled = spread(setting, others, others | empty, near) & empty
    return own | (reached & ~spoiled)


def _held(
    setting: Setting, seat: int, squares: tuple[tuple[int, int], ...], what: str, least: int
) -> PositionTest:
    """Whether so many of these squares, as the player at `seat` sees them, hold `what`."""
    regions = {
        player: setting.region(setting.seat(player, seat), lambda x, y: (x, y) in squares)
        for player in setting.equipment.players
    }
    return lambda case: (case.bits(what) & regions[case.to_move]).bit_count() >= least


def _filled(setting: Setting, seat: int, cells: tuple[tuple[int, int, str], ...]) -> PositionTest:
    """Whether these cells, by file and rank as the player at `seat` sees them, hold all that."""
    masks: dict[Player, list[tuple[str, int]]] = {}
    for player in setting.equipment.players:
        seen = setting.relative[setting.seat(player, seat)]
        by_what: dict[str, list[int]] = {}
        for square in setting.board.squares:
            for x, y, what in cells:
                if seen[square] == (x, y):
                    by_what.setdefault(what, []).append(square)
        masks[player] = [(what, setting.mask(squares)) for what, squares in by_what.items()]

    def test(case: PositionCase) -> bool:
        return all(case.bits(what) & mask == mask for what, mask in masks[case.to_move])

    return test


def laid(
    setting: Setting, cells: tuple[tuple[int, int, str], ...]
) -> Iterator[tuple[tuple[Square, ...], list[tuple[str, int]]]]:
    """Every place of a pattern on the board: its squares, and the set of those for each content."""
    whats = sorted({what for _, _, what in cells})
    for squares in setting.places(tuple((dx, dy) for dx, dy, _ in cells)):
        named = list(zip(squares, cells, strict=True))
        yield (
            squares,
            [(what, setting.mask(s for s, (_, _, w) in named if w == what)) for what in whats],
        )


def _pattern(setting: Setting, cells: tuple[tuple[int, int, str], ...]) -> PositionTest:
    """Whether a pattern lies somewhere on the board: what is (dx, dy) from one and the same square.

    Displacements are those of the board.
    """
    whats = sorted({what for _, _, what in cells})
    places = [held for _, held in laid(setting, cells)]

    def test(case: PositionCase) -> bool:
        bits = {what: case.bits(what) for what in whats}
        return any(all(bits[what] & mask == mask for what, mask in place) for place in places)

    if len(whats) > 1:
        return test
    only, masks = whats[0], [place[0][1] for place in places]

    def test_one(case: PositionCase) -> bool:
        bits = case.bits(only)
        return any(bits & mask == mask for mask in masks)

    return test_one


def _group(setting: Setting, what: str, adjacency: str) -> PositionTest:
    """Whether all `what`, at least one, form a single group."""
    near = setting.near[adjacency]

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and spread(setting, bits & -bits, bits, near) == bits

    return test


def spread(setting: Setting, seeds: int, within: int, near: tuple[int, ...]) -> int:
    """The part of `within` that chains of neighbours join to `seeds`."""
    reached = frontier = seeds
    while frontier:
        grown = 0
        while frontier:
            lowest = frontier & -frontier
            frontier ^= lowest
            grown |= near[setting.size - lowest.bit_length()]
        frontier = grown & within & ~reached
        reached |= frontier
    return reached


def _stuck(setting: Setting, seat: int) -> PositionTest:
    """Whether the player at `seat`, were it their turn, has none but a pass."""

    def test(case: PositionCase) -> bool:
        if case.stuck is not None:
            return case.stuck(seat)
        return setting.stuck is not None and setting.stuck(case, seat)

    return test


def _mover(setting: Setting, player: str) -> PositionTest:
    """Whether it is this player's turn."""
    return lambda case: case.to_move == player


def _passed(setting: Setting) -> PositionTest:
    """Whether the last turn was a pass."""
    return lambda case: case.last == "pass"


def _came(setting: Setting, dx: int, dy: int) -> PositionTest:
    """How far the last turn's first segment went: files, and ranks as the player to move sees."""

    def test(case: PositionCase) -> bool:
        last = case.last_squares(1)
        start, end = last.get("start1"), last.get("end1")
        if start is None or end is None:
            return False
        seen = setting.relative[case.to_move]
        return (abs(seen[end][0] - seen[start][0]), seen[end][1] - seen[start][1]) == (dx, dy)

    return test


def _attacked(setting: Setting, what: str, seat: int) -> PositionTest:
    """Whether a pseudo-legal turn of the player at `seat` would take some `what`."""

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and bool(bits & case.threats(seat))

    return test


def _reached(setting: Setting, what: str, seat: int) -> PositionTest:
    """Whether a pseudo-legal turn of the player at `seat` would end its first segment on `what`."""

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and bool(bits & case.reached(seat))

    return test


POSITION_TEMPLATES: Final[dict[str, Callable[..., PositionTest]]] = {
    "count": _count,
    "compare": _compare,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "group": _group,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "came": _came,
    "attacked": _attacked,
    "reached": _reached,
    **{name: partial(position_test, name) for name in sorted(TERM_TEMPLATES)},
    **PAST_TEMPLATES,
}
AMOUNT_TEMPLATES: Final = frozenset({"count", "compare"})
"""Templates that hold an amount to a number, or to another amount."""


def compile_position(setting: Setting, feature: Feature) -> PositionTest:
    """The evaluator of a feature of positions."""
    return POSITION_TEMPLATES[feature[0]](setting, *feature[1:])


def covering(setting: Setting, body: Sequence[Literal]) -> PositionTest:
    """Whether all literals of a rule agree with a position."""
    tests = [(compile_position(setting, feature), holds) for feature, holds in body]

    def covers(case: PositionCase) -> bool:
        for test, holds in tests:  # noqa: SIM110 - a loop is much faster here
            if test(case) != holds:
                return False
        return True

    return covers
