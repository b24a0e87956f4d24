"""Slides that a record writes as one leap: noticed, and rewritten into steps.

A rook's move is three steps, ``a1 (0 1 e) (0 1 e) (0 1 e)``. Who has only from and to writes it
``a1 (0 3 e)``, which says that the piece leaps, whatever lies between; its language then needs a
word for each length that the board has room for. What gives slides away are leaps of one, two and
three times the same step, none over a piece, although pieces lay in the way of others. So leaps
are tallied by who makes them, with the chance that whoever may leap over pieces never does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import gcd, log
from typing import NamedTuple

from grl.board import EMPTY, Player, Position, Square
from grl.errors import GrlError
from grl.model import Role
from grl.replay import Play, Ply
from grl.turn import Letter, Segment, Turn, carry_out, compile_turn, hand_of

SAMPLE = 20_000
"""Turns that are looked at before a notice is given, those listed as legal included."""

_MOST = 64
"""Turns of one position that a sample takes."""

_REMEMBERED = 65_536
_LENGTHS = frozenset({1, 2, 3})
_SHOWN = 3
_FEWEST = 5
_CHANCE = log(1e-3)
_SLIPS = 100
_FEWEST_FLIGHTS = 30
_CONTENTS = "ewpn"

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
def _steps(rest: str) -> tuple[Step, ...]:
    """The steps of a turn given without its origin."""
    found = []
    segments = Turn.parse(f"a1 {rest}").segments
    for number, segment in enumerate(segments):
        piece, role = "", Role.LATER if number else Role.FIRST
        for at, letter in enumerate(segment.letters):
            if letter.on == "a":
                piece, role = letter.piece, Role.APPEARED
            if letter.on in _CONTENTS and not letter.fly:
                length = gcd(letter.dx, letter.dy)
                way = letter.dx // length, letter.dy // length
                continued = number + 1 < len(segments)
                found.append(Step(number, at, piece, role, continued, way, length, letter.on))
    return tuple(found)


def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a turn that can be read."""
    rest = text.partition(" ")[2]
    return _steps(rest) if rest else ()


def _before(position: Position, turn: Turn, step: Step) -> tuple[Square, list[str]]:
    """Where the hand is before a step of `turn`, and what lies on the squares then."""
    equipment = position.equipment
    program = compile_turn(turn, equipment.board)
    at = 0
    for number, segment in enumerate(turn.segments):
        lifts = segment.letters[0].on != "d"
        if number == step.segment:
            at += lifts + step.letter
            break
        at += lifts + len(segment.letters) + 1
    cells = list(position.cells)
    mover = position.to_move
    hand = hand_of(position.stock, mover)
    carry_out(program[:at], cells, equipment.views[mover], set(), hand, equipment.pieces)
    return program[at - 1].square, cells


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


class _Ray(NamedTuple):
    """The leaps from a square along `way` onto squares of one content, by length: those over empty
    squares only, and the others."""

    way: Way
    free: tuple[int, ...]
    blocked: tuple[int, ...]


def _ray(position: Position, cells: Sequence[str], start: Square, way: Way, on: str) -> _Ray:
    """The ray from `start` along `way` on a board that holds `cells`."""
    view = position.equipment.views[position.to_move]
    free: list[int] = []
    blocked: list[int] = []
    clear = True
    for length, square in enumerate(_along(position, start, way), 1):
        if square is not None and length > 1 and view[cells[square]] == on:
            (free if clear else blocked).append(length)
        clear = clear and square is not None and cells[square] == EMPTY
    return _Ray(way, tuple(free), tuple(blocked))


def _alone(position: Position, turn: Turn, step: Step) -> bool:
    """Whether a leap of `turn` passes over empty squares only."""
    start, cells = _before(position, turn, step)
    return step.length in _ray(position, cells, start, step.way, step.on).free


def _rays(position: Position, turn: Turn, step: Step) -> tuple[_Ray, ...]:
    """The rays from the square where a leap begins, along all lines of its kind."""
    start, cells = _before(position, turn, step)
    a, b = map(abs, step.way)
    ways = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}
    rays = (_ray(position, cells, start, way, step.on) for way in sorted(ways))
    return tuple(ray for ray in rays if ray.free or ray.blocked)


