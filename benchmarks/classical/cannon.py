"""Cannon on a narrow board: soldiers, three of which in a line are a cannon."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    Direction,
    appears,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

SOLDIERS, TOWNS = {WHITE: "s", BLACK: "S"}, {WHITE: "t", BLACK: "T"}
AHEAD = {WHITE: 1, BLACK: -1}


class Cannon(Classical):
    """Each player first puts his town on his home rank, not in a corner; it never moves. A soldier
    steps ahead, straight or diagonally, to an empty square, or takes what is beside it ahead,
    diagonally ahead or sideways. Beside an opposing soldier it may retreat two squares straight or
    diagonally back, if both are empty. Three soldiers of a player side by side in a line of any
    direction are a cannon: its last soldier may go to the empty square before its first one; and it
    may shoot along its line, either way: what lies two or three squares before its first soldier is
    removed, if all between is empty, and nothing moves. Whose town is taken or shot, or who has no
    turn, has lost."""

    name = "cannon"
    provenance = "David E. Whitcher, PyroMyth Games 2003; on 6 x 10, nine soldiers each"

    def __init__(self, width: int = 6) -> None:
        board = Board(width, 10)
        black, white = (half * (width // 2) for half in ("S.", ".s"))
        bar = "." * width
        rows = [bar, black, black, black, bar, bar, white, white, white, bar]
        pieces = {key: (who, "soldier") for who, key in SOLDIERS.items()}
        pieces |= {key: (who, "town") for who, key in TOWNS.items()}
        hands = {who: {key: 1} for who, key in TOWNS.items()}
        self.set_up(board, pieces, rows, reserve=hands)
        self._rays = rays(board, ALL)
        self._homes = {
            WHITE: board.squares[1 : width - 1],
            BLACK: board.squares[1 - width : -1],
        }

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        town = TOWNS[mover]
        if position.reserve[mover][town]:
            return [names[s] + appears(town) for s in self._homes[mover] if cells[s] == EMPTY]
        found: list[str] = []
        for square in position.board.squares:
            if cells[square] == SOLDIERS[mover]:
                near = {cells[line[0]] for _, line in self._rays[square]}
                engaged = SOLDIERS[self.other(mover)] in near
                for way, line in self._rays[square]:
                    found += self._steps(cells, square, way, line, engaged, mover)
                    found += self._fire(cells, square, way, line, mover)
        return distinct(position, found)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, town in TOWNS.items():
            if town not in position.cells and not position.reserve[player][town]:
                return self.won(self.other(player))
        return None

    def _steps(
        self,
        cells: str,
        square: Square,
        way: Direction,
        line: tuple[Square, ...],
        engaged: bool,
        mover: Player,
    ) -> Iterator[str]:
        """Steps, captures and retreats of one soldier."""
        text, view = self.equipment.board.names[square], self.equipment.views[mover]
        ahead = way[1] * AHEAD[mover]
        if ahead >= 0 and view[cells[line[0]]] == "p":
            yield text + step(way, "p")
        elif ahead > 0 and cells[line[0]] == EMPTY:
            yield text + step(way, "e")
        elif ahead < 0 and engaged and [cells[s] for s in line[:2]] == [EMPTY, EMPTY]:
            yield text + step(way, "e") * 2

    def _fire(
        self, cells: str, square: Square, way: Direction, line: tuple[Square, ...], mover: Player
    ) -> Iterator[str]:
        """What a cannon does whose last soldier stands here."""
        names, view = self.equipment.board.names, self.equipment.views[mover]
        own = SOLDIERS[mover]
        if "".join(cells[s] for s in line[:3]) != own * 2 + EMPTY:
            return
        yield names[square] + step(way, "w") * 2 + step(way, "e")
        target = next((s for s in line[3:5] if cells[s] != EMPTY), None)
        if target is not None and view[cells[target]] == "p":
            yield names[target] + REMOVED
