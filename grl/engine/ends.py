"""On which squares first segments of a player's turns end: a walk with sets of hands.

A hand on its way is a square. Where the letters to come look at nothing that the turn itself has
changed, all hands in one state go on together, whatever their origins, and pieces that go on alike
are one: a `Stage` is such a state. Where more decides - what the turn has changed, ties, what is
left in reserve, whether a further segment follows - hands go on as far as they may, and their ends
are only possible ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grl.board import EMPTY, Equipment
from grl.engine.graph import Edge, Graph, Node
from grl.turn import Letter

MOST_VISITED = 20_000
"""Beginnings of first segments that are looked at; where there are more all is open."""

Offset = tuple[int, int]
Going = tuple[int, Offset | None, frozenset[Offset | None]]
"""A node, how far from the origin the hand is, and the distances of squares that were changed; None
for those that a flight has led to."""
NEVER, MAYBE, ALWAYS = range(3)
"""Whether first segments end in a stage."""


class Way(NamedTuple):
    """Where a letter leads hands: by a displacement, in a flight, or nowhere else.

    What lies there before the turn is one of `keys`; whatever it is where there are none.
    """

    by: Offset | None
    fly: bool
    keys: tuple[str, ...] | None


class Stage(NamedTuple):
    """Hands on their way: the contents of squares on which they begin, whether segments end here,
    and how they go on, to which stages."""

    starts: tuple[str, ...]
    ends: int
    ways: tuple[tuple[Way, int], ...]


def stages_of(
    graph: Graph, equipment: Equipment, letters: Sequence[Letter], *, hands: bool, whole: bool
) -> tuple[Stage, ...]:
    """The stages of a player's first segments.

    With `hands` pieces that appear may be lacking; `whole`: words that are accepted are turns.
    """
    stages = _Finder(graph, equipment, letters, hands, whole).stages()
    return _merged(leading_to(stages, (MAYBE, ALWAYS)))


def open_starts(stages: Sequence[Stage]) -> tuple[str, ...]:
    """The contents of squares from which segments may end where stages don't say for sure."""
    left = leading_to(stages, (MAYBE,))
    return tuple(sorted({key for stage in left for key in stage.starts}))


