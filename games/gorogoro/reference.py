"""Gorogoro shogi, 5 x 6: kings, golds, silvers and pawns; captured pieces may be dropped.

Silvers and pawns may be promoted to golds on a move that begins or ends on the last two ranks; a
pawn must be on the last. No pawn is dropped on a file with an unpromoted pawn of its player, on the
last rank, or to give mate. A player without a legal turn loses. There is no rule of repetition.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from grl.board import EMPTY, Board, Player, Position, Square, make_position
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    WHITE,
    Direction,
    appear_text,
    make_equipment,
    not_over,
    shared_goals,
    step_text,
)

START = (
    "sgkgs",
    ".....",
    ".ppp.",
    ".PPP.",
    ".....",
    "SGKGS",
)
GOLD: tuple[Direction, ...] = ((0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0), (0, -1))
STEPS: dict[str, tuple[Direction, ...]] = {
    "K": (*GOLD, (1, -1), (-1, -1)),
    "G": GOLD,
    "S": (*DIAGONALS, (0, 1)),
    "P": ((0, 1),),
    "N": GOLD,
    "T": GOLD,
}
TYPES = {
    "K": "king",
    "G": "gold",
    "S": "silver",
    "P": "pawn",
    "N": "promoted silver",
    "T": "promoted pawn",
}
PROMOTED = {"S": "N", "P": "T"}
DEMOTED = {promoted: plain for plain, promoted in PROMOTED.items()}
DROPPED = "GSP"
ZONE = 2


class Gorogoro(Game):
    """White's pieces are `K G S P`, promoted `N` (silver) and `T` (pawn); white begins."""

    name = "gorogoro"
    provenance = (
        "Gorogoro Shogi, the Japan Shogi Association's game for learners, with the usual rules of "
        "drops; a player without a turn loses; no rule of repetition"
    )

    def __init__(self) -> None:
        board = Board(5, 6)
        pieces: dict[str, tuple[Player | None, str]] = {k: (WHITE, t) for k, t in TYPES.items()}
        pieces |= {k.lower(): (BLACK, t) for k, t in TYPES.items()}
        stocked = [(WHITE, key) for key in DROPPED] + [(BLACK, key.lower()) for key in DROPPED]
        self.equipment = make_equipment(board, (WHITE, BLACK), pieces, stocked)
        self.initial = make_position(self.equipment, START, WHITE)
        self._steps = {
            key: [_steps(board, key, square) for square in board.squares] for key in pieces
        }
        self._hits = {WHITE: _hits(self._steps, "k"), BLACK: _hits(self._steps, "K")}

    def legal(self, position: Position) -> list[str]:
        return [*self._moves(position.cells, position.to_move), *self._drops(position)]

    def is_terminal(self, position: Position) -> bool:
        moves = self._moves(position.cells, position.to_move)
        return next(moves, None) is None and next(self._drops(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winner = self.equipment.next_player(position.to_move)
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "mate" if self._attacked(position.cells, position.to_move) else "no turn"

    def endgames(self) -> list[Position]:
        """A lone king about to be mated at the edge, or to be left without a turn in a corner."""
        found: dict[object, Position] = {}
        for white, hand in (*_mates(), *_stalemates()):
            for turned in (False, True):
                cells = "".join(white)
                key = hand.lower() if turned else hand
                mover = BLACK if turned else WHITE
                rows = self.equipment.board.rows(cells[::-1].swapcase() if turned else cells)
                position = make_position(self.equipment, rows, mover, {mover: {key: 1}})
                found[position.outcome] = position
        return [position for position in found.values() if not self.is_terminal(position)]

    def _moves(self, cells: str, mover: Player) -> Iterator[str]:
        """The legal turns of the pieces on the board."""
        names = self.equipment.board.names
        for square in self.equipment.board.squares:
            key = cells[square]
            if not _owns(mover, key):
                continue
            for direction, target in self._steps[key][square]:
                taken = cells[target]
                if _owns(mover, taken) or taken in "Kk":
                    continue
                after = list(cells)
                after[square], after[target] = EMPTY, key
                if self._attacked("".join(after), mover):
                    continue
                text = names[square] + step_text(direction, "e" if taken == EMPTY else "p")
                if taken != EMPTY:
                    plain = DEMOTED.get(taken.upper(), taken.upper())
                    text += f" (0 0 r {_key(mover, plain)})"
                if self._steps[key][target] or key not in "Pp":
                    yield text
                if key.upper() in PROMOTED and (_far(mover, square) or _far(mover, target)):
                    yield text + appear_text(_key(mover, PROMOTED[key.upper()]))

    def _drops(self, position: Position) -> Iterator[str]:
        """The legal drops."""
        board, cells, mover = position.board, position.cells, position.to_move
        for owner, key, count in position.stock:
            if owner != mover or not count:
                continue
            for square in board.squares:
                if cells[square] != EMPTY:
                    continue
                after = cells[:square] + key + cells[square + 1 :]
                if key in "Pp" and not self._may_drop_pawn(cells, after, square, key):
                    continue
                if not self._attacked(after, mover):
                    yield board.names[square] + appear_text(key)

    def _may_drop_pawn(self, cells: str, after: str, square: Square, key: str) -> bool:
        """Not on the last rank, nor on a file with a pawn, nor as mate.

        A drop never parries the check of a pawn, which stands next to the king.
        """
        board = self.equipment.board
        if not self._steps[key][square] or key in cells[square % board.width :: board.width]:
            return False
        other = BLACK if key == "P" else WHITE
        (_, target), *_ = self._steps[key][square]
        if cells[target] != _key(other, "K"):
            return True
        return next(self._moves(after, other), None) is not None

    def _attacked(self, cells: str, player: Player) -> bool:
        """Whether the king of `player` is attacked."""
        king = cells.find(_key(player, "K"))
        return king >= 0 and any(cells[s] in keys for s, keys in self._hits[player][king])


def _owns(player: Player, key: str) -> bool:
    return key.isupper() if player == WHITE else key.islower()


def _key(player: Player, kind: str) -> str:
    return kind if player == WHITE else kind.lower()


def _far(player: Player, square: Square) -> bool:
    """Whether a piece of `player` may be promoted there."""
    rank = square // len(START[0])
    return rank >= len(START) - ZONE if player == WHITE else rank < ZONE


def _steps(board: Board, key: str, square: Square) -> list[tuple[Direction, Square]]:
    """Where a piece can go, by direction."""
    found = []
    for dx, dy in STEPS[key.upper()]:
        direction = (dx, dy) if key.isupper() else (dx, -dy)
        target = board.step(square, *direction)
        if target is not None:
            found.append((direction, target))
    return found


def _hits(
    steps: dict[str, list[list[tuple[Direction, Square]]]], king: str
) -> list[list[tuple[int, str]]]:
    """From where the pieces of the king's player attack each square, and which of them."""
    size = len(steps[king])
    own = [key for key in steps if key.isupper() == king.isupper()]
    found: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    for square, target in product(range(size), repeat=2):
        keys = [key for key in own if target in [t for _, t in steps[key][square]]]
        if keys:
            found[target].append((square, "".join(keys)))
    return found


def _mates() -> Iterator[tuple[list[str], str]]:
    """Black's king on its last rank, a white piece two ranks before it, one more in hand."""
    for file, key, home in product(range(5), "PG", (0,)):
        cells = [EMPTY] * 30
        cells[25 + file], cells[15 + file], cells[home] = "k", key, "K"
        yield cells, "SG"[(file + home) % 3 > 0]


def _stalemates() -> Iterator[tuple[list[str], str]]:
    """Black's king in a corner; one of two golds has to go a step to shut it in."""
    for home, left, late in product(range(0, 8, 2), (False, True), (False, True)):
        cells = [EMPTY] * 30
        cells[25], cells[16 if late else 11], cells[17 if late else 22] = "k", "G", "G"
        cells[home] = "K"
        if not left:
            cells = [c for y in range(0, 30, 5) for c in reversed(cells[y : y + 5])]
        yield cells, "P"
