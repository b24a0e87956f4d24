"""Games whose legal turns a library lists: xiangqi on the full board and shogi on 5 x 5 by pyffish.

    pip install pyffish
    grl traces generate benchmarks/library_games.py:Xiangqi -n 40 --all-moves -o games.jsonl

The library is the referee: what is legal, what ends a game and for whom is what it says of the
position alone, without rules of repetition. Only how turns are written is ours: along lines step by
step, a horse's way by the point that must be free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import Any, ClassVar

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

MOVE = re.compile(r"([a-z][0-9]+)([a-z][0-9]+)(\+?)")
DROP = re.compile(r"([A-Z])@([a-z][0-9]+)")
PLIES = 40
TRIES = 20


class LibraryGame(Game):
    """A game of the library on one board; keys are the library's letters, promoted ones apart."""

    variant: ClassVar[str]
    colours: ClassVar[tuple[str, str]]
    types: ClassVar[Mapping[str, str]]
    promoted: ClassVar[Mapping[str, str]] = {}
    legged: ClassVar[str] = ""
    """Letters of pieces that go a step straight and one slanting, not by a leap."""

    def __init__(self) -> None:
        self.library: Any = import_module("pyffish")
        placement, mover, *_ = self.library.start_fen(self.variant).split()
        rows = self._rows(placement.partition("[")[0])
        self.players = tuple(map(Player, self.colours))
        kinds = dict(self.types) | {
            new: f"promoted {self.types[old]}" for old, new in self.promoted.items()
        }
        pieces: dict[str, Piece] = {}
        for player, case in zip(self.players, (str.upper, str.lower), strict=True):
            pieces |= {case(key): Piece(case(key), player, kind) for key, kind in kinds.items()}
        self._hands = "[" in placement
        held = [key for key in self.types if key != "K"] if self._hands else []
        stock = frozenset(
            (player, case(key))
            for player, case in zip(self.players, (str.upper, str.lower), strict=True)
            for key in held
        )
        board = Board(len(rows[0]), len(rows))
        self.equipment = Equipment(board, self.players, pieces, stock)
        self.initial = make_position(self.equipment, rows, self.players[mover == "b"])
        self._plain = {new: old for old, new in self.promoted.items()}
        self._moves = lru_cache(1 << 16)(self._asked)

    def legal(self, position: Position) -> list[str]:
        return [self._written(position, move) for move in self._moves(self.fen(position))]

    def is_terminal(self, position: Position) -> bool:
        return not self._moves(self.fen(position))

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("goals were asked for, but the game is not over")
        value = self.library.game_result(self.variant, self.fen(position), [])
        mine = 100 if value > 0 else 0 if value < 0 else 50
        return {p: mine if p == position.to_move else 100 - mine for p in self.players}

    def ending(self, position: Position) -> str:
        check = self.library.gives_check(self.variant, self.fen(position), [])
        return "mate" if check else "no turn"

    def rare(self, chance: Random) -> Position | None:
        """A position of random play of which many pieces are gone, some turn of which ends it."""
        for _ in range(TRIES):
            position = self._stripped(chance)
            if position is None or self.is_terminal(position):
                continue
            turns = self.legal(position)
            if chance.random() < 0.3 or any(
                self.is_terminal(self.play(position, turn)) for turn in turns
            ):
                return position
        return None

    def fen(self, position: Position) -> str:
        """The position as the library reads it."""
        marks = {c(k): f"+{c(old)}" for k, old in self._plain.items() for c in (str, str.lower)}
        rows = []
        for row in position.rows:
            text = "".join(marks.get(cell, cell) for cell in row)
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), text))
        hands = "".join(key * count for _, key, count in position.stock)
        mover = "wb"[self.players.index(position.to_move)]
        return f"{'/'.join(rows)}{f'[{hands}]' if self._hands else ''} {mover} - - 0 1"

    def _asked(self, fen: str) -> Sequence[str]:
        found: Sequence[str] = self.library.legal_moves(self.variant, fen, [])
        return tuple(found)

    def _rows(self, placement: str) -> list[str]:
        return [
            re.sub("[0-9]+", lambda gap: EMPTY * int(gap[0]), row) for row in placement.split("/")
        ]

    def _written(self, position: Position, move: str) -> str:
        case = str.upper if position.to_move == self.players[0] else str.lower
        if dropped := DROP.fullmatch(move):
            return f"{dropped[2]} (0 0 a {case(dropped[1])})"
        found = MOVE.fullmatch(move)
        assert found is not None
        board, cells = position.board, position.cells
        start, end = board.names.index(found[1]), board.names.index(found[2])
        (x, y), (to_x, to_y) = divmod(start, board.width)[::-1], divmod(end, board.width)[::-1]
        across, up = to_x - x, to_y - y
        far = max(abs(across), abs(up))
        if min(abs(across), abs(up)) in (0, far):
            steps = [(across // far, up // far)] * far
        elif cells[start].upper() in self.legged:
            straight = (int(across / 2), int(up / 2))
            steps = [straight, (across - straight[0], up - straight[1])]
        else:
            steps = [(across, up)]
        text, own = found[1], self.equipment.pieces[cells[start]].player
        for right, forward in steps:
            x, y = x + right, y + forward
            there = cells[y * board.width + x]
            whose = None if there == EMPTY else self.equipment.pieces[there].player
            on = "e" if whose is None else "w" if whose == own else "p"
            text += f" ({right} {forward} {on})"
        taken = cells[end].upper()
        if self._hands and taken != EMPTY:
            text += f" (0 0 r {case(self._plain.get(taken, taken))})"
        return text + (f" (0 0 a {case(self.promoted[cells[start].upper()])})" if found[3] else "")

    def _stripped(self, chance: Random) -> Position | None:
        """A position of random play without most of its pieces; None where it can't be."""
        position = self.initial
        for _ in range(chance.randrange(PLIES)):
            moves = self._moves(self.fen(position))
            if not moves:
                break
            position = self.play(position, self._written(position, chance.choice(moves)))
        share = chance.choice((0.3, 0.6, 0.8, 0.9))
        mover = chance.choice(self.players)
        sparing = chance.choice((0.0, 0.0, share))
        cells, hand = list(position.cells), dict[str, dict[str, int]]()
        for square, key in enumerate(cells):
            if key == EMPTY or key in "Kk":
                continue
            mine = self.equipment.pieces[key].player == mover
            if chance.random() < (sparing if mine else share):
                cells[square] = EMPTY
        if self._hands:
            for player, case in zip(self.players, (str.upper, str.lower), strict=True):
                keys = [case(key) for key in self.types if key != "K"]
                hand[str(player)] = {key: 1 for key in keys if chance.random() < 0.2}
        rows = self.equipment.board.rows("".join(cells))
        other = self.players[self.players.index(mover) - 1]
        facing = make_position(self.equipment, rows, other, hand)
        if self.library.gives_check(self.variant, self.fen(facing), []):
            return None
        return make_position(self.equipment, rows, mover, hand)


class Xiangqi(LibraryGame):
    """Xiangqi on 9 x 10 points; red begins."""

    name = "xiangqi"
    provenance = "pyffish's xiangqi, position by position: no rules of repetition"
    variant = "xiangqi"
    colours = ("red", "black")
    types: ClassVar[Mapping[str, str]] = {
        "K": "general",
        "A": "advisor",
        "B": "elephant",
        "N": "horse",
        "R": "chariot",
        "C": "cannon",
        "P": "soldier",
    }
    legged = "N"


class Minishogi(LibraryGame):
    """Shogi on 5 x 5; who moves first is called black by players of shogi, and is upper case."""

    name = "minishogi"
    provenance = "pyffish's minishogi, position by position: no rule of repetition"
    variant = "minishogi"
    colours = ("black", "white")
    types: ClassVar[Mapping[str, str]] = {
        "K": "king",
        "G": "gold",
        "S": "silver",
        "B": "bishop",
        "R": "rook",
        "P": "pawn",
    }
    promoted: ClassVar[Mapping[str, str]] = {"S": "N", "B": "H", "R": "D", "P": "T"}
