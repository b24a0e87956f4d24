"""Features of positions: what lies where, how much of it, who is stuck or attacked.

A feature is a template's name with arguments, plain data such as ``("count", "board", "0*", "<",
3)``. Each template is told here once as an evaluator, `grl.rules.english_positions` tells it in
words and `grl.rules.asp_positions` in ASP. Nothing here knows a game: arguments come from the
equipment and the records.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from grl.board import EMPTY, Player, Position, Square
from grl.model import Feature
from grl.rules.cases import PositionCase, Setting
from grl.rules.history import last_square
from grl.rules.past import OPERATORS, PAST_TEMPLATES, PositionTest

LINES: Final[dict[str, tuple[int, ...]]] = {
    "orthogonal": (0, 1),
    "diagonal": (2, 3),
    "around": (0, 1, 2, 3),
}
"""Which axes of `Setting.rays` are meant."""


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


def _on(setting: Setting, what: str, scale: str, op: str, number: int) -> PositionTest:
    """Whether some `what` stands on such a rank or file, as its owner sees the board."""
    regions = _regions(setting, what, scale, op, number)
    return lambda case: bool(case.bits(what) & regions[case.to_move])


def _regions(setting: Setting, what: str, scale: str, op: str, number: int) -> dict[Player, int]:
    """By who is to move, the squares of such ranks or files, as the owner of `what` sees them."""
    compare = OPERATORS[op]
    seat = int(what[0]) if what[0].isdigit() else 0
    found = {}
    for player in setting.equipment.players:
        numbers = setting.numbered(setting.seat(player, seat), scale)
        found[player] = setting.mask(
            s for s in setting.board.squares if compare(numbers[s], number)
        )
    return found


def _several(
    setting: Setting, what: str, scale: str, op: str, number: int, least: int
) -> PositionTest:
    """Whether so many `what` or more stand on such ranks or files, as their owner sees them."""
    regions = _regions(setting, what, scale, op, number)
    return lambda case: (case.bits(what) & regions[case.to_move]).bit_count() >= least


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


def _row(setting: Setting, what: str, length: int) -> PositionTest:
    """Whether `what` fills a straight line of so many squares, along links where there are any."""
    windows = setting.windows(length)

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return any(bits & window == window for window in windows)

    return test


def _run(setting: Setting, what: str, length: int) -> PositionTest:
    """Whether some straight line of `what` has exactly so many squares, along links where given."""
    lines = []
    for square in setting.board.squares:
        for ahead, behind in setting.rays[square]:
            if len(ahead) >= length - 1:
                ends = (*ahead[length - 1 : length], *behind[:1])
                lines.append((setting.mask((square, *ahead[: length - 1])), setting.mask(ends)))

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return any(bits & line == line and not bits & ends for line, ends in lines)

    return test


def _joined(setting: Setting, what: str, line: str, adjacency: str) -> PositionTest:
    """Whether a chain of `what` joins the first and the last file, or rank, of the board."""
    near = setting.near[adjacency]
    last = setting.board.width if line == "file" else setting.board.height
    first_player = setting.equipment.players[0]
    axis = 0 if line == "file" else 1
    low = setting.region(first_player, lambda x, y: (x, y)[axis] == 1)
    high = setting.region(first_player, lambda x, y: (x, y)[axis] == last)

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(spread(setting, bits & low, bits, near) & high)

    return test


def _group(setting: Setting, what: str, adjacency: str) -> PositionTest:
    """Whether all `what`, at least one, form a single group."""
    near = setting.near[adjacency]

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and spread(setting, bits & -bits, bits, near) == bits

    return test


def _choked(setting: Setting, what: str, adjacency: str) -> PositionTest:
    """Whether some group of `what` has no empty neighbour."""
    near = setting.near[adjacency]

    def test(case: PositionCase) -> bool:
        bits, empty = case.bits(what), case.bits(".")
        if not bits:
            return False
        free, rest = 0, bits
        while rest:
            lowest = rest & -rest
            rest ^= lowest
            if near[setting.size - lowest.bit_length()] & empty:
                free |= lowest
        return spread(setting, free, bits, near) != bits

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
        start, end = last_square(case, "start1"), last_square(case, "end1")
        if start is None or end is None:
            return False
        seen = setting.relative[case.to_move]
        return (abs(seen[end][0] - seen[start][0]), seen[end][1] - seen[start][1]) == (dx, dy)

    return test


def _attacked(setting: Setting, what: str, seat: int) -> PositionTest:
    """Whether a pseudo-legal turn of the player at `seat` would take some `what`."""

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        if not bits:
            return False
        attacker = setting.seat(case.to_move, seat)
        position = Position(setting.equipment, case.cells, attacker, case.stock, case.moved)
        return bool(bits & setting.threats(position))

    return test


def _landed(setting: Setting, what: str) -> PositionTest:
    """Whether `what` lies where the last turn's first segment ended."""
    keys = {player: setting.keys(player, what) for player in setting.equipment.players}

    def test(case: PositionCase) -> bool:
        square = last_square(case, "end1")
        return square is not None and case.cells[square] in keys[case.to_move]

    return test


def _contact(setting: Setting, one: str, other: str, adjacency: str) -> PositionTest:
    """Whether some `one` is a neighbour of some `other`."""

    def test(case: PositionCase) -> bool:
        others = case.bits(other)
        return bool(others) and bool(others & case.beside(one, adjacency))

    return test


def _sees(setting: Setting, one: str, other: str, lines: str) -> PositionTest:
    """Whether a straight line of empty squares, or none, lies between some `one` and some `other`.

    It runs along links where the board has them.
    """
    axes = LINES[lines]
    keys = {player: setting.keys(player, other) for player in setting.equipment.players}

    def test(case: PositionCase) -> bool:
        if not case.bits(other):
            return False
        wanted = keys[case.to_move]
        return any(not wanted.isdisjoint(case.seen(one, axis)) for axis in axes)

    return test


POSITION_TEMPLATES: Final[dict[str, Callable[..., PositionTest]]] = {
    "count": _count,
    "compare": _compare,
    "on": _on,
    "several": _several,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "row": _row,
    "run": _run,
    "joined": _joined,
    "group": _group,
    "choked": _choked,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "came": _came,
    "landed": _landed,
    "contact": _contact,
    "sees": _sees,
    "attacked": _attacked,
    **PAST_TEMPLATES,
}


def compile_position(setting: Setting, feature: Feature) -> PositionTest:
    """The evaluator of a feature of positions."""
    return POSITION_TEMPLATES[feature[0]](setting, *feature[1:])
