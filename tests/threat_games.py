"""Kings that may not be left where they can be taken, by pieces of which words don't say all.

A horse's leap is hobbled by what stands beside it on its way, as in xiangqi; animals take those of
their rank and below. Records have both as one letter, so that automata know neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from strange_games import BLACK, LEAPS, STEPS, WHITE, Strange

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.games import Game

AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
Move = tuple[Square, tuple[int, int], Square]


class Royal(Game):
    """A player's turns are those that leave the king where nobody takes it; who has none loses."""

    provenance = "made up"
    name = "royal"
    kinds: Mapping[str, str]
    rows: tuple[str, ...]

    def __init__(self) -> None:
        pieces = {}
        for key, kind in self.kinds.items():
            pieces[key.upper()] = Piece(key.upper(), WHITE, kind)
            pieces[key] = Piece(key, BLACK, kind)
        self.equipment = Equipment(Board(len(self.rows[0]), len(self.rows)), (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.rows, WHITE)

    def ways(self, kind: str, player: Player) -> list[tuple[int, int]]:
        """How a piece of a kind goes."""
        raise NotImplementedError

    def goes(self, cells: str, start: Square, way: tuple[int, int], end: Square) -> bool:
        """Whether a piece may go so, for what lies there."""
        raise NotImplementedError

    def moves(self, cells: str, player: Player) -> Iterator[Move]:
        """What a player's pieces could do, kings or not."""
        board, pieces = self.equipment.board, self.equipment.pieces
        for start in board.squares:
            piece = pieces.get(cells[start])
            if piece is None or piece.player != player:
                continue
            for way in self.ways(piece.type, player):
                end = board.step(start, *way)
                if end is None:
                    continue
                there = pieces.get(cells[end])
                if (there is None or there.player != player) and self.goes(cells, start, way, end):
                    yield start, way, end

    def safe(self, cells: str, player: Player) -> bool:
        """Whether nobody takes the king of a player."""
        king = "K" if player == WHITE else "k"
        other = BLACK if player == WHITE else WHITE
        return all(cells[end] != king for _, _, end in self.moves(cells, other))

    def turns(self, position: Position) -> Iterator[str]:
        """The legal turns, each looked for when it is asked for."""
        names, cells = position.board.names, position.cells
        for start, (dx, dy), end in self.moves(cells, position.to_move):
            after = [*cells]
            after[end], after[start] = after[start], "."
            if self.safe("".join(after), position.to_move):
                yield f"{names[start]} ({dx} {dy} {'e' if cells[end] == '.' else 'p'})"

    def legal(self, position: Position) -> list[str]:
        return list(self.turns(position))

    def is_terminal(self, position: Position) -> bool:
        return next(self.turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        return {p: 100 * (p != position.to_move) for p in self.equipment.players}


class Horses(Royal):
    """Kings, horses that are hobbled, and soldiers that go ahead."""

    kinds: ClassVar = {"k": "king", "h": "horse", "s": "soldier"}
    rows = ("hk..h", ".s.s.", ".....", ".....", ".S.S.", "H..KH")

    def ways(self, kind: str, player: Player) -> list[tuple[int, int]]:
        ahead = (0, 1 if player == WHITE else -1)
        return {"king": AROUND, "horse": list(LEAPS), "soldier": [ahead]}[kind]

    def goes(self, cells: str, start: Square, way: tuple[int, int], _: Square) -> bool:
        dx, dy = way
        if abs(dx) + abs(dy) != 3:
            return True
        leg = self.equipment.board.step(
            start,
            (dx > 0) - (dx < 0) if abs(dx) > 1 else 0,
            (dy > 0) - (dy < 0) if abs(dy) > 1 else 0,
        )
        return leg is not None and cells[leg] == "."


class Beasts(Royal):
    """Animals step orthogonally, and take those of their rank and below; kings step anywhere."""

    kinds: ClassVar = {"k": "king", "r": "rat", "c": "cat", "d": "dog", "l": "lion"}
    rows = ("lk.d", "c..r", "....", "....", "R..C", "D.KL")

    def ways(self, kind: str, _: Player) -> list[tuple[int, int]]:
        return AROUND if kind == "king" else list(STEPS)

    def goes(self, cells: str, start: Square, _: tuple[int, int], end: Square) -> bool:
        pieces = self.equipment.pieces
        if cells[end] == ".":
            return True
        ranks = list(self.kinds.values())[1:]
        one, other = pieces[cells[start]].type, pieces[cells[end]].type
        if one == "king" or other == "king":
            return one == "king" or ranks.index(one) >= 1
        return ranks.index(one) >= ranks.index(other)


class Cautious(Strange):
    """Men step orthogonally, and take others diagonally; no turn may leave two of the mover's men
    where they can be taken. Who reaches the far rank wins, who has no turn loses."""

    rows = ("bbbb.", "b....", ".....", "....w", ".wwww")

    def moves(self, cells: str, own: str) -> Iterator[Move]:
        """What a player's men could do, cautious or not."""
        board, other = self.equipment.board, "b" if own == "w" else "w"
        for start in board.squares:
            for way in AROUND if cells[start] == own else ():
                end = board.step(start, *way)
                if end is not None and cells[end] == ("." if way in STEPS else other):
                    yield start, way, end

    def turns(self, position: Position) -> Iterator[str]:
        """The legal turns, each looked for when it is asked for."""
        if self.winner(position) is not None:
            return
        own, names = self.own(position), position.board.names
        for start, (dx, dy), end in self.moves(position.cells, own):
            after = [*position.cells]
            after[end], after[start] = own, "."
            other = "b" if own == "w" else "w"
            taken = {t for _, _, t in self.moves("".join(after), other) if after[t] == own}
            if len(taken) < 2:
                letter = "e" if position.cells[end] == "." else "p"
                yield f"{names[start]} ({dx} {dy} {letter})"

    def legal(self, position: Position) -> list[str]:
        return list(self.turns(position))

    def is_terminal(self, position: Position) -> bool:
        return next(self.turns(position), None) is None
