"""Abalone's pushes on a small hexagon: lines of marbles move ahead and push shorter lines.

A turn moves one, two or three marbles in a row one step along their row; there are no broadside
moves. The line goes to an empty square, or pushes a shorter line of opposing marbles, behind
which there must be an empty square or the edge. A marble pushed over the edge is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.board import EMPTY, Board, Player, Position, Square, make_position
from grl.games import Game

from ..common import (
    BLACK,
    WHITE,
    Direction,
    appear_text,
    check_option,
    leads_to,
    make_equipment,
    mirrored,
    not_over,
    ray,
    shared_goals,
    step_text,
)

Rows = tuple[str, ...]

DIRECTIONS: tuple[Direction, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
LONGEST = 3
KEYS = {BLACK: "o", WHITE: "O"}
STARTS: dict[int, Rows] = {
    3: ("##OOO", "#.OO.", ".....", ".oo.#", "ooo##"),
    4: ("###OOOO", "##OOOOO", "#......", ".......", "......#", "ooooo##", "oooo###"),
}
SHUT_IN: dict[int, tuple[Rows, ...]] = {
    3: (
        ("##...", "#...O", "...Oo", "OOOo#", "ooo##"),
        ("##.Oo", "#..Oo", "...Oo", "..Oo#", ".Oo##"),
        ("##ooo", "#OOOo", "...Oo", "...O#", "...##"),
        ("##oO.", "#oO..", "oO...", "oO..#", "oO.##"),
        ("##ooo", "#oOOO", "oO...", "O...#", "...##"),
        ("##...", "#O...", "oO...", "oOOO#", "ooo##"),
        ("##ooo", "#OOOO", ".....", "....#", "...##"),
        ("##.Oo", "#..OO", "...Oo", "...O#", "...##"),
        ("##.Oo", "#..OO", ".....", "....#", "...##"),
    ),
    4: (
        ("###....", "##.....", "#.....O", "O....Oo", "OO..Oo#", "oOOOo##", "oooo###"),
        ("###..Oo", "##O..Oo", "#....Oo", "...OOoo", "....Oo#", "...Oo##", "..Oo###"),
        ("###....", "##.....", "#......", ".......", "......#", "OOOOO##", "oooo###"),
        ("###..Oo", "##...OO", "#......", ".......", "......#", ".....##", "....###"),
    ),
}
"""Boards on which `o` has no turn: with nearly all marbles, and with few where more may be lost."""


class Abalone(Game):
    """Black's marbles are `o`, white's `O`; black begins."""

    name = "abalone"
    provenance = (
        "the pushes of Abalone (Lalet and Levi, 1987) on a hexagon of side 3 or 4, in line only, "
        "with a setup and an end after few lost marbles of our own"
    )

    def __init__(self, side: int = 3, lost: int = 2) -> None:
        rows = STARTS[check_option(self.name, "side", side, min(STARTS), max(STARTS))]
        marbles = "".join(rows).count(KEYS[BLACK])
        self._too_few = marbles - check_option(self.name, "lost", lost, 1, marbles)
        width = len(rows)
        holes = [i for i, content in enumerate("".join(reversed(rows))) if content == "#"]
        board = Board(width, width, frozenset(map(Square, holes)))
        self.equipment = make_equipment(
            board, (BLACK, WHITE), {key: (player, "marble") for player, key in KEYS.items()}
        )
        self.initial = make_position(self.equipment, rows, BLACK)
        self._rays = {s: [(d, ray(board, s, d)) for d in DIRECTIONS] for s in board.squares}
        self._shut_in = SHUT_IN[side]

    def legal(self, position: Position) -> list[str]:
        return [] if self._losers(position.cells) else list(self._turns(position))

    def is_terminal(self, position: Position) -> bool:
        return bool(self._losers(position.cells)) or next(self._turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        losers = self._losers(position.cells) or [position.to_move]
        winners = [player for player in self.equipment.players if player not in losers]
        return shared_goals(self.equipment.players, winners[0] if winners else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "marbles lost" if self._losers(position.cells) else "no turn"

    def endgames(self) -> list[Position]:
        """A player about to be shut in, which hardly happens in random games."""
        found: dict[object, Position] = {}
        for rows in self._shut_in:
            for turned, mover in ((rows, WHITE), (mirrored(rows), BLACK)):
                for before in _with_one_elsewhere(turned, KEYS[mover]):
                    position = make_position(self.equipment, before, mover)
                    if not self.is_terminal(position) and leads_to(self, position, "no turn"):
                        found[position.outcome] = position
        return list(found.values())

    def _losers(self, cells: str) -> list[Player]:
        """The players who have lost so many marbles that the game is over."""
        return [player for player, key in KEYS.items() if cells.count(key) <= self._too_few]

    def _turns(self, position: Position) -> Iterator[str]:
        own = KEYS[position.to_move]
        for square, rays in self._rays.items():
            if position.cells[square] == own:
                for direction, squares in rays:
                    turn = _turn(position, square, direction, squares)
                    if turn is not None:
                        yield turn


def _turn(
    position: Position, rear: Square, direction: Direction, squares: Sequence[Square]
) -> str | None:
    """The turn of the line whose last marble stands on `rear`, before it `squares` to the edge."""
    names, own = position.board.names, position.cells[rear]
    ahead = [position.cells[square] for square in squares]
    others = _count(ahead, own)
    rivals = _count(ahead[others:], own.swapcase())
    behind = others + rivals
    if others >= LONGEST or rivals > others:
        return None
    text = names[rear] + others * step_text(direction, "w")
    if behind == len(ahead):
        return text + step_text(direction, "p") if rivals else None
    if ahead[behind] != EMPTY:
        return None
    if not rivals:
        return text + step_text(direction, "e")
    pushed = names[squares[behind]] + appear_text(own.swapcase())
    return text + step_text(direction, "p") + "; " + pushed


def _count(contents: Sequence[str], key: str) -> int:
    """How many marbles `key` stand at the beginning."""
    number = 0
    while number < len(contents) and contents[number] == key:
        number += 1
    return number


def _with_one_elsewhere(rows: Rows, key: str) -> Iterator[Rows]:
    """The boards on which one marble `key` stands on another, empty square."""
    width = len(rows)
    cells = "".join(rows)
    for start, content in enumerate(cells):
        for end, target in enumerate(cells):
            if content == key and target == EMPTY:
                moved = list(cells)
                moved[start], moved[end] = EMPTY, key
                yield tuple("".join(moved[i : i + width]) for i in range(0, len(cells), width))
