"""Games replayed many at a time: at each ply all boards take their turn at once.

The same checks are made as by `grl.replay`, from which this differs in that it explains nothing: a
game that doesn't pass, or that needs more than a board, is left to that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.board import Equipment, Position
from grl.columns.turn_table import NO_ROW, Columns, TurnTable
from grl.errors import GrlError
from grl.fingerprints import (
    Hashes,
    combined,
    combined_columns,
    of_boards,
    of_contents,
    of_squares,
    of_text,
)
from grl.games_table import IN_TURN, GamesTable
from grl.replay import read_end
from grl.tracejson import Header, read_position

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Plies:
    """Every ply of some games, and after the last ply of each game a row for its end.

    `game` and `ply` say which it is; `turn` is a number in the table of turns, -1 at an end. The
    rest is as before the turn: `board` has the codes of contents by square, `held` is that of the
    turn's first square; `boards`, `moved` and `line` are fingerprints.
    """

    game: Numbers
    ply: Numbers
    turn: NDArray[np.int32]
    mover: NDArray[np.int8]
    board: NDArray[np.uint8]
    held: NDArray[np.uint8]
    boards: Hashes
    moved: Hashes
    line: Hashes
    good: NDArray[np.bool_]
    """By game whether it was replayed to its end."""
    starts: Numbers
    """By game the number of its first row, and one more."""
    initials: list[Position | None]
    """By game."""


class ColumnReplayer:
    """Replays the games of one file; keeps what it has learned of turns."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.equipment: Equipment = header.equipment
        self.table = TurnTable(self.equipment)
        size = self.equipment.board.size
        self._contents = of_contents(size, self.table.contents)
        self._squares = of_squares(size)
        players = self.equipment.players
        self.movers = np.array([of_text(player) for player in players], dtype=np.uint64)
        self._next = np.roll(np.arange(len(players), dtype=np.int8), -1)
        self._texts: Hashes = np.zeros(0, np.uint64)
        self._initials: dict[str | None, Position | None] = {}
        self._endings: set[object] = set()

    def initial(self, text: str | None) -> Position | None:
        """The first position of a game; None where only the other way of replaying can say."""
        if text not in self._initials:
            position: Position | None = self.header.initial
            if text is not None:
                try:
                    data = json.loads(text)
                    position = read_position(data, self.equipment) if type(data) is dict else None
                except (GrlError, ValueError):
                    position = None
            if position is not None and (position.stock or position.trail):
                position = None
            if len(self._initials) > 10_000:
                self._initials.clear()
            self._initials[text] = position
        return self._initials[text]

    def _ends_well(self, games: GamesTable, game: int) -> bool:
        """Whether a record says as it should how the game ended."""
        end, goals = games.ends[game], games.goals[game]
        try:
            key = end, None if goals is None else tuple(goals.items())
            if key not in self._endings:
                record: dict[str, Any] = {} if end is None else {"end": end}
                if goals is not None:
                    record["goals"] = goals
                read_end(record, self.equipment)
                self._endings.add(key)
        except (GrlError, TypeError, AttributeError):
            return False
        return True

    def texts(self) -> Hashes:
        """The fingerprints of all texts of turns in the table."""
        more = self.table.texts[len(self._texts) :]
        if more:
            fresh = np.array([of_text(text) for text in more], dtype=np.uint64)
            self._texts = np.concatenate((self._texts, fresh))
        return self._texts

    def replay(self, games: GamesTable) -> Plies:
        """The plies of all games; what comes of those that are not good means nothing."""
        numbers = self.table.numbers(games.texts)
        all_turns = numbers[games.turns] if len(games.turns) else np.zeros(0, np.int32)
        lengths = np.diff(games.starts)
        order = np.argsort(-lengths, kind="stable")
        size, count = self.equipment.board.size, len(games)
        initials = [self.initial(text) for text in games.initials]
        starts = games.starts[:-1] + np.arange(count)
        total = len(all_turns) + count

        state = _State(self, [initials[game] or self.header.initial for game in order.tolist()])
        good = np.array([initials[game] is not None for game in order.tolist()], dtype=bool)
        turn = np.full(total, -1, np.int32)
        mover, held = np.zeros(total, np.int8), np.zeros(total, np.uint8)
        board = np.zeros((total, size), np.uint8)
        boards, moved, line = (np.zeros(total, np.uint64) for _ in range(3))
        sorted_lengths, sorted_starts = lengths[order], starts[order]
        from_turn = games.starts[:-1][order]
        texts = self.texts()
        ended = count
        for ply in range(int(lengths.max(initial=0)) + 1):
            playing = int(np.searchsorted(-sorted_lengths, -ply, side="left"))
            # Games of exactly this length are at their end; longer ones come first.
            at = sorted_starts[:ended] + ply
            mover[at], board[at] = state.mover[:ended], state.cells[:ended, :size]
            boards[at], moved[at] = state.boards[:ended], state.moves[:ended]
            line[at] = state.line[:ended]
            ended = playing
            if not playing:
                break
            place = from_turn[:playing] + ply
            played, at = all_turns[place], at[:playing]
            if games.by is not None:
                by = games.by[place]
                other = (by != IN_TURN) & (by != state.mover[:playing])
                if ply == 0:
                    good[:playing] &= ~other
                state.mover[:playing] = np.where(by == IN_TURN, state.mover[:playing], by)
                mover[at] = state.mover[:playing]
            turn[at] = played
            held[at] = state.cells[np.arange(playing), self.table.starts[played]]
            good[:playing] &= state.play(played, held[at], texts)
        whole = np.array([self._ends_well(games, game) for game in range(count)], dtype=bool)
        whole[order] &= good
        game = np.repeat(np.arange(count), lengths + 1)
        return Plies(
            game, np.arange(total) - starts[game], turn, mover, board, held, boards, moved, line,
            whole, np.r_[starts, total], initials,
        )  # fmt: skip