@dataclass(frozen=True, slots=True)
class Example:
    """A turn of a record: the game's name, the ply, the position before it and the turn."""

    game: str
    ply: int
    position: Position
    turn: str

    def __str__(self) -> str:
        return f"game {self.game}, ply {self.ply}: '{self.turn}'"


@dataclass
class _Tally:
    """What was seen of a group: lengths, leaps longer than one step, those over pieces."""

    lengths: set[int] = field(default_factory=set)
    ways: set[Way] = field(default_factory=set)
    leaps: int = 0
    over: int = 0
    offers: Counter[tuple[_Ray, ...]] = field(default_factory=Counter)
    example: Example | None = None
    shown: int = 0
    leapt: Example | None = None

    @property
    def clear(self) -> bool:
        """Whether there are leaps and they pass over no piece, but for slips of the pen."""
        return self.leaps > 0 and self.over * _SLIPS <= self.leaps

    @property
    def like_slides(self) -> bool:
        """Whether the leaps are as those of slides, by their lengths."""
        return self.clear and self.lengths >= _LENGTHS

    @property
    def chance(self) -> float:
        """The logarithm of the chance that of somebody who may leap over pieces none would."""
        longest = max(self.lengths)
        total = 0.0
        for rays, count in self.offers.items():
            known = [ray for ray in rays if ray.way in self.ways]
            free = sum(length <= longest for ray in known for length in ray.free)
            blocked = sum(length <= longest for ray in known for length in ray.blocked)
            total += count * log(free / (free + blocked))
        return total


