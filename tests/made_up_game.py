"""Lamps and walkers: a game that nobody plays, with one odd rule of each kind.

It is here to be learned. Nothing in grl was written with it in mind.

The board is 7 x 5 squares without b3, f3, d1 and d5. A walker steps to the next empty square in
its file or rank, or captures an opponent diagonally ahead. A lamp slides diagonally over one or
two empty squares.

* Where a turn may end: never on a corner square.
* A compulsory kind of turn: a player who can capture must.
* Neighbours: a lamp ends its turn next to a walker of its own, in any of the eight directions.
* An ending by pattern: walker, lamp, walker of one player side by side on a rank win, 100 to 0.
* An ending by count: a player with fewer than three walkers gets 25, the other one 75.
* An ending for want of a turn: the player to move gets 40, the other one 35.
* Who moves next: a lamp that ends on the middle rank keeps the move.
"""

from __future__ import annotations

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
START = (
    ".LW#WL.",
    "W.W.W.W",
    ".#...#.",
    "w.w.w.w",
    ".lw#wl.",
)
CORNERS = ("a1", "g1", "a5", "g5")
MIDDLE = 3
FEWEST = 3

# A white lamp is a step from its walkers; then white is a black step from having no turn.
ENDGAMES = (
    (("...#...", "W.W.W..", ".#...#.", "..w.w..", "..w#l.."), WHITE),
    (("..W#.W.", "W......", "w#...#.", "WwW....", ".Lw#..."), BLACK),
    (("...#WW.", "W......", "w#...#.", ".W..WwW", "...#wW."), BLACK),
    ((".W.#...", ".....W.", ".#...#.", ".W..WwL", ".wW#wL."), BLACK),
    (("..W#W..", ".....W.", ".#wW.#.", "..LwW..", "...#wL."), BLACK),
    (("...#W..", "....W..", "W#.Ww#.", "..WwWwL", "...#W.."), BLACK),
    (("..W#...", "W.W..W.", ".#wW.#.", "wWWwL..", "...#..."), BLACK),
    (("...#...", ".W....W", "W#..W#.", "w.WWwW.", "...#Lw."), BLACK),
    (("..W#...", "W..W...", "w#..L#W", "W..LwWw", "...#.W."), BLACK),
    (("...#.W.", "....W..", "W#W..#.", "wWw.W..", ".wL#..."), BLACK),
    ((".W.#...", "W..W.W.", ".#WwW#.", "wL.L...", ".wW#..."), BLACK),
    (("...#W..", ".W..W..", ".#WLw#W", "....WLw", ".Ww#..."), BLACK),
    (("..W#...", "....W.W", ".#.Ww#.", "WwW.W..", "..W#wL."), BLACK),
)


class MadeUp(Game):
    """White's walkers are `w`, its lamps `l`; black's are capitals and go the other way."""

    name = "made-up"
    provenance = "made up for tests"

    def __init__(self) -> None:
        cells = "".join(reversed(START))
        board = Board(7, 5, frozenset(Square(i) for i, c in enumerate(cells) if c == "#"))
        pieces = {
            "w": Piece("w", WHITE, "walker"),
            "l": Piece("l", WHITE, "lamp"),
            "W": Piece("W", BLACK, "walker"),
            "L": Piece("L", BLACK, "lamp"),
        }
        self.equipment = Equipment(board, (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, START, WHITE)

    def legal(self, position: Position) -> list[str]:
        return [] if self._decided(position) else self._turns(position)

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def ending(self, position: Position) -> str:
        decided = self._decided(position)
        if not decided and self._turns(position):
            raise GameError("the game is not over", expected="a terminal position")
        return decided or "no turn"

    def goals(self, position: Position) -> dict[Player, int]:
        kind = self.ending(position)
        if kind == "no turn":
            return {p: 40 if p == position.to_move else 35 for p in (WHITE, BLACK)}
        if kind == "lamp between walkers":
            lit = [p for p in (WHITE, BLACK) if self._lit(position, p)]
            return {p: 50 if len(lit) > 1 else 100 * (p in lit) for p in (WHITE, BLACK)}
        few = [p for p in (WHITE, BLACK) if self._few(position, p)]
        return {p: 50 if len(few) > 1 else 25 if p in few else 75 for p in (WHITE, BLACK)}

    def next_player(self, position: Position, turn: Turn) -> Player:
        segment = turn.segments[0]
        origin = position.board.square(segment.origin)
        rank = 1 + origin // position.board.width + sum(letter.dy for letter in segment.letters)
        keeps = position.cells[origin] in "lL" and rank == MIDDLE
        return position.to_move if keeps else self.equipment.next_player(position.to_move)

    def endgames(self) -> list[Position]:
        """Positions one turn before each kind of ending, as they are and with sides changed."""
        found = []
        for rows, mover in ENDGAMES:
            turned = [row[::-1].swapcase() for row in reversed(rows)]
            found.append(make_position(self.equipment, rows, mover))
            found.append(make_position(self.equipment, turned, self.equipment.next_player(mover)))
        return [position for position in found if not self.is_terminal(position)]

    def _decided(self, position: Position) -> str:
        """What has ended the game on the board, if anything has."""
        if any(self._lit(position, player) for player in (WHITE, BLACK)):
            return "lamp between walkers"
        return "few walkers" if any(self._few(position, p) for p in (WHITE, BLACK)) else ""

    def _lit(self, position: Position, player: Player) -> bool:
        word = "wlw" if player == WHITE else "WLW"
        return any(word in row for row in position.rows)

    def _few(self, position: Position, player: Player) -> bool:
        return position.cells.count("w" if player == WHITE else "W") < FEWEST

    def _turns(self, position: Position) -> list[str]:
        captures: list[str] = []
        quiet: list[str] = []
        walker, lamp, ahead = ("w", "l", 1) if position.to_move == WHITE else ("W", "L", -1)
        view = self.equipment.views[position.to_move]
        board, cells = position.board, position.cells
        for square in board.squares:
            name = board.names[square]
            if cells[square] == walker:
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    target = board.step(square, dx, dy)
                    if target is not None and cells[target] == "." and self._open(board, target):
                        quiet.append(f"{name} ({dx} {dy} e)")
                for dx in (-1, 1):
                    target = board.step(square, dx, ahead)
                    if target is None or not self._open(board, target):
                        continue
                    if view[cells[target]] == "p":
                        captures.append(f"{name} ({dx} {ahead} p)")
            elif cells[square] == lamp:
                for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    target, text = square, name
                    for _ in range(2):
                        step = board.step(target, dx, dy)
                        if step is None or cells[step] != ".":
                            break
                        target, text = step, f"{text} ({dx} {dy} e)"
                        if self._open(board, target) and self._accompanied(
                            board, cells, target, walker
                        ):
                            quiet.append(text)
        return captures or quiet

    def _open(self, board: Board, square: Square) -> bool:
        return board.names[square] not in CORNERS

    def _accompanied(self, board: Board, cells: str, square: Square, walker: str) -> bool:
        near = (board.step(square, dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
        return any(s is not None and cells[s] == walker for s in near)
