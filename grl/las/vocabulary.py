"""What a trace file speaks of, as names and facts of a logic program.

Cells, players, contents, counts, pieces in hand, whose turn it is, and what a turn touches: all
from the header and the records, whatever the game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grl.board import EMPTY, HOLE, Board, Equipment, Player, Position, Square
from grl.turn import Segment, Turn

Cell = tuple[int, int]
NOTHING = "empty"


@dataclass(frozen=True)
class Vocabulary:
    """Names of players and of what cells hold; `plain` where contents are named as players.

    They are where every player has one kind of piece and every piece has a player.
    """

    equipment: Equipment
    players: dict[Player, str]
    contents: dict[str, str]
    plain: bool

    @classmethod
    def of(cls, equipment: Equipment) -> Vocabulary:
        """The names for the equipment of a game."""
        players = dict(
            zip(equipment.players, _distinct(map(_name, equipment.players)), strict=True)
        )
        owners = [piece.player for piece in equipment.pieces.values()]
        plain = None not in owners and len(set(owners)) == len(owners)
        names = [
            players[piece.player]
            if plain and piece.player is not None
            else _name("_".join(filter(None, (piece.player, piece.type))))
            for piece in equipment.pieces.values()
        ]
        if not plain:
            names = _distinct(names, {NOTHING, *players.values()})
        contents = dict(zip(equipment.pieces, names, strict=True)) | {EMPTY: NOTHING}
        return cls(equipment, players, contents, plain)

    def background(self) -> list[str]:
        """Facts and rules that hold in every position."""
        names = list(self.players.values())
        lines = [" ".join(f"role({name})." for name in names)]
        order = zip(names, [*names[1:], *names[:1]], strict=True)
        lines.append(" ".join(f"follows({one},{after})." for one, after in order))
        lines.append(
            " ".join(
                f"owner({self.contents[key]},{self.players[piece.player]})."
                for key, piece in self.equipment.pieces.items()
                if piece.player is not None
            )
        )
        board = self.equipment.board
        if board.links is not None:
            links = sorted((*_cell(one, board), *_cell(two, board)) for one, two in board.links)
            lines.append(" ".join(f"link({a},{b},{c},{d})." for a, b, c, d in links))
        return lines

    def position(self, position: Position) -> list[str]:
        """Facts of a position but for who is to move: cells, counts, pieces in hand."""
        facts = [
            f"cell({x},{y},{self.contents[key]})."
            for (x, y), key in squares(position)
            if key != HOLE
        ]
        counts = Counter(key for key in position.cells if key != HOLE)
        facts += [f"count({name},{counts[key]})." for key, name in self.contents.items()]
        facts += [
            f"hand({self.players[player]},{self.contents[key]},{number})."
            for player, key, number in position.stock
        ]
        return facts

    def turn(self, position: Position, text: str) -> list[str]:
        """Facts of a turn: where it starts and ends, what it lifts, removes and places."""
        facts: list[str] = []
        for segment in Turn.parse(text).segments:
            for name, at, key in _touched(segment, position):
                x, y = at
                content = "" if key is None else f",{self.contents[key]}"
                facts.append(f"{name}({x},{y}{content}).")
        return facts

    def term(self, text: str) -> str:
        """A turn as a term, by its first segment: put(X,Y), move(X,Y,DX,DY) or pass."""
        segments = Turn.parse(text).segments
        if not segments:
            return "pass"
        (x, y), *_, (to_x, to_y) = walk(segments[0], self.equipment.board)
        if segments[0].letters[0].appears:
            return f"put({x},{y})"
        return f"move({x},{y},{to_x - x},{to_y - y})"


def squares(position: Position) -> Iterator[tuple[Cell, str]]:
    """The squares of a position, as column and row from 1, with their contents."""
    for at, key in enumerate(position.cells):
        yield _cell(Square(at), position.board), key


def walk(segment: Segment, board: Board) -> list[Cell]:
    """The squares that a segment visits, its origin first, as columns and rows from 1."""
    return [_cell(square, board) for square in segment.path(board)]


def _cell(square: Square, board: Board) -> Cell:
    return square % board.width + 1, square // board.width + 1


def _touched(segment: Segment, position: Position) -> Iterator[tuple[str, Cell, str | None]]:
    held = dict(squares(position))
    path = walk(segment, position.board)
    if segment.letters[0].moves:
        yield "start", path[0], held[path[0]]
        yield "end", path[-1], None
    for letter, at in zip(segment.letters, path[1:], strict=True):
        if letter.removes:
            yield "removed", at, None
        elif letter.appears:
            yield "placed", at, letter.piece


def _name(text: str) -> str:
    """A text as a constant of a logic program."""
    name = re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_") or "p"
    return name if name[0].isalpha() else f"p_{name}"


def _distinct(names: Iterable[str], taken: Iterable[str] = (NOTHING,)) -> list[str]:
    """The names, equal ones made distinct by numbers."""
    known = set(taken)
    found = []
    for name in names:
        one, number = name, 1
        while one in known:
            number += 1
            one = f"{name}_{number}"
        known.add(one)
        found.append(one)
    return found