class _Finder:
    """Looks at how segments come about, and where letters look at what these have changed."""

    def __init__(
        self,
        graph: Graph,
        equipment: Equipment,
        letters: Sequence[Letter],
        hands: bool,
        whole: bool,
    ) -> None:
        self.graph, self.equipment, self.letters = graph, equipment, letters
        self.hands, self.whole = hands, whole
        view = equipment.views[graph.player]
        every = sorted({EMPTY, *equipment.pieces})
        self.classes = {on: tuple(key for key in every if view[key] == on) for on in "ewpn"}
        self.pieces = tuple(sorted(equipment.pieces))
        self.blind = self._blind()

    def stages(self) -> list[Stage]:
        """A stage for each node to which hands come for sure, and for each to which they may."""
        starts: dict[int, list[str]] = {}
        for holds, start in self.graph.starts:
            starts.setdefault(start, []).append(holds)
        numbers = {(start, True): number for number, start in enumerate(starts)}
        found: list[Stage] = []
        while len(found) < len(numbers):
            number, sure = list(numbers)[len(found)]
            node = self.graph.nodes[number]
            ways = []
            for edge in node.edges:
                way, known = self._way(number, edge)
                target = numbers.setdefault((edge.target, sure and known), len(numbers))
                ways.append((way, target))
            begun = tuple(starts.get(number, ())) if sure else ()
            found.append(Stage(begun, self._ends(node, sure), tuple(ways)))
        return found

    def _ends(self, node: Node, sure: bool) -> int:
        if node.end is None:
            return NEVER
        certain = sure and self.whole and node.end.accepts and not node.end.checks
        return ALWAYS if certain else MAYBE

    def _way(self, number: int, edge: Edge) -> tuple[Way, bool]:
        """How an edge leads hands on, and whether that is all that decides."""
        letter, blind = self.letters[edge.letter], (number, edge) in self.blind
        known = not (blind or edge.checks or (letter.appears and self.hands))
        keys: tuple[str, ...] | None = None
        if letter.moves:
            keys = self.classes[letter.on]
        elif letter.removes:
            keys = self.pieces if edge.keys is None else tuple(sorted(edge.keys))
        by = (letter.dx, letter.dy) if letter.steps else None
        return Way(by, letter.fly, None if blind else keys), known

    def _blind(self) -> set[tuple[int, Edge]]:
        """The edges, by node, that may look at what the turn has changed before."""
        blind: set[tuple[int, Edge]] = set()
        waiting: list[Going] = []
        met: set[Going] = set()

        def follow(number: int, edge: Edge, held: str, going: Going) -> None:
            sees, after = self._after(edge, held, going)
            if sees:
                blind.add((number, edge))
            if after not in met and self._on_board(after[1]):
                met.add(after)
                waiting.append(after)

        for holds, start in self.graph.starts:
            for edge in self.graph.nodes[start].edges:
                lifts = holds != EMPTY and not self.letters[edge.letter].removes
                changed: frozenset[Offset | None] = frozenset({(0, 0)} if lifts else ())
                follow(start, edge, holds if lifts else "", (start, (0, 0), changed))
        while waiting:
            if len(met) > MOST_VISITED:
                return {(node.number, edge) for node in self.graph.nodes for edge in node.edges}
            going = waiting.pop()
            node = self.graph.nodes[going[0]]
            for edge in node.edges:
                follow(node.number, edge, node.held, going)
        return blind

    def _after(self, edge: Edge, held: str, going: Going) -> tuple[bool, Going]:
        """Whether a letter may look at what was changed, and what comes of it."""
        letter, (_, at, changed) = self.letters[edge.letter], going
        if letter.fly:  # no flight ends where it began
            return bool(changed - {at} or (at is None and changed)), (edge.target, None, changed)
        if letter.moves:
            at = None if at is None else (at[0] + letter.dx, at[1] + letter.dy)
        looks = letter.moves or letter.removes
        sees = looks and bool(changed) and (at is None or not changed.isdisjoint({at, None}))
        if letter.removes or (letter.appears and held):
            changed |= {at}
        return sees, (edge.target, at, changed)

    def _on_board(self, at: Offset | None) -> bool:
        board = self.equipment.board
        return at is None or (abs(at[0]) < board.width and abs(at[1]) < board.height)


def leading_to(stages: Sequence[Stage], wanted: Sequence[int]) -> list[Stage]:
    """The stages from which hands come to such as end in a wanted way."""
    before: dict[int, list[int]] = {}
    for number, stage in enumerate(stages):
        for _, target in stage.ways:
            before.setdefault(target, []).append(number)
    waiting = [number for number, stage in enumerate(stages) if stage.ends in wanted]
    kept = set(waiting)
    while waiting:
        for number in before.get(waiting.pop(), ()):
            if number not in kept:
                kept.add(number)
                waiting.append(number)
    places = {number: place for place, number in enumerate(sorted(kept))}
    return list(_renumbered((stages[number] for number in places), places))


def _renumbered(stages: Iterable[Stage], places: dict[int, int]) -> Iterator[Stage]:
    """Stages with ways to those that have a place, each once and in order."""
    for stage in stages:
        ways = {(way, places[target]) for way, target in stage.ways if target in places}
        yield stage._replace(ways=tuple(sorted(ways, key=_order)))


def _order(way: tuple[Way, int]) -> tuple[int, Offset, bool, bool, tuple[str, ...]]:
    (by, fly, keys), target = way
    return target, by or (0, 0), fly, keys is not None, keys or ()


def _merged(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Stages from which hands go on alike become one, with the starts of all."""
    blocks = [stage.ends for stage in stages]
    while True:
        known: dict[object, int] = {}
        finer = []
        for block, stage in zip(blocks, stages, strict=True):
            ways = frozenset((way, blocks[target]) for way, target in stage.ways)
            finer.append(known.setdefault((block, ways), len(known)))
        if len(known) == len(set(blocks)):
            break
        blocks = finer
    merged: dict[int, Stage] = {}
    for block, stage in zip(finer, stages, strict=True):
        same = merged.get(block, stage._replace(starts=()))
        merged[block] = same._replace(starts=tuple(sorted({*same.starts, *stage.starts})))
    return tuple(_renumbered(merged.values(), dict(enumerate(finer))))