class Leaps:
    """The steps of some records, tallied; with a `limit` only of the first so many turns, and
    only of some where a position lists very many."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._turns = 0
        self._known: set[tuple[Player, str, str]] = set()
        self._tallies: dict[Group, _Tally] = {}
        self._ways: dict[Mover, set[Way]] = {}
        self._examples: dict[Mover, Example] = {}

    @property
    def full(self) -> bool:
        """Whether the limit is reached, after which nothing is observed."""
        return self._limit is not None and self._turns >= self._limit

    def observe(self, play: Play) -> None:
        """Add a played game; boards with links are passed over, for there links make the steps."""
        for number, ply in enumerate(play.plies, 1):
            if self.full or ply.position.board.links is not None:
                return
            turns = (ply.turn,) if ply.legal is None else ply.legal
            if self._limit is not None:
                # Reading a long list costs as well, so it counts as more turns than are taken.
                turns = turns[:: 1 + len(turns) // _MOST]
                self._turns += len(ply.legal or ()) // 2
            self._turns += len(turns)
            for text in turns:
                self._observe(text, ply.position, play, number)

    def _observe(self, text: str, position: Position, play: Play, number: int) -> None:
        """Add a turn; equal words of the same piece, without a leap, are looked at once."""
        origin, _, rest = text.partition(" ")
        steps = _steps(rest) if rest else ()
        if not steps:
            return
        plain = max(step.length for step in steps) == 1 and steps[-1].segment == 0
        if plain:
            known = position.to_move, position.cells[position.board.square(origin)], rest
            if known in self._known:
                return
            if len(self._known) < _REMEMBERED:
                self._known.add(known)
        self._add(steps, Example(play.id, number, position, text))

    def _add(self, steps: tuple[Step, ...], example: Example) -> None:
        position = example.position
        turn = Turn.parse(example.turn)
        for step in steps:
            group = step.group(position, turn)
            tally = self._tallies.get(group)
            if tally is None:
                tally = self._tallies[group] = _Tally()
            tally.lengths.add(step.length)
            tally.ways.add(step.way)
            if step.on == "e":
                ways = self._ways.setdefault(group.mover, set())
                ways.add((step.way[0] * step.length, step.way[1] * step.length))
                self._examples.setdefault(group.mover, example)
            if step.length == 1:
                continue
            tally.leaps += 1
            if _alone(position, turn, step):
                if self._limit is not None:
                    tally.offers[_rays(position, turn, step)] += 1
                if tally.example is None or (step.length == _SHOWN and tally.shown != _SHOWN):
                    tally.example, tally.shown = example, step.length
            else:
                tally.over += 1
                tally.leapt = tally.leapt or example

    def slides(self) -> Slides:
        """What to rewrite: leaps that pass over no piece, where single steps are made as well."""
        short = {
            (group.mover, group.line)
            for group, tally in self._tallies.items()
            if 1 in tally.lengths
        }
        return Slides(
            frozenset(
                group
                for group, tally in self._tallies.items()
                if tally.clear and (group.mover, group.line) in short
            )
        )

    def notice(self) -> str | None:
        """One line where turns look as if slides, or flights, were written as leaps, else None."""
        alike = [(g, t) for g, t in sorted(self._tallies.items()) if t.like_slides]
        seen = sum(tally.leaps for _, tally in alike)
        if seen >= _FEWEST and sum(tally.chance for _, tally in alike) <= _CHANCE:
            group, tally = max(alike, key=lambda item: item[1].leaps)
            example = tally.example
            assert example is not None
            proper = self.slides().turn(example.position, example.turn)
            return (
                f"slides look written as one leap: {_whose(group.mover)} goes up to "
                f"{max(tally.lengths)} squares at once, never over a piece, such as in {example}, "
                f"which should read '{proper}'"
            )
        for mover, ways in sorted(self._ways.items()):
            board = self._examples[mover].position.board
            all_ways = (2 * board.width - 1) * (2 * board.height - 1) - 1
            if len(ways) >= _FEWEST_FLIGHTS and 2 * len(ways) > all_ways:
                example = self._examples[mover]
                return (
                    f"flights look written as leaps: {_whose(mover)} goes by {len(ways)} "
                    f"different displacements, such as in {example}; a piece that may go "
                    "anywhere is written '(@c3 e)'"
                )
        return None

    def report(self) -> Iterator[str]:
        """What rewriting does, a line each: leaps into steps, leaps over pieces left, others."""
        chosen = self.slides().groups
        tallies = sorted(self._tallies.items())
        turned = sum(t.leaps - t.over for group, t in tallies if group in chosen)
        yield f"{turned:,} slides written as leaps become steps"
        over = [t for _, t in tallies if t.leapt is not None]
        if over:
            yield (
                f"{sum(t.over for t in over):,} leaps over pieces stay, for they may be genuine, "
                f"such as in {over[0].leapt}"
            )
        others = [t for group, t in tallies if group not in chosen and t.example is not None]
        if others:
            yield (
                f"{sum(t.leaps - t.over for t in others):,} leaps over empty squares stay, for the "
                "same piece leaps over others too or never goes a single step, such as in "
                f"{others[0].example}"
            )


def _whose(mover: Mover) -> str:
    return f"{mover.player}'s {mover.piece}"


@dataclass(frozen=True)
class Slides:
    """The groups of steps whose leaps are slides."""

    groups: frozenset[Group]

    def turn(self, position: Position, text: str) -> str:
        """`text`, its slides written in steps where the squares between are empty."""
        steps = [step for step in steps_of(text) if step.length > 1]
        if not steps:
            return text
        turn = Turn.parse(text)
        chosen = {
            (step.segment, step.letter): step
            for step in steps
            if step.group(position, turn) in self.groups and _alone(position, turn, step)
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


def find_slides(sources: Iterable[Iterable[Play]]) -> Leaps:
    """The leaps of all plays of some sources; its `slides` says which to rewrite."""
    leaps = Leaps()
    for plays in sources:
        for play in plays:
            leaps.observe(play)
    return leaps


def notice(plays: Iterable[Play], limit: int = SAMPLE) -> str | None:
    """`Leaps.notice` of the first turns of some plays; what can't be read ends them."""
    leaps = Leaps(limit)
    try:
        for play in plays:
            leaps.observe(play)
            if leaps.full:
                break
    except GrlError:
        pass
    return leaps.notice()
