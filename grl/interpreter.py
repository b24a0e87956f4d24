"""From the text of a turn to what it does: parsed and compiled once, however often it is played.

Records repeat the same turns endlessly, so an `Interpreter` keeps what it has read, up to a bound.
With each turn it keeps the turn's *demands*: the contents that certain squares must have so that
`grl.turn.carry_out` certainly succeeds. They are sufficient, not necessary: a turn that fails them
is carried out to know for sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from grl.board import Content, Equipment, Player, Position, Square
from grl.turn import (
    APPEAR,
    LIFT,
    PUT,
    REMOVE,
    RESERVE,
    STEP,
    Mismatch,
    Program,
    Turn,
    carry_out,
    compile_turn,
    hand_of,
)

REMEMBERED = 65_536


class Demands(NamedTuple):
    """What suffices for a turn to fit: contents of squares as the mover sees them.

    `look` picks from a string of contents what must equal `wanted`; the squares of `occupied`
    must not be empty. `appears` lists the pieces that appear, which a reserve may be short of.
    """

    look: Callable[[Sequence[str]], object] | None
    wanted: object
    occupied: tuple[Square, ...]
    appears: tuple[str, ...]

    def met(self, seen: str, hand: Mapping[str, int]) -> bool:
        """Whether the contents `seen` and the mover's reserve satisfy them."""
        if self.look is not None and self.look(seen) != self.wanted:
            return False
        for square in self.occupied:
            if seen[square] == "e":
                return False
        if hand:
            enough = len(self.appears)
            return all(hand.get(piece, enough) >= enough for piece in self.appears)
        return True


class Reading(NamedTuple):
    """A turn that has been read: `start` is the square that it lifts from first (-1: none), and
    `places` says that a piece appears in its first segment."""

    turn: Turn
    program: Program
    demands: Demands | None
    start: int
    places: bool

    def plain(self, cells: str, view: Mapping[str, Content]) -> bool:
        """Whether it is a turn of the mover by its first square: it lifts a piece of the mover's
        or nobody's, or begins on an empty square where a piece appears."""
        if self.start < 0:
            return False
        content = view[cells[self.start]]
        return content in "wn" or (content == "e" and self.places)


class Interpreter:
    """Reads the turns of one kind of equipment; remembers at most `limit` of them."""

    def __init__(self, equipment: Equipment, limit: int = REMEMBERED) -> None:
        self.equipment = equipment
        self.limit = limit
        self.known: dict[str, Reading] = {}

    def read(self, text: str) -> Reading:
        """What `text` says; raises `TurnSyntaxError`, or `IllegalTurn` off the board."""
        reading = self.known.get(text)
        if reading is None:
            turn = Turn.parse(text)
            program = compile_turn(turn, self.equipment.board)
            start = program[0].square if program and program[0].code == LIFT else -1
            first = [op.code for op in program]
            places = APPEAR in (first[: first.index(PUT)] if first else first)
            demands = find_demands(program, self.equipment.pieces)
            reading = Reading(turn, program, demands, start, places)
            if len(self.known) >= self.limit:
                self.known.clear()
            self.known[text] = reading
        return reading


def find_demands(program: Program, pieces: Mapping[str, object]) -> Demands | None:
    """The demands of a program, or None where no such simple condition is at hand.

    The program is run on a board of which nothing is known: the first look at a square is a
    demand, a look at a square that the turn has emptied must expect it empty, and whatever
    depends on what the turn has put down is given up.
    """
    contents: dict[Square, str] = {}
    occupied: set[Square] = set()
    emptied: set[Square] = set()
    filled: set[Square] = set()
    lifted: Square | None = None
    changed = False
    codes = [op.code for op in program]
    if APPEAR in codes and RESERVE in codes:
        return None
    for code, square, arg in program:
        if square in filled and code in (LIFT, STEP, REMOVE):
            return None
        if code == LIFT:
            lifted = None if square in emptied else square
            emptied.add(square)
        elif code == STEP:
            if arg != (contents.setdefault(square, arg) if square not in emptied else "e"):
                return None
        elif code == REMOVE:
            if square in emptied:
                return None
            occupied.add(square)
            emptied.add(square)
            changed = True
        elif code == PUT:
            if not changed:
                if lifted is None:
                    return None
                occupied.add(lifted)
            filled.add(square)
            lifted, changed = None, False
        else:
            if arg not in pieces:
                return None
            if code == APPEAR:
                filled.add(square)
            changed = True
    if any(contents.get(square) == "e" for square in occupied):
        return None
    squares = sorted(contents)
    return Demands(
        itemgetter(*squares) if squares else None,
        (
            contents[squares[0]]
            if len(squares) == 1
            else tuple(contents[square] for square in squares)
        ),
        tuple(sorted(square for square in occupied if square not in contents)),
        tuple(op.arg for op in program if op.code == APPEAR),
    )


def is_foreign(reading: Reading, position: Position, mover: Player) -> bool:
    """Whether `mover` plays a turn that fits the position but is another player's by its looks.

    All pieces that it lifts belong to other players, and nothing appears on an empty square. A
    segment that removes the piece on its square, or replaces another's there and does no more,
    lifts nothing.
    """
    equipment = position.equipment
    view = equipment.views[mover]
    if reading.plain(position.cells, view):
        return False
    cells = list(position.cells)
    moved: set[Square] = set()
    hand = hand_of(position.stock, mover)
    foreign = False
    for program in segments(reading.program):
        if program[0].code == LIFT:
            content = view[cells[program[0].square]]
            codes = [op.code for op in program]
            if content in "wn" or (content == "e" and APPEAR in codes):
                return False
            foreign = foreign or (content == "p" and codes != [LIFT, APPEAR, PUT])
        try:
            carry_out(program, cells, view, moved, hand, equipment.pieces)
        except Mismatch:
            return False
    return foreign


def segments(program: Program) -> Iterator[Program]:
    """The programs of a turn's segments."""
    start = 0
    for end, op in enumerate(program, 1):
        if op.code == PUT:
            yield program[start:end]
            start = end
