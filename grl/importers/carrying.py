"""Moves in coordinates carried out on a position, and so turned into turns: no game is needed.

From and to say which piece goes where; the position says what it lands on. Where the squares
between are empty the way is written in steps, as a slide, else as one leap. What else a move
does no coordinates say: the record has to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import gcd
from typing import Any

from grl.board import EMPTY, Position, Square, parse_square_name
from grl.errors import BoardError, GrlError, Place
from grl.importers.coordinates import Game, Move, read_coordinates
from grl.importers.records import FileByFile, RecordError
from grl.progress import Progress, silent
from grl.traceio import Lines
from grl.tracejson import Header
from grl.turn import Letter, Segment, Turn, play

_DROP = re.compile(r"(?:(?P<key>.)@)?(?P<square>[a-z]+[1-9][0-9]*)")
_REMOVAL = re.compile(r"x(?P<square>[a-z]+[1-9][0-9]*)")
_PATH = re.compile(r"(?P<path>[a-z]+[1-9][0-9]*(?:[-x:]?[a-z]+[1-9][0-9]*)+)(?:=?(?P<key>.))?")
_LONGEST = 12
_SCORES = {"1-0": (100, 0), "0-1": (0, 100), "1/2-1/2": (50, 50), "½-½": (50, 50)}


def turn_of(position: Position, move: Move) -> Turn:
    """The turn that `move` is on `position`; raises `GrlError` where it can't be carried out."""
    if move.parts == ("pass",):
        return Turn(())
    segments: tuple[Segment, ...] = ()
    for part in move.parts:
        cells = play(position, Turn(segments)).cells if segments else position.cells
        if "(" in part:
            segments += Turn.parse(" ".join(part.replace("(", " (").split())).segments
        else:
            segments += (_segment(position, cells, part, first=not segments),)
    return Turn(segments)


def _segment(position: Position, cells: str, part: str, *, first: bool) -> Segment:
    """The segment that a part of a move is on a board that holds `cells`."""
    removal = _REMOVAL.fullmatch(part)
    if removal is not None:
        return Segment(removal["square"], (Letter(0, 0, "d"),))
    drop = _DROP.fullmatch(part)
    if drop is not None:
        return _drop(position, cells, drop["square"], drop["key"])
    path = _PATH.fullmatch(part)
    if path is None:
        raise BoardError(f"{part} is no square of the board")
    names = _hops(position, path["path"])
    squares = [position.board.square(name) for name in names]
    _check_own(position, cells, squares[0], names[0], first=first)
    letters: list[Letter] = []
    for hop, (here, there) in enumerate(pairwise(squares), 2):
        letters += _way(position, cells, squares[0], here, there, last=hop == len(squares))
    if path["key"]:
        letters.append(Letter(0, 0, "a", _key(position, path["key"])))
    return Segment(names[0], tuple(letters))


def _hops(position: Position, path: str) -> list[str]:
    """The squares of a path; without marks between them each is as long as the board has it."""
    names: list[str] = []
    rest = path
    while rest:
        rest = rest.lstrip("-:")
        taken = _square_in_front(position, rest)
        if taken is None and rest.startswith("x") and len(rest) > 1:
            rest = rest[1:]
            continue
        if taken is None:
            raise BoardError(
                f"{rest} begins with no square of the board",
                expected=f"squares of the {position.board.width} x {position.board.height} board",
            )
        names.append(taken)
        rest = rest[len(taken) :]
    return names


def _square_in_front(position: Position, text: str) -> str | None:
    """The longest name of a square of the board with which `text` begins."""
    board = position.board
    for length in range(min(len(text), _LONGEST), 1, -1):
        parsed = parse_square_name(text[:length])
        if parsed is not None and parsed[0] <= board.width and parsed[1] <= board.height:
            return text[:length]
    return None


def _check_own(position: Position, cells: str, square: Square, name: str, *, first: bool) -> None:
    content = position.equipment.views[position.to_move].get(cells[square], "#")
    if content in "wn" or (content == "p" and not first):
        return
    raise BoardError(
        f"there is no piece of {position.to_move} on {name}",
        expected=f"a piece of {position.to_move}, whose turn it is",
        found=repr(cells[square]),
    )


