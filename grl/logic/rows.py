"""Rows on which terms are evaluated, all at once: turns with a board each, or boards alone.

Several turns may share a board, the one on which they are played; what doesn't speak of the turn is
then computed once for all of them. A value is an array of truths, boards or rows × directions ×
squares; it has one direction where the term isn't directed, and one row where all are the same.
Directions are numbered as in `grl.logic.grid`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, HOLE, Equipment, Player, Square
from grl.logic.contents import keys_of
from grl.logic.geometry import AXES
from grl.logic.grid import DIRECTIONS, NONE, WAYS_OF, Bools, Grid, Indices
from grl.logic.terms import Term

Values = NDArray[np.bool_]


Touched = tuple[Bools, Bools]
"""By square what turns change, and where their first segments end."""


class Asked(Protocol):
    """What knows which turns players would have on a board."""

    def touched(self, seat: int, level: int) -> Touched:
        """The squares that turns of a level touch of the player at a seat from who looks."""


class Ground(NamedTuple):
    """A board with who looks at it, and what is known of the game before.

    `last` gives the squares where the first segment of the turn so many plies ago, 1 being the last
    one and OWN that of the mover, started and ended, if any. Where nobody is `asked` no player has
    turns.
    """

    mover: Player
    cells: str
    moved: frozenset[Square] = frozenset()
    last: Callable[[int], Mapping[str, Square]] = lambda _: {}
    asked: Asked | None = None


class Row(Protocol):
    """A turn, or its beginning."""

    def square(self, role: str, /) -> Square | None:
        """The square that plays a role, see `grl.logic.terms.ROLES`."""

    def path(self) -> Sequence[Square]:
        """The squares that the hand passes in the first segment, the end included."""

    def taken(self) -> Sequence[Square]:
        """The squares on which the turn removes pieces, other than by landing on them."""

    def lifted(self) -> str:
        """What lay on the square where the turn starts, before it."""


class Walked(NamedTuple):
    """A turn that is given by its squares."""

    square: Callable[[str], Square | None]
    path: Callable[[], Sequence[Square]]
    taken: Callable[[], Sequence[Square]] = tuple
    lifted: Callable[[], str] = lambda: EMPTY


class Rows:
    """Turns, or boards alone, as columns; values of terms are kept.

    `parent` gives the number of each turn's board; without it the n-th turn has the n-th board.
    """

    def __init__(
        self,
        equipment: Equipment,
        grid: Grid,
        grounds: Sequence[Ground],
        turns: Sequence[Row] | None = None,
        parent: Indices | None = None,
    ) -> None:
        self.equipment, self.grid, self.grounds = equipment, grid, grounds
        self.turns = turns
        self.parent = parent
        self._values: dict[Term, Values] = {}
        self._found: dict[str, Indices] = {}
        self._touched: dict[tuple[int, int], Values] = {}
        self._fallen: tuple[Indices, Indices] | None = None
        self._by_row = False

    def __len__(self) -> int:
        return len(self.grounds if self.turns is None else self.turns)

    def value(self, term: Term) -> Values:
        """What a term denotes: by row, or by board where all turns on a board share it."""
        found = self._values.get(term)
        if found is None:
            if term.point:
                found = self._points(self.point(term))
            else:
                arguments = [
                    self._aligned(a, term.by_row) if isinstance(a, Term) else a
                    for a in term.arguments
                ]
                self._by_row = term.by_row
                found = term.operator.evaluate(self, *arguments)
            self._values[term] = found
        return found

    def _aligned(self, term: Term, by_row: bool = True) -> Values:
        value = self.value(term)
        return self._of_rows(term, value) if by_row else value

    def _of_rows(self, term: Term, values: NDArray[Any]) -> NDArray[Any]:
        """What is known of a term, by row where its value is by board."""
        if not term.by_row and self.parent is not None and len(values) > 1:
            return values.take(self.parent, axis=0)
        return values

    def of_boards(self, values: NDArray[Any]) -> NDArray[Any]:
        """What is known by board, for an operator at work: by row where its value is by row."""
        return values[self.parent] if self._by_row and self.parent is not None else values

    def point(self, term: Term) -> Indices:
        """The square that a point denotes in every row; `NONE` where there is none."""
        arguments = [self.point(a) if isinstance(a, Term) else a for a in term.arguments]
        assert term.operator.point is not None
        found: Indices = term.operator.point(self, *arguments)
        return found

    def full(self, term: Term) -> Values:
        """What a term denotes: rows × directions (or 1) × squares."""
        value = self._aligned(term)
        return np.broadcast_to(value, (len(self), *value.shape[1:]))

    def squares(self, term: Term) -> Bools:
        """What an undirected term denotes: rows × squares."""
        return self.full(term)[:, 0]

    def some(self, term: Term) -> Bools:
        """In which rows a term denotes any square."""
        parts = [a for a in term.arguments if isinstance(a, Term)]
        if term.operator.name == "both" and not term.directed:
            for one, other in (parts, parts[::-1]):
                if one.point and not other.point:
                    return self._meets(one, other)
        value = self._of_rows(term, np.any(self.value(term), axis=(1, 2)))
        return np.broadcast_to(value, (len(self),))

    def _meets(self, point: Term, term: Term) -> Bools:
        """In which rows the square of a point belongs to a set."""
        at, value = self.point(point), self.value(term)
        if len(value) == 1:
            belongs = value[0, 0, at]
        else:
            shared = not term.by_row and self.parent is not None
            belongs = value[self.parent if shared else np.arange(len(self)), 0, at]
        found: Bools = belongs & (at != NONE)
        return found

    def size(self, term: Term) -> Indices:
        """How many squares a term denotes, of each direction where it is directed, by row."""
        value = self._of_rows(term, self.value(term).sum(axis=(1, 2)))
        return np.broadcast_to(value, (len(self),))

    def total(self, term: Term) -> Indices:
        """What the contents of a set's squares count together, by row."""
        counted = self.worth[:, 0]
        if self.parent is not None:
            counted = counted[self.parent]
        found: Indices = (counted.clip(0) * self.squares(term)).sum(axis=1)
        return found

    def forget(self, beyond: int = 0) -> None:
        """Drop the values of terms, which take most of the memory, once they take so many bytes."""
        if sum(value.nbytes for value in self._values.values()) < beyond:
            return
        self._values.clear()
        self._touched.clear()

    # What operators are made of ---------------------------------------------------------------

    @cached_property
    def _codes(self) -> Indices:
        """For every board and square the number of its character among those of the equipment."""
        text = "".join(ground.cells for ground in self.grounds)
        points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
        characters = sorted(map(ord, self._characters))
        numbers = np.zeros(characters[-1] + 1, dtype=np.intp)
        numbers[characters] = np.arange(len(characters))
        return np.asfortranarray(numbers[points].reshape(len(self.grounds), -1))

    @cached_property
    def _characters(self) -> list[str]:
        return sorted({EMPTY, HOLE, *self.equipment.pieces})

    @cached_property
    def _movers(self) -> Indices:
        players = self.equipment.players
        return np.array([players.index(ground.mover) for ground in self.grounds], dtype=np.intp)

    def holding(self, content: str) -> Values:
        """The squares that hold a content as the mover sees it."""
        held = self.grid.held.get(content)
        if held is None:
            players = self.equipment.players
            keys = (keys_of(self.equipment, player, content) for player in players)
            held = np.array(
                [[character in each for character in self._characters] for each in keys]
            )
            self.grid.held[content] = held
        return held[self._movers[:, None], self._codes][:, None]

    @cached_property
    def worth(self) -> Indices:
        """Boards × 1 × squares: what the contents count; -1 where they are no numbers."""
        sowing = self.equipment.sowing
        values = {EMPTY: 0, **(sowing.values if sowing else {})}
        numbers = np.array([values.get(character, -1) for character in self._characters])
        found: Indices = numbers[self._codes][:, None]
        return found

    def field(self, kind: str, seat: int) -> Values:
        """The squares that belong to the player at a seat."""
        players, sowing = self.equipment.players, self.equipment.sowing
        squares = self.grid.fields.get(kind)
        if squares is None:
            squares = np.zeros((len(players), 1, self.grid.size), dtype=np.bool_)
            for row, player in zip(squares, players, strict=True):
                row[0, list(sowing.field(kind, player) if sowing else ())] = True
            self.grid.fields[kind] = squares
        return squares[(self._movers + seat) % len(players)]

    def before_on_way(self, squares: Values) -> Values:
        """The squares from which the mover's way leads to those of a set next."""
        movers, sowing = self.of_boards(self._movers), self.equipment.sowing
        shape = (len(movers), *squares.shape[1:])
        given, found = np.broadcast_to(squares, shape), np.zeros(shape, dtype=np.bool_)
        for number, player in enumerate(self.equipment.players if sowing else ()):
            way = np.array(sowing.ways[player] if sowing else (), dtype=np.intp)
            rows = movers == number
            found[rows] = given[rows][:, :, way] & (way != NONE)
        return found

    def fallen(self) -> tuple[Indices, Indices]:
        """What falls on each square of what every turn takes up, and where the last of it falls."""
        if self._fallen is None:
            turns, sowing = self.turns or (), self.equipment.sowing
            values = {} if sowing is None else sowing.values
            lifted = np.array([values.get(turn.lifted(), 0) for turn in turns], dtype=np.int64)
            starts = self.role("start1")
            lifted[starts[: len(lifted)] == NONE] = 0
            movers = self._movers if self.parent is None else self._movers[self.parent]
            if sowing is None or self.turns is None:
                shape = len(self), self.grid.size
                nowhere = np.full(len(self), NONE, dtype=np.int64)
                self._fallen = np.zeros(shape, dtype=np.int64), nowhere
            else:
                self._fallen = sowing.sown(self.equipment.players, movers, starts, lifted)
        return self._fallen

    def zone(self, zone: str) -> Values:
        """A part of the board, the same in every row."""
        found = np.zeros((1, 1, self.grid.size), dtype=np.bool_)
        found[0, 0, list(self.grid.geometry.zone(zone))] = True
        return found

    def numbered(self, seat: int, scale: str) -> Indices:
        """Boards × 1 × squares: files, ranks or rings, as the player at a seat sees them."""
        players = self.equipment.players
        numbers = np.array([self.grid.numbers(player, scale) for player in players])
        return numbers[(self._movers + seat) % len(players)][:, None]

    def role(self, role: str) -> Indices:
        """The square that plays a role in every turn."""
        found = self._found.get(role)
        if found is None:
            squares = [] if self.turns is None else [turn.square(role) for turn in self.turns]
            numbers = [NONE if square is None else square for square in squares]
            if self.turns is None:
                numbers = [NONE] * len(self.grounds)
            found = self._found[role] = np.array(numbers, dtype=np.intp)
        return found

    def last(self, role: str, back: int) -> Indices:
        """The square that played a role in the turn so many plies ago."""
        squares = [each.last(back).get(role, NONE) for each in self.grounds]
        found = np.array(squares, dtype=np.intp)
        return found if self.parent is None else found[self.parent]

    def moved(self) -> Values:
        """The squares on which pieces lie that have moved in the game, by board."""
        return self._sets([ground.moved for ground in self.grounds])

    def paths(self, *, twice: bool = False) -> Values:
        """The squares that the hand passes, or those that it passes more than once."""
        paths = [turn.path() for turn in self.turns or ()]
        if twice:
            paths = [[s for s in set(path) if path.count(s) > 1] for path in paths]
        return self._sets(paths)

    def taken(self) -> Values:
        """The squares on which turns remove pieces, other than by landing on them."""
        return self._sets([turn.taken() for turn in self.turns or ()])

    def touched(self, seat: int, level: int, *, ends: bool) -> Values:
        """The squares that turns of the player at a seat change, or those on which they end."""
        found = self._touched.get((seat, level))
        if found is None:
            found = np.zeros((len(self.grounds), 2, self.grid.size), dtype=np.bool_)
            for squares, ground in zip(found, self.grounds, strict=True):
                if ground.asked is not None:
                    squares[:] = ground.asked.touched(seat, level)
            self._touched[seat, level] = found
        return found[:, int(ends), None]

    def shifted(self, view: str, dx: int, dy: int, at: Indices) -> Indices:
        """The square at a displacement from another, by row."""
        if view == "board":
            return self.grid.shifted(dx, dy)[at]
        tables = np.array(
            [self.grid.seen_shift(p, view, dx, dy) for p in self.equipment.players], dtype=np.intp
        )
        movers = self._movers if self.parent is None else self._movers[self.parent]
        found: Indices = tables[movers, at]
        return found

    def image(self, squares: Values, relation: Callable[[Player], Bools]) -> Values:
        """The squares to which those of a set are related, as whoever looks sees the board."""
        movers = self.of_boards(self._movers)
        found = np.zeros((len(movers), *squares.shape[1:]), dtype=np.bool_)
        for number, player in enumerate(self.equipment.players):
            rows = movers == number
            given = squares[rows] if len(squares) > 1 else squares
            found[rows] = given.astype(np.float32) @ relation(player).astype(np.float32) > 0
        return found

    def _points(self, at: Indices) -> Values:
        found = np.zeros((len(at), 1, self.grid.size), dtype=np.bool_)
        rows = np.flatnonzero(at != NONE)
        found[rows, 0, at[rows]] = True
        return found

    def _sets(self, squares: Sequence[Sequence[Square] | frozenset[Square]]) -> Values:
        found = np.zeros((len(squares), 1, self.grid.size), dtype=np.bool_)
        for row, each in zip(found, squares, strict=True):
            row[0, list(each)] = True
        return found

    def less(self, one: Values, other: Values) -> Values:
        """One set without another."""
        return one & ~other

    def gathered(self, values: Values, tables: Sequence[Indices]) -> Values:
        """Where a table leads to a square of the set; one of several tables is enough.

        Tables are directions × squares, or 1 × squares for what has no direction. What is found
        has the rows of a square side by side in memory, which are copied as a whole.
        """
        nowhere = np.zeros((1, *values.shape[1::-1]), dtype=np.bool_)
        padded = np.concatenate([values.T, nowhere])
        found: Values | None = None
        for table in tables:
            if len(table) == 1:
                one = padded[table[0]]
            elif values.shape[1] == 1:
                one = padded[:, 0][table.T]
            else:
                one = padded[table.T, np.arange(len(table))]
            found = one if found is None else found | one
        return np.zeros_like(values) if found is None else found.T

    def ahead(self, values: Values) -> Values:
        """The next squares in each direction."""
        return self._directed(self.gathered(values, self.grid.behind))

    def behind(self, values: Values) -> Values:
        """The squares to which those are next in each direction."""
        return self.gathered(values, [self.grid.ahead])

    def near(self, nearness: str, values: Values) -> Values:
        """The neighbours."""
        return self.gathered(values, self.grid.neighbours[nearness])

    def _directed(self, values: Values) -> Values:
        shape = (len(values), len(DIRECTIONS), self.grid.size)
        return values if values.shape == shape else np.broadcast_to(values, shape)

    def closed(self, seeds: Values, within: Values, onward: Callable[[Values], Values]) -> Values:
        """The least part of `within` with the seeds in it that `onward` doesn't lead out of."""
        found = fresh = seeds & within
        while fresh.any():
            fresh = onward(fresh) & within & ~found
            found = found | fresh
        return found

    def begun(self, squares: Values, number: int) -> Values:
        """By direction the squares at which a line of `number` of a set begins."""
        found = self._directed(squares)
        for _ in range(number - 1):
            found = squares & self.behind(found)
        return found

    def lined(self, ways: str, number: int, squares: Values) -> Values:
        """The squares of sets that are on a straight line of `number` of them, or longer."""
        if number < 2:
            some: Values = np.any(squares, axis=1, keepdims=True)
            return some
        if squares.shape[1] == 1 and ways != "onward":
            return self._in_lines(WAYS_OF[ways], number, squares[:, 0])
        meant = self.ways(ways)
        several = squares.shape[1] > 1
        parts = [
            self._in_lines((d,), number, squares[:, d if several else 0]) & meant[:, d, None]
            for d in range(len(DIRECTIONS))
            if meant[:, d].any()
        ]
        empty = np.zeros((len(squares), 1, self.grid.size), dtype=np.bool_)
        return reduce(np.logical_or, parts, empty)

    def _in_lines(self, along: tuple[int, ...], number: int, squares: Bools) -> Values:
        lines, members = self.grid.lines(number, along)
        filled = squares[:, lines].all(axis=2)
        found: Values = (filled.astype(np.float32) @ members > 0)[:, None]
        return found

    def counted(self, squares: Values) -> NDArray[np.int16]:
        """Rows × directions × squares: how many of a set are in line with each, itself aside.

        Squares ahead count, and squares behind.
        """
        half, inline = len(AXES), self.grid.inline
        sets = squares.astype(np.float32).swapaxes(0, 1)
        if len(sets) > 1:
            parts = [sets[d] @ inline[d % half].T for d in range(len(sets))]
        else:
            parts = [sets[0] @ each.T for each in inline]
        counts = [part.astype(np.int16) for part in parts]
        return np.stack(counts * (2 * half // len(counts)), axis=1)

    @cached_property
    def onward(self) -> Values:
        """Rows × directions × 1: which way a turn leads from start to end; none if not straight."""
        starts, ends = self.role("start1"), self.role("end1")
        known = (starts != NONE) & (ends != NONE)
        found: Values = (self.grid.toward[:, starts, ends] & known).T[:, :, None]
        return found

    def ways(self, ways: str) -> Values:
        """Rows (or 1) × directions × 1: the directions that are meant."""
        if ways == "onward":
            return self.onward
        found = np.zeros((1, len(DIRECTIONS), 1), dtype=np.bool_)
        found[0, list(WAYS_OF[ways])] = True
        return found
