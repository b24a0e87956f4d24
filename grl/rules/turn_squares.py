"""Features of turns that speak of their squares: what lies there, around them and on their lines.

Squares play roles, see `TurnCase.square`. Told like `grl.rules.turn_features`.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grl.board import Player, Square
from grl.rules.cases import Setting, TurnCase
from grl.rules.history import bearing, last_square
from grl.rules.past import OPERATORS
from grl.rules.position_features import LINES, laid, spread

TurnTest = Callable[[TurnCase], bool]


def _at(setting: Setting, role: str, scale: str, op: str, number: int) -> TurnTest:
    """Where a square of the turn lies: rank or file as the mover sees the board, or its ring."""
    compare = OPERATORS[op]
    numbers = {player: setting.numbered(player, scale) for player in setting.equipment.players}

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        return square is not None and compare(numbers[case.before.to_move][square], number)

    return test


def _near(
    setting: Setting, role: str, view: str, dx: int, dy: int, what: str, when: str
) -> TurnTest:
    """What lies (dx, dy) from a square of the turn, before or after it; ``#`` for no square.

    The displacement is meant on the board, or (view ``seen``) as the mover sees it.
    """
    offsets = {
        player: setting.seen_offset(player, view, dx, dy) for player in setting.equipment.players
    }
    keys = keys_by_player(setting, what)
    outside = what == "#"

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        before = case.before
        target = offsets[before.to_move][square]
        if target is None:
            return outside
        cells = before.cells if when == "before" else case.candidate.cells
        return cells[target] in keys[before.to_move]

    return test


def _touches(setting: Setting, role: str, adjacency: str, what: str, when: str) -> TurnTest:
    """Whether a neighbour of a square of the turn holds `what`, before or after it."""
    near = setting.near[adjacency]

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        return square is not None and bool(_bits(case, what, when) & near[square])

    return test


def _beside(setting: Setting, role: str, adjacency: str) -> TurnTest:
    """Whether a square of the turn is a neighbour of the one on which the turn begins."""
    near = setting.near[adjacency]
    bits = [setting.mask((square,)) for square in range(setting.size)]

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        return square is not None and bool(near[case.candidate.starts[0]] & bits[square])

    return test


def _apart(setting: Setting, role: str, other_role: str, dx: int, dy: int) -> TurnTest:
    """Whether a second square of the turn lies (dx, dy) from a first one, as the board has it."""
    offset = setting.offset(dx, dy)

    def test(case: TurnCase) -> bool:
        one, other = case.square(role), case.square(other_role)
        return one is not None and other is not None and offset[one] == other

    return test


def _line(setting: Setting, role: str, what: str, length: int, when: str) -> TurnTest:
    """Whether a straight line of so many `what` or more goes through a square of the turn."""

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        before = case.before
        keys = setting.keys(before.to_move, what)
        cells = before.cells if when == "before" else case.candidate.cells
        if cells[square] not in keys:
            return False
        for ahead, behind in setting.rays[square]:
            run = 1
            for ray in (ahead, behind):
                for target in ray:
                    if cells[target] not in keys:
                        break
                    run += 1
            if run >= length:
                return True
        return False

    return test


def _along(setting: Setting, role: str, lines: str, what: str, least: int, when: str) -> TurnTest:
    """Whether so many `what` or more are on one line with a square of the turn, that apart.

    A line goes on over empty squares and pieces alike, up to a hole or the edge.
    """
    axes = LINES[lines]

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        before = case.before
        keys = setting.keys(before.to_move, what)
        cells = before.cells if when == "before" else case.candidate.cells
        return any(
            sum(cells[s] in keys for ray in setting.rays[square][axis] for s in ray) >= least
            for axis in axes
        )

    return test


def _beyond_it(setting: Setting, case: TurnCase, side: str) -> Square | None:
    """The next square in the first segment's direction (``ahead``), or the one before its start."""
    start, end = case.square("start1"), case.square("end1")
    if start is None or end is None:
        return None
    here, there = (start, end) if side == "ahead" else (end, start)
    way = bearing(setting.board, here, there)
    return None if way is None else setting.offset(*way)[there]