class _State:
    """Where all games are. A row of `cells` has further columns, which hold the contents
    themselves by code, so that what is written always comes from a column; `moved` likewise."""

    def __init__(self, replayer: ColumnReplayer, initials: list[Position]) -> None:
        self._replayer = replayer
        equipment, codes = replayer.equipment, replayer.table.codes
        size, count = equipment.board.size, len(initials)
        known: dict[int, int] = {}
        for position in initials:
            known.setdefault(id(position), len(known))
        distinct = {known[id(position)]: position for position in initials}
        row = np.array([known[id(position)] for position in initials], dtype=np.int64)
        cells = np.zeros((len(distinct), size + len(codes)), np.uint8)
        seats, lines = np.zeros(len(distinct), np.int8), np.zeros(len(distinct), np.uint64)
        boards = of_boards([position.cells for position in distinct.values()])
        for number, position in distinct.items():
            cells[number, :size] = [codes[content] for content in position.cells]
            seats[number] = equipment.players.index(position.to_move)
            lines[number] = combined(int(boards[number]), of_text(position.to_move), 0, 0)
        cells[:, size:] = np.arange(len(codes), dtype=np.uint8)
        self.cells, self.mover, self.line = cells[row], seats[row], lines[row]
        self.boards = boards[row]
        self.moved = np.zeros((count, size + 2), np.uint8)
        self.moved[:, size + 1] = 1
        self.moves = np.zeros(count, np.uint64)

    def play(
        self, turns: NDArray[np.int32], held: NDArray[np.uint8], texts: Hashes
    ) -> NDArray[np.bool_]:
        """Carry a turn out in each of the first games; says where it fits."""
        replayer, table = self._replayer, self._replayer.table
        count = len(turns)
        seats = self.mover[:count]
        rows = table.rows(turns, seats, held == 0)
        fits: NDArray[np.bool_] = rows != NO_ROW
        rows = np.where(fits, rows, 0)
        for game, square, masks in _entries(table.conditions, rows):
            fits[game] &= (masks >> self.cells[game, square] & np.uint64(1)).astype(bool)
        done = [
            (game, square, self.cells[game, source])
            for game, square, source in _entries(table.writes, rows)
        ]
        for game, square, content in done:
            contents = replayer._contents
            self.boards[game] ^= contents[square, self.cells[game, square]]
            self.boards[game] ^= contents[square, content]
            self.cells[game, square] = content
        marks = [
            (game, square, self.moved[game, source])
            for game, square, source in _entries(table.moved, rows)
        ]
        for game, square, mark in marks:
            change = self.moved[game, square] != mark
            self.moves[game] ^= np.where(change, replayer._squares[square], np.uint64(0))
            self.moved[game, square] = mark
        self.line[:count] = combined_columns(
            self.line[:count], texts[turns], replayer.movers[seats]
        )
        self.mover[:count] = replayer._next[seats]
        return fits


def _entries(
    columns: Columns, rows: NDArray[np.int32]
) -> list[tuple[Numbers, NDArray[np.int16], NDArray[np.uint64]]]:
    """The entries of the rows, one column at a time: games, squares, values."""
    counts = columns.length[rows]
    found = []
    for at in range(int(counts.max(initial=0))):
        games = np.flatnonzero(counts > at)
        of = rows[games]
        found.append((games, columns.square[of, at], columns.value[of, at]))
    return found
