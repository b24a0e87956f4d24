"""Slides that a record writes as one leap, rewritten into steps.

A rook's move is three steps, ``a1 (0 1 e) (0 1 e) (0 1 e)``. Who has only from and to writes it
``a1 (0 3 e)``, which says that the piece leaps, whatever lies between. A horse that a piece beside
it hobbles goes a step straight on and one slanting, ``b1 (0 1 e) (1 1 e)``, not ``b1 (1 2 e)`` like
a knight: such a leap is bent. `grl.leaps` finds out which leaps of a record are either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
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

    @property
    def bent(self) -> bool:
        """Whether it is a knight's, made of a straight step and a slanting one."""
        return self.length == 1 and sorted(map(abs, self.way)) == [1, 2]

    def halves(self, *, slanting: bool) -> tuple[Way, Way]:
        """The two steps that a bent one is made of, the straight or the `slanting` one first."""
        (x, y) = self.way
        straight = int(x / 2), int(y / 2)
        slant = x - straight[0], y - straight[1]
        return (slant, straight) if slanting else (straight, slant)

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


def passes(position: Position, turn: Turn, step: Step, *, slanting: bool) -> bool:
    """Whether a bent leap of `turn` comes over an empty square by its first half."""
    start, cells = _before(position, turn, step)
    return _free(position, cells, start, step.halves(slanting=slanting)[0])


def bends_of(position: Position, turn: Turn, step: Step, *, slanting: bool) -> tuple[int, int]:
    """How many bent leaps lead from where a leap begins to squares that hold the same, with the
    square of their first half empty, and with something on it."""
    start, cells = _before(position, turn, step)
    view = position.equipment.views[position.to_move]
    found = [0, 0]
    for x, y in product((-2, -1, 1, 2), repeat=2):
        if abs(x) != abs(y):
            target = next(_along(position, start, (x, y)), None)
            if target is not None and view[cells[target]] == step.on:
                first, _ = step._replace(way=(x, y)).halves(slanting=slanting)
                found[not _free(position, cells, start, first)] += 1
    return found[0], found[1]


def _free(position: Position, cells: Sequence[str], start: Square, way: Way) -> bool:
    """Whether the next square from `start` is there and empty."""
    square = next(_along(position, start, way), None)
    return square is not None and cells[square] == EMPTY


@dataclass(frozen=True)
class Slides:
    """The groups of steps whose leaps are slides, and those of bent ones with whether the slanting
    half comes first."""

    groups: frozenset[Group]
    bent: frozenset[tuple[Group, bool]] = frozenset()

    def turn(self, position: Position, text: str) -> str:
        """`text`, its slides written in steps where the squares between are empty."""
        steps = [
            step
            for step in steps_of(text.partition(" ")[2])
            if step.length > 1 or (self.bent and step.bent)
        ]
        if not steps:
            return text
        turn = Turn.parse(text)
        chosen = {
            (step.segment, step.letter): letters
            for step in steps
            if (letters := self._letters(position, turn, step))
        }
        if not chosen:
            return text
        segments = tuple(
            segment._replace(letters=tuple(_spelled(segment, number, chosen)))
            for number, segment in enumerate(turn.segments)
        )
        return str(Turn(segments))

    def _letters(self, position: Position, turn: Turn, step: Step) -> Sequence[Letter]:
        """The steps that a leap of `turn` is made of; none where it stays as it is."""
        group = step.group(position, turn)
        if step.length > 1:
            if group not in self.groups or not alone(position, turn, step):
                return ()
            ways = [step.way] * step.length
        else:
            slanting = (group, True) in self.bent
            if not slanting and (group, False) not in self.bent:
                return ()
            if not passes(position, turn, step, slanting=slanting):
                return ()
            ways = [*step.halves(slanting=slanting)]
        return [*(Letter(*way, "e") for way in ways[:-1]), Letter(*ways[-1], step.on)]

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


def _spelled(
    segment: Segment, number: int, chosen: Mapping[tuple[int, int], Sequence[Letter]]
) -> Iterator[Letter]:
    for at, letter in enumerate(segment.letters):
        yield from chosen.get((number, at), (letter,))
