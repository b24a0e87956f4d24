"""Breakthru on a small board: a flagship has to slip through to the edge."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import DIAGONAL, ORTHOGONAL, Classical, appears, changed, rays, step, ways

from grl.board import EMPTY, Board, Player, Position, Square
from grl.turn import Turn

GOLD, SILVER = Player("gold"), Player("silver")
SHIP = {GOLD: "g", SILVER: "s"}
MOVED = {GOLD: "G", SILVER: "S"}
FLAGSHIP = "f"
OWN = {GOLD: "gf", SILVER: "s"}
ROWS = ("..s.s..", ".......", "s..g..s", "..gfg..", "s..g..s", ".......", "..s.s..")


class Breakthru(Classical):
    """Gold has a flagship in the centre and four escorts, silver eight ships; gold begins. Who has
    the move does one of three things: he moves two different ships, of which the flagship is none,
    one after the other; or he moves the flagship; or he takes with one piece, which may be the
    flagship. All move any number of empty squares along a rank or a file. All take by going one
    square diagonally, onto an opposing piece. Gold wins when the flagship comes to a square of the
    edge, silver when it is taken. If after the first move none of the other ships can move, that is
    all. Who can do nothing has lost.

    Each of the two moves is a turn of its own: the ship moved first is turned over (G, S) until the
    second has moved. The original has 11 x 11 squares, twelve escorts and twenty ships, which the
    players place as they like in their zones. Here they stand where they do in the first position.
    """

    name = "breakthru"
    provenance = "Alex Randolph, 3M 1965; on 7 x 7 with smaller fleets, our setup"

    def __init__(self) -> None:
        board = Board(7, 7)
        pieces = {
            **{"g": (GOLD, "escort"), "G": (GOLD, "escort that has moved")},
            **{"s": (SILVER, "ship"), "S": (SILVER, "ship that has moved")},
            FLAGSHIP: (GOLD, "flagship"),
        }
        self.set_up(board, pieces, ROWS, (GOLD, SILVER))
        self._rays, self._aslant = rays(board, ORTHOGONAL), ways(board, DIAGONAL)
        self._edge = [s for s, near in enumerate(ways(board, ORTHOGONAL)) if len(near) < 4]

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        ship, moved, foes = SHIP[mover], MOVED[mover], OWN[self.other(mover)]
        ships = [s for s in position.board.squares if cells[s] == ship]
        if moved in cells:
            back = f"; {names[cells.index(moved)]}{appears(ship)}"
            return [text + back for s in ships for text, _ in self._slides(cells, s)]
        found = [
            names[s] + step(way, "p")
            for s in position.board.squares
            if cells[s] in OWN[mover]
            for way, to in self._aslant[s]
            if cells[to] in foes
        ]
        if mover == GOLD:
            found += [text for text, _ in self._slides(cells, Square(cells.index(FLAGSHIP)))]
        for s in ships:
            for text, to in self._slides(cells, s):
                after = changed(cells, {s: EMPTY, to: moved})
                more = any(any(self._slides(after, other)) for other in ships if other != s)
                found.append(text + appears(moved) if more else text)
        return found

    def next_player(self, position: Position, turn: Turn) -> Player:
        again = turn.segments[0].letters[-1].piece == MOVED[position.to_move]
        return position.to_move if again else self.other(position.to_move)

    def decided(self, position: Position) -> dict[Player, int] | None:
        if FLAGSHIP not in position.cells:
            return self.won(SILVER)
        return self.won(GOLD) if position.cells.index(FLAGSHIP) in self._edge else None

    def _slides(self, cells: str, square: Square) -> Iterator[tuple[str, Square]]:
        """The moves of a piece, and where they lead."""
        for way, line in self._rays[square]:
            text = self.equipment.board.names[square]
            for to in line:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                yield text, to
