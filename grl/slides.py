"""Slides that a record writes as one leap, rewritten into steps.

A rook's move is three steps, ``a1 (0 1 e) (0 1 e) (0 1 e)``. Who has only from and to writes it
``a1 (0 3 e)``, which says that the piece leaps, whatever lies between. `grl.leaps` finds out which
leaps of a record are slides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from grl.board import EMPTY, Player, Position, Square
from grl.model import Role
from grl.replay import Play, Ply
from grl.turn import Letter, Segment, Turn, carry_out, compile_until, hand_of

Way = tuple[int, int]


class Mover(NamedTuple):
    """Who steps: the player, the piece in hand (``.``: none), and its part in the turn."""

    player: Player
    piece: str
    role: Role


class Group(NamedTuple):
    """Steps that are judged together: by whom, along which kind of line (the two sides of the
    shortest step), onto what, and whether another segment follows."""

    mover: Mover
    line: Way
    on: str
    continued: bool


class Step(NamedTuple):
    """A step within a turn: `length` times `way`, where it stands, and the piece that has appeared
    under the hand before it, if one has."""

    segment: int
    letter: int
    piece: str
    role: Role
    continued: bool
    way: Way
    length: int
    on: str

    def group(self, position: Position, turn: Turn) -> Group:
        """The group of this step of `turn`."""
        piece = self.piece
        if not piece:
            board = position.board
            piece = position.cells[board.square(turn.segments[self.segment].origin)]
        line = sorted(map(abs, self.way))
        mover = Mover(position.to_move, piece, self.role)
        return Group(mover, (line[0], line[1]), self.on, self.continued)


@lru_cache(maxsize=65_536)
def steps_of(rest: str) -> tuple[Step, ...]:
    """The steps of a turn given without its origin; a pass has none."""
    if not rest:
        return ()
    found = []
    segments = Turn.parse(f"a1 {rest}").segments
    for number, segment in enumerate(segments):
        piece, role = "", Role.LATER if number else Role.FIRST
        for at, letter in enumerate(segment.letters):
            if letter.appears:
                piece, role = letter.piece, Role.APPEARED
            if letter.steps:
                length = gcd(letter.dx, letter.dy)
                way = letter.dx // length, letter.dy // length
                continued = number + 1 < len(segments)
                found.append(Step(number, at, piece, role, continued, way, length, letter.on))
    return tuple(found)


def _before(position: Position, turn: Turn, step: Step) -> tuple[Square, list[str]]:
    """Where the hand is before a step of `turn`, and what lies on the squares then."""
    equipment = position.equipment
    program = compile_until(turn, step.segment, step.letter, equipment.board)
    cells = list(position.cells)
    mover = position.to_move
    hand = hand_of(position.stock, mover)
    carry_out(program, cells, equipment.views[mover], set(), hand, equipment.pieces)
    return program[-1].square, cells


def _along(position: Position, start: Square, way: Way) -> Iterator[Square | None]:
    """The squares from `start` on, `way` by `way`, to the edge; None for a hole."""
    board = position.board
    y, x = divmod(start, board.width)
    while True:
        x, y = x + way[0], y + way[1]
        if not (0 <= x < board.width and 0 <= y < board.height):
            return
        square = Square(y * board.width + x)
        yield None if square in board.holes else square


class Ray(NamedTuple):
    """The leaps from a square along `way` onto squares of one content, by length: those over empty
    squares only, and the others."""

    way: Way
    free: tuple[int, ...]
    blocked: tuple[int, ...]


def _ray(position: Position, cells: Sequence[str], start: Square, way: Way, on: str) -> Ray:
    """The ray from `start` along `way` on a board that holds `cells`."""
    view = position.equipment.views[position.to_move]
    free: list[int] = []
    blocked: list[int] = []
    clear = True
    for length, square in enumerate(_along(position, start, way), 1):
        if square is not None and length > 1 and view[cells[square]] == on:
            (free if clear else blocked).append(length)
        clear = clear and square is not None and cells[square] == EMPTY
    return Ray(way, tuple(free), tuple(blocked))


def alone(position: Position, turn: Turn, step: Step) -> bool:
    """Whether a leap of `turn` passes over empty squares only."""
    start, cells = _before(position, turn, step)
    return step.length in _ray(position, cells, start, step.way, step.on).free


def rays_of(position: Position, turn: Turn, step: Step) -> tuple[Ray, ...]:
    """The rays from the square where a leap begins, along all lines of its kind."""
    start, cells = _before(position, turn, step)
    a, b = map(abs, step.way)
    ways = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}
    rays = (_ray(position, cells, start, way, step.on) for way in sorted(ways))
    return tuple(ray for ray in rays if ray.free or ray.blocked)


@dataclass(frozen=True)
class Slides:
    """The groups of steps whose leaps are slides."""

    groups: frozenset[Group]

    def turn(self, position: Position, text: str) -> str:
        """`text`, its slides written in steps where the squares between are empty."""
        steps = [step for step in steps_of(text.partition(" ")[2]) if step.length > 1]
        if not steps:
            return text
        turn = Turn.parse(text)
        chosen = {
            (step.segment, step.letter): step
            for step in steps
            if step.group(position, turn) in self.groups and alone(position, turn, step)
        }
        if not chosen:
            return text
        segments = tuple(
            replace(segment, letters=tuple(_letters(segment, number, chosen)))
            for number, segment in enumerate(turn.segments)
        )
        return str(Turn(segments))

    def play(self, play: Play) -> Play:
        """`play` with its turns rewritten, those listed as legal and the last turns too."""
        plies: list[Ply] = []
        last = play.plies[0].position.last if play.plies else None
        for ply in play.plies:
            position = replace(ply.position, last=last)
            last = self.turn(position, ply.turn)
            legal = None if ply.legal is None else self.legal(position, ply.legal)
            plies.append(Ply(position, last, legal))
        return replace(play, plies=tuple(plies), final=replace(play.final, last=last))

    def legal(self, position: Position, turns: Iterable[str]) -> tuple[str, ...]:
        """A list of legal turns rewritten; a slide that stands there in both ways stands once."""
        return tuple(dict.fromkeys(self.turn(position, text) for text in turns))


def _letters(
    segment: Segment, number: int, chosen: dict[tuple[int, int], Step]
) -> Iterator[Letter]:
    for at, letter in enumerate(segment.letters):
        step = chosen.get((number, at))
        if step is None:
            yield letter
            continue
        for _ in range(step.length - 1):
            yield Letter(*step.way, "e")
        yield Letter(*step.way, step.on)