def _way(
    position: Position, cells: str, origin: Square, here: Square, there: Square, *, last: bool
) -> list[Letter]:
    """From square to square: steps where the squares between are empty, else one leap."""
    board = position.board
    view = position.equipment.views[position.to_move]
    on = "e" if there == origin else view.get(cells[there], "#")
    if here == there or on in "w#" or (not last and on != "e"):
        raise BoardError(
            f"nothing can go from {board.names[here]} to {board.names[there]}",
            expected="an empty square or, at the end, a piece of an opponent",
            found=repr(cells[there]),
            hint="a move that does more is written in parts, such as e1g1, h1f1",
        )
    dx = there % board.width - here % board.width
    dy = there // board.width - here // board.width
    length = gcd(dx, dy)
    x, y = dx // length, dy // length
    square: Square | None = here
    for _ in range(length - 1):
        square = None if square is None else board.step(square, x, y)
        if square is None or (cells[square] != EMPTY and square != origin):
            square = None
            break
    if square is not None and board.step(square, x, y) == there:
        return [*[Letter(x, y, "e")] * (length - 1), Letter(x, y, on)]
    return [Letter(dx, dy, on)]


def _drop(position: Position, cells: str, square: str, key: str | None) -> Segment:
    found = cells[position.board.square(square)]
    if found != EMPTY:
        raise BoardError(
            f"nothing can appear on {square}", expected="an empty square", found=repr(found)
        )
    if key is not None:
        return Segment(square, (Letter(0, 0, "a", _key(position, key)),))
    mover, equipment = position.to_move, position.equipment
    held = {piece for player, piece, count in position.stock if player == mover and count}
    own = {piece.key for piece in equipment.pieces.values() if piece.player == mover}
    choice = sorted(held if position.stock else own)
    if len(choice) != 1:
        raise BoardError(
            f"which piece appears on {square}?",
            expected=f"one of {' '.join(f'{piece}@{square}' for piece in choice) or 'no drop'}",
        )
    return Segment(square, (Letter(0, 0, "a", choice[0]),))


def _key(position: Position, key: str) -> str:
    """The mover's piece that `key` names, whatever its case; else the piece of that key."""
    pieces = position.equipment.pieces
    own = [
        other
        for other in (key, key.swapcase())
        if other in pieces and pieces[other].player == position.to_move
    ]
    if not own and key not in pieces:
        raise BoardError(f"there is no piece {key!r}", expected=f"one of {' '.join(pieces)}")
    return own[0] if own else key


class CoordinateImports(FileByFile):
    """The plays of some files in coordinates; each iteration reads them anew.

    `header` says what the game is played with and where it starts. With `ended` a result means
    that the rules ended the game, and gives its goals; otherwise every play is ``stopped``. Raises
    `GrlError` for results of other than two players.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        header: Header,
        *,
        ended: bool = False,
        one_a_line: bool = False,
        keep_beginnings: bool = False,
        strict: bool = False,
        progress: Progress = silent,
    ) -> None:
        super().__init__(paths, keep_beginnings=keep_beginnings, strict=strict, progress=progress)
        players = header.equipment.players
        if ended and len(players) != 2:
            raise GrlError(
                "results such as 1-0 are of two players",
                expected="a game of two players, or results that mean nothing",
                found=f"{len(players)}: {', '.join(players)}",
            )
        self.header = header
        self.ended = ended
        self.one_a_line = one_a_line

    def _plays(self, path: str, lines: Lines) -> Iterator[dict[str, Any]]:
        for game in read_coordinates(lines, one_a_line=self.one_a_line):
            turns, flaw = self._turns(game)
            if self.admitted(path, game.line, len(turns), flaw):
                yield self._play(self.name(path, game.line), game, turns, whole=flaw is None)

    def _play(self, name: str, game: Game, turns: list[str], *, whole: bool) -> dict[str, Any]:
        play_: dict[str, Any] = {"id": name, "turns": [{"turn": turn} for turn in turns]}
        scores = _SCORES.get(game.result) if self.ended and whole else None
        if scores is None:
            return play_ | {"end": "stopped"}
        players = self.header.equipment.players
        return play_ | {"end": "terminal", "goals": dict(zip(players, scores, strict=True))}

    def _turns(self, game: Game) -> tuple[list[str], RecordError | None]:
        """The turns of a game as far as they can be carried out, and what stopped them."""
        position = self.header.initial
        turns: list[str] = []
        for ply, move in enumerate(game.moves, 1):
            try:
                turn = turn_of(position, move)
                position = play(position, turn)
            except GrlError as error:
                place = Place(line=move.line, ply=ply, rows=tuple(position.rows))
                return turns, RecordError(
                    "illegal",
                    message=f"the move {move}: {error.message}",
                    place=place,
                    expected=error.expected,
                    found=error.found,
                    hint=error.hint,
                )
            turns.append(str(turn))
        return turns, game.flaw
