"""Small games whose ends give each player a number of points, and a hook to count them."""

from __future__ import annotations

from abc import abstractmethod

import networkx as nx

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

WHITE, BLACK = Player("white"), Player("black")


class Settling(Game):
    """Stones are put on empty squares; a full board or two passes end it. A subclass counts."""

    provenance = "made up for tests"

    def __init__(self) -> None:
        pieces = {"w": Piece("w", WHITE, "stone"), "b": Piece("b", BLACK, "stone")}
        self.equipment = Equipment(Board(4, 3), (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, ["...."] * 3, WHITE)

    @abstractmethod
    def points(self, position: Position, key: str) -> int:
        """What the player with this key has."""

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        board = position.board
        empty = [square for square in board.squares if position.cells[square] == "."]
        return [f"{board.names[s]} (0 0 a {position.to_move[0]})" for s in empty] + ["pass"]

    def is_terminal(self, position: Position) -> bool:
        turns = [past.turn for past in position.trail or ()]
        return "." not in position.cells or turns[-2:] == ["pass", "pass"]

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        found = {player: self.points(position, player[0]) for player in (WHITE, BLACK)}
        return {player: min(max(points, 0), 100) for player, points in found.items()}


class Headcount(Settling):
    """Every stone is worth 15, and 5 are given."""

    name = "headcount"

    def points(self, position: Position, key: str) -> int:
        return 5 + 15 * position.cells.count(key)


class Homely(Settling):
    """Who has more stones on his first rank than the other on his has won, once four squares are
    empty. The first stones lie where no symmetry of the board relates the players."""

    name = "homely"

    def __init__(self) -> None:
        super().__init__()
        self.initial = make_position(self.equipment, ["....", ".w..", "..b."], WHITE)

    def legal(self, position: Position) -> list[str]:
        return [turn for turn in super().legal(position) if turn != "pass"]

    def is_terminal(self, position: Position) -> bool:
        return position.cells.count(".") == 4

    def at_home(self, position: Position, key: str) -> int:
        """How many stones a player has on his first rank."""
        return position.rows[-1 if key == "w" else 0].count(key)

    def points(self, position: Position, key: str) -> int:
        mine, theirs = (self.at_home(position, each) for each in (key, "wb".replace(key, "")))
        return 50 * (mine >= theirs) + 50 * (mine > theirs)


class Weighed(Settling):
    """A small stone is worth 4, a large one 10, and 3 are given."""

    name = "weighed"

    def __init__(self) -> None:
        super().__init__()
        keys = {"w": WHITE, "b": BLACK}
        pieces = {key: Piece(key, player, "small") for key, player in keys.items()}
        large = {key.upper(): Piece(key.upper(), player, "large") for key, player in keys.items()}
        self.equipment = Equipment(Board(4, 3), (WHITE, BLACK), pieces | large)
        self.initial = make_position(self.equipment, ["...."] * 3, WHITE)

    def legal(self, position: Position) -> list[str]:
        small = super().legal(position)
        return [*small, *(turn[:-2] + turn[-2].upper() + ")" for turn in small if turn != "pass")]

    def worth(self, position: Position, key: str) -> int:
        """What the stones of a player count."""
        return 4 * position.cells.count(key) + 10 * position.cells.count(key.upper())

    def points(self, position: Position, key: str) -> int:
        return 3 + self.worth(position, key)


class Outweighing(Weighed):
    """The same stones: whose count more has won."""

    name = "outweighing"

    def points(self, position: Position, key: str) -> int:
        mine, theirs = (self.worth(position, each) for each in (key, "wb".replace(key, "")))
        return 50 * (mine >= theirs) + 50 * (mine > theirs)


class Hugging(Settling):
    """Every group takes 20 off 90."""

    name = "hugging"

    def points(self, position: Position, key: str) -> int:
        board = position.board
        stones = [square for square in board.squares if position.cells[square] == key]
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(stones)
        for square in stones:
            for dx, dy in ((1, 0), (0, 1)):
                other = board.step(square, dx, dy)
                if other in stones:
                    graph.add_edge(square, other)
        return 90 - 20 * nx.number_connected_components(graph)


class Lining(Settling):
    """Every straight line of three is worth 15."""

    name = "lining"

    def lines(self, position: Position, key: str) -> int:
        """How many lines of three stones with this key there are."""
        board, found = position.board, 0
        for square in board.squares:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [square, board.step(square, dx, dy), board.step(square, 2 * dx, 2 * dy)]
                found += all(each is not None and position.cells[each] == key for each in line)
        return found

    def points(self, position: Position, key: str) -> int:
        return 15 * self.lines(position, key)


class Outlining(Lining):
    """Who has more straight lines of three has won."""

    name = "outlining"

    def points(self, position: Position, key: str) -> int:
        mine, theirs = (self.lines(position, each) for each in (key, "wb".replace(key, "")))
        return 50 * (mine >= theirs) + 50 * (mine > theirs)


class Crowned(Headcount):
    """The same as headcount, but whoever has three corners has won at once."""

    name = "crowned"

    def crowned(self, position: Position) -> Player | None:
        corners = [position.cells[square] for square in (0, 3, 8, 11)]
        return next((p for p in (WHITE, BLACK) if corners.count(p[0]) >= 3), None)

    def is_terminal(self, position: Position) -> bool:
        return self.crowned(position) is not None or super().is_terminal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        winner = self.crowned(position)
        if winner is None:
            return super().goals(position)
        return {player: 100 * (player == winner) for player in (WHITE, BLACK)}


class Sided(Crowned):
    """A stone on the first file is worth 30, so that there are four numbers and those of a win."""

    name = "sided"

    def points(self, position: Position, key: str) -> int:
        return 30 * [position.cells[square] for square in (0, 4, 8)].count(key)
