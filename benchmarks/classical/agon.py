"""Agon, also Queen's Guards: a queen to the centre of a hexagon, and six guards around her."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, Direction, changed, step, ways

from grl.board import EMPTY, HOLE, Board, Player, Position, Square

OWN = {WHITE: ("Q", "G"), BLACK: ("q", "g")}
KINDS = ("queen", "guard")
AXES: tuple[Direction, ...] = ((1, 0), (1, 1), (0, 1))
AROUND: tuple[Direction, ...] = (*AXES, (-1, 0), (-1, -1), (0, -1))
SETUPS = {4: "Qg.GGgg.G", 5: "Q.g.GgGg.G..", 6: "Q.g.G.g..G.g.G."}
"""By the side of the hexagon: one half of the rim, from a corner on; the other half is alike."""


class Agon(Classical):
    """The hexagon lies askew: beside a square lie those to its left and right, above and below,
    and those one up to the right and one down to the left. A queen and six guards each begin on the
    rim. A piece steps to an empty square beside it that is no farther from the centre than the one
    it leaves; only queens step onto the centre. No piece goes to where it would stand right between
    two opposing ones, in one line. A piece that stands so when its owner's turn begins is caught,
    and must be put elsewhere, which is the whole turn: a guard on any empty square of the rim, a
    queen on any empty square but the centre. If several are caught, the queen goes first, and the
    guards follow in the next turns, in any order, as long as they are still caught. Who has his
    queen on the centre and his six guards around it has won; if the guards surround the centre
    without their queen, their player has lost. Who has no turn has lost. Simplified: on a smaller
    hexagon than the one of side 6, with a setup to fit; a caught piece is not put between two
    opposing ones either; no draws."""

    name = "agon"
    provenance = (
        "Anthony Peacock 1842, as the Queen's Guard is described today; side 4 and our setup"
    )

    def __init__(self, side: int = 4) -> None:
        width, middle = 2 * side - 1, side - 1
        grid = [(x - middle, y - middle) for y in range(width) for x in range(width)]
        self._far = [max(abs(x), abs(y), abs(x - y)) for x, y in grid]
        holes = frozenset(Square(s) for s, far in enumerate(self._far) if far >= side)
        board = Board(width, width, holes)
        half, cells = SETUPS[side], [HOLE if s in holes else EMPTY for s in range(board.size)]
        for square, key in zip(_rim(board, side), half + half.swapcase(), strict=True):
            cells[square] = key
        pieces = {
            key: (who, kind)
            for who, own in OWN.items()
            for key, kind in zip(own, KINDS, strict=True)
        }
        self.set_up(board, pieces, board.rows("".join(cells)))
        self._centre = Square(board.size // 2)
        self._rim = [s for s in board.squares if self._far[s] == side - 1]
        self._ways = ways(board, AROUND)
        near = [dict(found) for found in self._ways]
        self._pairs = [
            [(at[x, y], at[-x, -y]) for x, y in AXES if (x, y) in at and (-x, -y) in at]
            for at in near
        ]

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        queen, guard = OWN[mover]
        mine = [s for s in position.board.squares if cells[s] in OWN[mover]]
        caught = [s for s in mine if self._between(cells, s, mover)]
        if caught:
            queens = [s for s in caught if cells[s] == queen]
            places = position.board.squares if queens else self._rim
            return [
                f"{names[s]} (@{names[to]} e)"
                for s in queens or caught
                for to in places
                if to != self._centre and self._may(cells, s, to, mover)
            ]
        return [
            names[s] + step(way, "e")
            for s in mine
            for way, to in self._ways[s]
            if self._far[to] <= self._far[s]
            and (to != self._centre or cells[s] != guard)
            and self._may(cells, s, to, mover)
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        around = {position.cells[to] for _, to in self._ways[self._centre]}
        for player, (queen, guard) in OWN.items():
            if around == {guard}:
                there = position.cells[self._centre] == queen
                return self.won(player if there else self.other(player))
        return None

    def _may(self, cells: str, square: Square, to: Square, mover: Player) -> bool:
        """Whether a square is empty, and no place between two opponents."""
        lifted = changed(cells, {square: EMPTY})
        return cells[to] == EMPTY and not self._between(lifted, to, mover)

    def _between(self, cells: str, square: Square, player: Player) -> bool:
        """Whether two opponents of a player stand on opposite sides of a square."""
        foes = OWN[self.other(player)]
        return any(
            cells[one] in foes and cells[other] in foes for one, other in self._pairs[square]
        )


def _rim(board: Board, side: int) -> list[Square]:
    """The squares of the rim, counter-clockwise from the lowest left one."""
    square, found = Square(0), []
    for x, y in AROUND:
        for _ in range(side - 1):
            found.append(square)
            square = Square(square + y * board.width + x)
    return found
