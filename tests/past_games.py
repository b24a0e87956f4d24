"""Small games whose ends depend on the game so far, and a hook to play them. Here to be learned."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Wandering(Game):
    """Kings step about and capture; who has none left loses. A subclass adds a draw."""

    provenance = "made up for tests"
    start: ClassVar[tuple[str, ...]] = ("b.b", "...", "...", "w.w")

    def __init__(self) -> None:
        pieces = {"w": Piece("w", WHITE, "king"), "b": Piece("b", BLACK, "king")}
        board = Board(len(self.start[0]), len(self.start))
        self.equipment = Equipment(board, (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.start, WHITE)

    @abstractmethod
    def drawn(self, position: Position) -> bool:
        """Whether the game so far makes it a draw."""

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        board, mine = self.equipment.board, position.to_move[0]
        turns = []
        for square in board.squares:
            if position.cells[square] == mine:
                for dx, dy in STEPS:
                    target = board.step(square, dx, dy)
                    if target is not None and position.cells[target] != mine:
                        on = "e" if position.cells[target] == "." else "p"
                        turns.append(f"{board.names[square]} ({dx} {dy} {on})")
        return turns

    def is_terminal(self, position: Position) -> bool:
        return position.to_move[0] not in position.cells or self.drawn(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        if position.to_move[0] in position.cells:
            return {WHITE: 50, BLACK: 50}
        return {player: 100 * (player != position.to_move) for player in (WHITE, BLACK)}


class Threefold(Wandering):
    """A position that occurs for the third time is a draw."""

    name = "threefold"

    def drawn(self, position: Position) -> bool:
        now = (position.cells, position.to_move)
        return sum((past.cells, past.to_move) == now for past in position.trail or ()) >= 2


class Blame(Wandering):
    """Who brings a position about again loses; a king that comes to the middle rank goes on."""

    name = "blame"

    def drawn(self, position: Position) -> bool:
        now = (position.cells, position.to_move)
        return any((past.cells, past.to_move) == now for past in position.trail or ())

    def goals(self, position: Position) -> dict[Player, int]:
        if position.to_move[0] not in position.cells or not position.trail:
            return super().goals(position)
        *_, last = position.trail
        return {player: 100 * (player != last.to_move) for player in (WHITE, BLACK)}

    def next_player(self, position: Position, turn: Turn) -> Player:
        came = turn.segments[0].path(self.equipment.board)[-1]
        return position.to_move if came // 3 == 2 else super().next_player(position, turn)


class Patience(Wandering):
    """Twelve plies without a capture are a draw."""

    name = "patience"
    plies: ClassVar[int] = 12

    def drawn(self, position: Position) -> bool:
        boards = [past.cells for past in position.trail or ()] + [position.cells]
        counts = [sum(key in "wb" for key in cells) for cells in boards[-self.plies - 1 :]]
        return len(counts) == self.plies + 1 and counts[0] == counts[-1]


class Opening(Patience):
    """The same; and the first two turns of a game stay off the outer files."""

    name = "opening"
    start: ClassVar[tuple[str, ...]] = ("bb.b", "....", "....", "w.ww")
    first: ClassVar[int] = 2

    def legal(self, position: Position) -> list[str]:
        turns = super().legal(position)
        if len(position.trail or ()) >= self.first:
            return turns
        return [turn for turn in turns if self._inside(turn)]

    def _inside(self, turn: str) -> bool:
        path = Turn.parse(turn).segments[0].path(self.equipment.board)
        return 0 < path[-1] % 4 < 3