def _onward(setting: Setting, side: str, what: str, when: str) -> TurnTest:
    """What lies next in the first segment's direction, or just behind its start."""
    keys = keys_by_player(setting, what)
    outside = what == "#"

    def test(case: TurnCase) -> bool:
        square = _beyond_it(setting, case, side)
        if square is None:
            return outside
        cells = case.before.cells if when == "before" else case.candidate.cells
        return cells[square] in keys[case.before.to_move]

    return test


def _onto(setting: Setting, side: str, role: str) -> TurnTest:
    """Whether a square of the turn is the one that `onward` speaks of."""

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        return square is not None and square == _beyond_it(setting, case, side)

    return test


def _exposed(setting: Setting, role: str) -> TurnTest:
    """Whether a pseudo-legal turn of the next player would change a square of the turn."""

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        return bool(setting.threats(case.after.position()) & setting.mask((square,)))

    return test


def _formed(setting: Setting, role: str, cells: tuple[tuple[int, int, str], ...]) -> TurnTest:
    """Whether a square of the turn is in a pattern that lies there after it.

    The pattern is what is (dx, dy) from one and the same square; displacements are the board's.
    """
    whats = sorted({what for _, _, what in cells})
    through: dict[int, list[list[tuple[str, int]]]] = {}
    for squares, held in laid(setting, cells):
        for square in squares:
            through.setdefault(square, []).append(held)

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None or square not in through:
            return False
        bits = {what: _bits(case, what, "after") for what in whats}
        return any(
            all(bits[what] & mask == mask for what, mask in held) for held in through[square]
        )

    return test


def _moved(setting: Setting, role: str) -> TurnTest:
    """Whether the piece on a square of the turn has moved before in the game."""
    return lambda case: case.square(role) in case.before.moved


def _same(setting: Setting, role: str, last: str) -> TurnTest:
    """Whether a square of the turn is one of the last turn's."""

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        return square is not None and square == last_square(case.before, last)

    return test


def _beside_last(setting: Setting, role: str, last: str, adjacency: str) -> TurnTest:
    """Whether a square of the turn is a neighbour of one of the last turn's."""
    near = setting.near[adjacency]
    bits = [setting.mask((square,)) for square in range(setting.size)]

    def test(case: TurnCase) -> bool:
        square, other = case.square(role), last_square(case.before, last)
        return square is not None and other is not None and bool(near[other] & bits[square])

    return test


def _breathless(setting: Setting, role: str, adjacency: str) -> TurnTest:
    """Whether the group on a square of the turn has no empty neighbour afterwards."""
    near = setting.near[adjacency]

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        here = setting.mask((square,))
        own = _bits(case, "0*", "after")
        if not here & own:
            return False
        group = spread(setting, here, own, near)
        return not spread(setting, group, group | _bits(case, ".", "after"), near) & ~group

    return test


def _bits(case: TurnCase, what: str, when: str) -> int:
    before = case.before
    if when == "before":
        return before.bits(what)
    return int(case.candidate.cells.translate(before.setting.table(before.to_move, what)), 2)


def keys_by_player(setting: Setting, what: str) -> dict[Player, frozenset[str]]:
    return {player: setting.keys(player, what) for player in setting.equipment.players}


SQUARE_TEMPLATES: Final[dict[str, Callable[..., TurnTest]]] = {
    "at": _at,
    "near": _near,
    "touches": _touches,
    "beside": _beside,
    "apart": _apart,
    "line": _line,
    "along": _along,
    "onward": _onward,
    "onto": _onto,
    "exposed": _exposed,
    "formed": _formed,
    "moved": _moved,
    "same": _same,
    "beside_last": _beside_last,
    "breathless": _breathless,
}
