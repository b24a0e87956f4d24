"""Go: stones without a free neighbour are captured; who has more area when both have passed wins.

The size of the board and the rule against repetition are options: with `superko` no board may
occur again, otherwise none that was there before the opponent's last turn.
"""

from __future__ import annotations

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    ORTHOGONALS,
    REMOVE_TEXT,
    WHITE,
    appear_text,
    check_option,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
)

KEYS = {BLACK: "x", WHITE: "o"}


class Go(Game):
    """Black's stones are `x`, white's `o`; black begins. A turn that captures nothing and leaves
    its own stones without a free neighbour is illegal; a player may always pass."""

    name = "go"
    provenance = (
        "area scoring, positional superko and no suicide, as John Tromp states the rules in "
        "The Game of Go, suicide aside; without komi"
    )

    def __init__(self, size: int = 5, superko: int = 1) -> None:
        check_option(self.name, "size", size, 1, 19)
        check_option(self.name, "superko", superko, 0, 1)
        board = Board(size, size)
        self.superko = bool(superko)
        self.equipment = make_equipment(
            board, tuple(KEYS), {key: (player, "stone") for player, key in KEYS.items()}
        )
        self.initial = position_of(self.equipment, EMPTY * board.size, BLACK)
        self._near: list[list[Square]] = [
            [t for d in ORTHOGONALS if (t := board.step(Square(s), *d)) is not None]
            for s in range(board.size)
        ]

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        names = self.equipment.board.names
        forbidden = self._forbidden(position)
        turns = []
        for square, content in enumerate(position.cells):
            if content != EMPTY:
                continue
            placed = self._placed(position, square)
            if placed is None:
                continue
            after, captured = placed
            if after not in forbidden:
                text = names[square] + appear_text(KEYS[position.to_move])
                turns.append("; ".join([text, *(names[s] + REMOVE_TEXT for s in captured)]))
        return [*turns, "pass"]

    def _forbidden(self, position: Position) -> set[str]:
        """The boards that may not occur again."""
        pasts = list(position.trail or ())
        if self.superko:
            return {past.cells for past in pasts}
        return {past.cells for past in pasts[-1:]}

    def _placed(self, position: Position, square: int) -> tuple[str, list[int]] | None:
        """The board with a stone there and what that captures; None if the stone can't breathe."""
        own = KEYS[position.to_move]
        (theirs,) = {*KEYS.values()} - {own}
        cells = list(position.cells)
        cells[square] = own
        captured = sorted(
            {
                stone
                for near in self._near[square]
                if cells[near] == theirs
                for stone in self._group(cells, near)
                if not self._free(cells, near)
            }
        )
        for stone in captured:
            cells[stone] = EMPTY
        return ("".join(cells), captured) if self._free(cells, square) else None

    def _group(self, cells: list[str], square: int) -> set[int]:
        """The squares of one content that are joined with this one."""
        found, fresh = {square}, [square]
        while fresh:
            for near in self._near[fresh.pop()]:
                if near not in found and cells[near] == cells[square]:
                    found.add(near)
                    fresh.append(near)
        return found

    def _free(self, cells: list[str], square: int) -> bool:
        """Whether the group there has an empty neighbour."""
        found, fresh = {square}, [square]
        while fresh:
            for near in self._near[fresh.pop()]:
                if cells[near] == EMPTY:
                    return True
                if near not in found and cells[near] == cells[square]:
                    found.add(near)
                    fresh.append(near)
        return False

    def is_terminal(self, position: Position) -> bool:
        trail = position.trail
        if trail is None or len(trail) < 2:
            return False
        return trail[len(trail) - 1].turn == trail[len(trail) - 2].turn == "pass"

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        area = {player: self._area(list(position.cells), key) for player, key in KEYS.items()}
        if area[BLACK] == area[WHITE]:
            return shared_goals(tuple(KEYS), None)
        return shared_goals(tuple(KEYS), max(area, key=lambda player: area[player]))

    def ending(self, position: Position) -> str:
        won = [player for player, goal in self.goals(position).items() if goal == 100]
        return f"more area for {won[0]}" if won else "equal area"

    def _area(self, cells: list[str], key: str) -> int:
        """The stones of a player, and the empty squares that only they border on."""
        found = cells.count(key)
        for square, content in enumerate(cells):
            if content == EMPTY:
                group = self._group(cells, square)
                bordering = {cells[n] for s in group for n in self._near[s]} - {EMPTY}
                found += bordering == {key}
        return found
