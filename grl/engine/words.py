"""The words of a player's turns, where there are finitely many on a board: what each asks of
squares at fixed distances from its origin, and what it leaves on them.

All turns of one word differ by their origin alone, so that the origins from which it may be played
are a set of squares, found by shifts of boards (`grl.engine.setwise`). Where turns go on without
end, or in ways that sets don't follow, a beginning is a stem: origins from which one matches are
walked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from grl.board import EMPTY, Equipment, Square
from grl.engine.graph import CAME, HERE, THERE, Check, Edge, End, Graph, Node
from grl.errors import NotCompiled
from grl.turn import Kind, Letter

MOST_WORDS = 400
"""More words than these of a player are left to the walk."""
MOST_VISITED, LONGEST = 10_000, 128
"""Beginnings of words that are gone through, and letters of a word: where circles go on without
end there may be few words, and still no end of beginnings."""

STAYED, MOVED, WAS = 0, 1, 2

Offset = tuple[int, int]
NO_OFFSET: Offset = (0, 0)


@dataclass(frozen=True)
class Word:
    """A turn without its origin.

    `asks` gives by distance what lies there before the turn, `leaves` what lies there after it
    where that is fixed; `origins` are the squares from which all its steps exist. `path` has the
    squares after each letter, `hand` the piece that leaves the mover's hand. `moved` says of what
    is left whether it has moved then: `WAS` where that is so if what the origin held had.
    """

    holds: str
    letters: tuple[Letter, ...]
    path: tuple[Offset, ...]
    asks: Mapping[Offset, frozenset[str]]
    leaves: Mapping[Offset, str]
    origins: frozenset[Square]
    hand: str | None
    moved: Mapping[Offset, int]
    state: object
    """Equal where two words come to one search state, of which the walk follows the first alone."""
    order: int = 0
    """Its place in the walk from one origin."""
    removes: frozenset[str] = frozenset()
    """What a further segment removes, where the word is the first of two."""

    @property
    def flies(self) -> bool:
        """Whether some letter is a flight."""
        return any(letter.fly for letter in self.letters)

    def where(self, kind: Kind) -> list[Offset]:
        """Where its letters of a kind are."""
        return [at for x, at in zip(self.letters, self.path, strict=True) if x.kind is kind]

    @property
    def segments(self) -> int:
        """How many segments the turn has."""
        return 1 + bool(self.removes)

    @property
    def end(self) -> Offset:
        """Where the hand is put down."""
        return self.path[-1]


@dataclass(frozen=True)
class Stem:
    """A beginning of turns that are walked: what it asks, by distance, and its origins.

    Where turns go on with a further segment `first` is the first one, as a word; it knows what that
    segment removes if all it may do is to remove one piece.
    """

    asks: Mapping[Offset, frozenset[str]]
    origins: frozenset[Square]
    first: Word | None = None

    def begins(self, word: Word) -> bool:
        """Whether it matches wherever a word may be played."""
        return word.origins <= self.origins and all(
            at in word.asks and word.asks[at] <= some for at, some in self.asks.items()
        )


@dataclass(frozen=True)
class _Going:
    """A word so far, from each origin the square it has come to."""

    node: int
    at: Offset
    squares: Mapping[Square, Square]
    letters: tuple[Letter, ...]
    path: tuple[Offset, ...]
    asks: Mapping[Offset, frozenset[str]]
    leaves: Mapping[Offset, str]
    ties: Mapping[int, Offset | None]
    came: Offset
    hand: str | None
    took: tuple[Offset, ...] = ()
    moved: Mapping[Offset, int] = field(default_factory=dict)
    has_moved: int = STAYED
    """Of what is held: it is `WAS` before it steps."""
    changes: int = 0
    met: Mapping[int, int] = field(default_factory=dict)
    """After how many changes of the board each node was met."""


def words_of(
    graph: Graph, equipment: Equipment, letters: Sequence[Letter], *, flights: bool = True
) -> tuple[tuple[Word, ...], tuple[Stem, ...]]:
    """The words of a player, in the order of the walk, and the stems of what else there is; raises
    `NotCompiled` for too many.

    A flight is a word for every distance, unless these are too many, or without `flights`.
    """
    finder = _Finder(graph, equipment, letters, flights)
    try:
        words = _first_alone(list(finder.words()))
    except NotCompiled:
        if not finder.flown:
            raise
        return words_of(graph, equipment, letters, flights=False)
    firsts = [stem.first for stem in finder.stems if stem.first is not None]
    stems = [stem for stem in finder.stems if stem.first is None]
    stems += [Stem(first.asks, first.origins, first) for first in _first_alone(firsts)]
    return tuple(words), tuple(stems)


def _first_alone(words: Sequence[Word]) -> list[Word]:
    """Words without the origins from which an earlier one that asks the same comes to the same
    search state."""
    found: dict[object, list[Word]] = {}
    left = []
    for word in words:
        before = found.setdefault(word.state, [])
        same = [each.origins for each in before if each.asks == word.asks]
        before.append(word)
        origins = word.origins.difference(*same)
        if origins:
            left.append(replace(word, origins=origins))
    return left


def walked_everywhere(words: Sequence[Word], stems: Sequence[Stem]) -> bool:
    """Whether some stem matches wherever a word may be played."""
    return bool(stems) and all(any(stem.begins(word) for stem in stems) for word in words)


class _Finder:
    def __init__(
        self, graph: Graph, equipment: Equipment, letters: Sequence[Letter], flights: bool
    ) -> None:
        self.graph, self.equipment, self.letters = graph, equipment, letters
        self.flights, self.flown = flights, False
        self.board = equipment.board
        self.every = frozenset({EMPTY, *equipment.pieces})
        view = equipment.views[graph.player]
        self.classes = {
            on: frozenset(key for key in self.every if view[key] == on) for on in "ewpn"
        }
        self.hands = bool(equipment.stocked) or any(letter.reserves for letter in letters)
        self.count = self.visited = 0
        self.stems: list[Stem] = []

    def words(self) -> Iterator[Word]:
        for holds, start in self.graph.starts:
            node = self.graph.nodes[start]
            squares = {square: square for square in self.board.squares}
            begun = _Going(
                start, NO_OFFSET, squares, (), (), {NO_OFFSET: frozenset(holds)}, {}, {},
                NO_OFFSET, None,
            )  # fmt: skip
            removing = [e for e in node.edges if self.letters[e.letter].removes]
            others = [e for e in node.edges if not self.letters[e.letter].removes]
            for edge in removing:
                yield from self._edge(holds, "", edge, begun)
            if holds != EMPTY:
                begun = replace(begun, leaves={NO_OFFSET: EMPTY}, has_moved=WAS)
            for edge in others:
                yield from self._edge(holds, holds if holds != EMPTY else "", edge, begun)

    def _node(self, holds: str, going: _Going) -> Iterator[Word]:
        node = self.graph.nodes[going.node]
        self.visited += 1
        if self.visited > MOST_VISITED or len(going.letters) > LONGEST:
            raise NotCompiled("too many ways to go on for sets of origins")
        if going.met.get(node.number, going.changes) < going.changes:
            self._cut(going)
            return
        going = replace(going, met={**going.met, node.number: going.changes})
        if node.end is not None:
            yield from self._end(holds, node, node.end, going)
        for edge in node.edges:
            yield from self._edge(holds, node.held, edge, going)

    def _cut(self, going: _Going) -> None:
        """What begins so is left to the walk."""
        self.stems.append(Stem(going.asks, frozenset(going.squares)))

    def _end(self, holds: str, node: Node, end: End, going: _Going) -> Iterator[Word]:
        if not self._tied(end.checks, going, going.at):
            return
        leaves, moved = dict(going.leaves), dict(going.moved)
        if node.held:
            leaves[going.at], moved[going.at] = node.held, going.has_moved
        came = going.came if node.pending else None
        ties = tuple(sorted(going.ties.items()))
        changed = frozenset(going.leaves.items())
        state = (holds, node.key, going.at, came, ties, changed, going.took, going.hand)
        word = Word(
            holds, going.letters, going.path, going.asks, leaves,
            frozenset(going.squares), going.hand, moved, state, self.visited,
        )  # fmt: skip
        if end.following:
            first = replace(word, removes=self._removed(end))
            self.stems.append(Stem(word.asks, word.origins, first))
        if end.accepts:
            self.count += 1
            if self.count > MOST_WORDS:
                raise NotCompiled("too many words for sets of origins")
            yield word

    def _removed(self, end: End) -> frozenset[str]:
        """What a further segment may remove if that is all it does; nothing otherwise."""
        found: set[str] = set()
        for _, start in end.following:
            for edge in self.graph.nodes[start].edges:
                last = self.graph.nodes[edge.target]
                ends = last.end is not None and last.end.accepts and not last.end.following
                asks = edge.checks or (last.end is not None and last.end.checks)
                if not ends or asks or last.edges or edge.keys is None:
                    return frozenset()
                found |= edge.keys
        return frozenset(found)

    def _edge(self, holds: str, held: str, edge: Edge, going: _Going) -> Iterator[Word]:
        letter = self.letters[edge.letter]
        if letter.reserves or (letter.fly and not self.flights):
            self._cut(going)
            return
        if letter.fly:
            self.flown = True
            width, height = self.board.width, self.board.height
            for dy, dx in product(range(1 - height, height), range(1 - width, width)):
                if dx or dy:
                    yield from self._hop(holds, held, edge, going, dx, dy)
            return
        yield from self._hop(holds, held, edge, going, letter.dx, letter.dy)

    def _reached(self, square: Square, letter: Letter, dx: int, dy: int) -> Square | None:
        """Where a letter leads from a square, so far from it."""
        if not letter.fly:
            return self.board.step(square, dx, dy)
        x, y = square % self.board.width + dx, square // self.board.width + dy
        if not (0 <= x < self.board.width and 0 <= y < self.board.height):
            return None
        there = Square(x + y * self.board.width)
        return None if there in self.board.holes else there

    def _hop(
        self, holds: str, held: str, edge: Edge, going: _Going, dx: int, dy: int
    ) -> Iterator[Word]:
        letter = self.letters[edge.letter]
        there, squares = going.at, going.squares
        asks, leaves, hand = dict(going.asks), dict(going.leaves), going.hand
        took, moved, has_moved = going.took, dict(going.moved), going.has_moved
        if letter.moves:
            has_moved = MOVED
            there = (going.at[0] + dx, going.at[1] + dy)
            stepped = {
                origin: self._reached(square, letter, dx, dy) for origin, square in squares.items()
            }
            squares = {origin: square for origin, square in stepped.items() if square is not None}
            if not self._met(asks, leaves, there, self.classes[letter.on]):
                return
        elif letter.removes:
            some = edge.keys if edge.keys is not None else self.every - {EMPTY}
            if not self._met(asks, leaves, there, some):
                return
            leaves[there] = EMPTY
            took = (*took, there)
            moved.pop(there, None)
        else:
            if held:
                leaves[there], moved[there] = held, has_moved
            has_moved = STAYED
            if self.hands:
                if hand is not None:
                    self._cut(going)
                    return
                hand = letter.piece
        if not squares or not self._tied(edge.checks, going, there):
            return
        ties = dict(going.ties)
        for store in edge.stores:
            ties[store.register] = self._offset(store.square, going, there)
        came = going.at if edge.pending and letter.moves else going.came
        yield from self._node(
            holds,
            _Going(
                edge.target, there, squares, (*going.letters, letter), (*going.path, there),
                asks, leaves, ties, came, hand, took, moved, has_moved,
                going.changes + (not letter.moves), going.met,
            ),
        )  # fmt: skip

    def _met(
        self,
        asks: dict[Offset, frozenset[str]],
        leaves: Mapping[Offset, str],
        at: Offset,
        some: frozenset[str],
    ) -> bool:
        """Whether a square may hold some contents now; what it held before is noted."""
        if at in leaves:
            return leaves[at] in some
        asks[at] = asks.get(at, self.every) & some
        return bool(asks[at])

    def _tied(self, checks: Sequence[Check], going: _Going, there: Offset) -> bool:
        return all(
            self._offset(check.one, going, there) == self._offset(check.other, going, there)
            for check in checks
        )

    def _offset(self, square: str, going: _Going, there: Offset) -> Offset | None:
        if square == HERE:
            return going.at
        if square == THERE:
            return there
        if square == CAME:
            return going.came
        return going.ties.get(int(square.removeprefix("w->tie[").removesuffix("]")))


def clash(
    one: Word,
    other: Word,
    every: frozenset[str],
    counted: frozenset[str],
    removed: frozenset[str] = frozenset(),
) -> Stem | None:
    """Where two words may have the same effect from one origin; None where they never do.

    Of pieces in `counted` the hand has one less when one appears, of others only where it lists
    them. What the words leave alone may be removed afterwards if it is one of `removed`.
    """
    if one.holds != other.holds or (one.hand != other.hand and counted & {one.hand, other.hand}):
        return None
    for at in (one.end, other.end, *one.leaves, *other.leaves):
        if at in one.leaves and at in other.leaves:
            if one.leaves[at] != other.leaves[at]:
                return None
        elif at in one.leaves or at in other.leaves:
            before = one.asks.get(at, every) & other.asks.get(at, every)
            if before & removed:
                before |= {EMPTY}
            if (one.leaves[at] if at in one.leaves else other.leaves[at]) not in before:
                return None
    asks = dict(one.asks)
    for at, some in other.asks.items():
        asks[at] = asks.get(at, every) & some
    return Stem(asks, one.origins & other.origins) if all(asks.values()) else None
