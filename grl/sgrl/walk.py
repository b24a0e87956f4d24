"""Prefixes of words in several offer trees at once, and walks over a language's prefixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from grl.sgrl.automaton import FINAL, START, Automaton
from grl.sgrl.detours import Places, Visit
from grl.sgrl.offers import Node, OfferTree
from grl.sgrl.silence import Silence
from grl.sgrl.symmetry import Symmetry
from grl.sgrl.wrapping import Wrapping
from grl.turn import Letter

DETOUR_BITS = 16.0
"""What it costs that words of a language may come back to where they were, by each last letter.

Nothing is offered then that isn't offered without, so silence doesn't speak against it: rides there
and back would save a state, and the piece seems to do what nobody saw."""
CROWDED = 20_000
"""Prefixes after which a walk leaves out those that lead nowhere new."""


class Pooled(Protocol):
    """What prefixes ask of the pool that they are of."""

    @property
    def members(self) -> Sequence[tuple[OfferTree, Symmetry | None]]:
        """The trees, with the maps that take the pool's letters to theirs."""

    @property
    def wrapping(self) -> Wrapping:
        """Which edges of the board meet."""

    @property
    def silence(self) -> Silence:
        """What it costs that words were offered and never seen."""


class PooledNode:
    """One prefix in several offer trees at once; a tree is only asked when its answer matters."""

    __slots__ = (
        "_asked", "_counted", "_expected", "_members", "_offers", "children", "depth", "letter",
        "parent", "pool", "seen",
    )  # fmt: skip

    def __init__(self, pool: Pooled, parent: PooledNode | None, letter: Letter | None) -> None:
        self.pool = pool
        self.parent = parent
        self.letter = letter
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.children: dict[Letter, PooledNode] = {}
        self.seen = False
        self._offers: int | None = None
        self._members: dict[int, Node | None] = {}
        self._expected = 0.0
        self._asked = 0
        self._counted: set[int] | None = None

    def child(self, letter: Letter) -> PooledNode:
        """The prefix one letter longer; `letter` is as the pool's own automaton spells it."""
        found = self.children.get(letter)
        if found is None:
            found = self.children[letter] = PooledNode(self.pool, self, letter)
        return found

    def member(self, index: int) -> Node | None:
        """This prefix in one of the trees; None where it can't be spelled or never fits."""
        if index in self._members:
            return self._members[index]
        tree, back = self.pool.members[index]
        node: Node | None = tree.root
        if self.parent is not None and self.letter is not None:
            node = self.parent.member(index)
            own = self.letter if back is None else back.letter(self.letter)
            if own is not None and back is not None:
                own = self.pool.wrapping.plain(own)
            node = None if node is None or own is None else node.child(own)
        found = node if node is not None and len(node.offer) else None
        self._members[index] = found
        return found

    @property
    def offers(self) -> int:
        """At how many places the prefix fits, in the first tree where it fits at all."""
        if self._offers is None:
            _, node = self._first()
            self._offers = 0 if node is None else len(node.offer)
        return self._offers

    def places(self) -> list[int]:
        """Numbers for what holds at those places by then."""
        index, node = self._first()
        return [] if node is None else (node.places() + np.uint64(index)).tolist()

    def _first(self) -> tuple[int, Node | None]:
        """The first tree where the prefix fits at all, by number, and the prefix there."""
        above = {} if self.parent is None else self.parent._members
        for index in range(len(self.pool.members)):
            if index in above and above[index] is None:
                continue
            node = self.member(index)
            if node is not None:
                return index, node
        return 0, None

    def surprise(self, limit: float = float("inf")) -> float:
        """What the silence on this word costs; trees are added up until that exceeds `limit`."""
        members = len(self.pool.members)
        while self._asked < members:
            if self.pool.silence.bits(self._expected) > limit:
                break
            node = self.member(self._asked)
            if self._counted is None:
                self._counted = set()
            if node is not None and id(node) not in self._counted:
                self._counted.add(id(node))
                self._expected += node.expected
            self._asked += 1
        return self.pool.silence.bits(self._expected)

    def most_surprise(self) -> float:
        """No silence on a word that begins so costs more than that."""
        members = map(self.member, range(len(self.pool.members)))
        expected = sum(node.tree.most_expected(node) for node in members if node is not None)
        return self.pool.silence.bits(expected)

    def detour_surprise(self) -> float:
        """What its silence would cost if the record listed every spelling of a turn."""
        nodes = (self.member(index) for index in range(len(self.pool.members)))
        expected = max(
            (node.tree.expectation(node, detours=True) for node in nodes if node is not None),
            default=0.0,
        )
        return self.pool.silence.bits(expected)

    def sightings(self) -> tuple[float, int]:
        """How often the word that ends here would have been seen, and how often it was.

        A word that a map leaves as it is counts once.
        """
        members = map(self.member, range(len(self.pool.members)))
        nodes = {id(node): node for node in members if node is not None}.values()
        return sum(node.expected for node in nodes), sum(node.count for node in nodes)

    def games(self) -> set[int]:
        """The games in which the word that ends here was seen, of this piece or its images."""
        members = map(self.member, range(len(self.pool.members)))
        return set[int]().union(*(node.games for node in members if node is not None))


Parted = tuple[Sequence[Letter], Sequence[tuple[Letter, int]]]
"""The letters by which words end in a state, and those that lead on, with the states they lead to.
"""


def parted(automaton: Automaton) -> Callable[[int], Parted]:
    """The rows of an automaton, parted."""
    rows = [part(dict(row)) for row in automaton.delta]
    return rows.__getitem__


def part(row: Mapping[Letter, int]) -> Parted:
    """The letters of a state that end words, and the others."""
    ends = [letter for letter, target in row.items() if target == FINAL]
    return ends, [(letter, target) for letter, target in row.items() if target != FINAL]


class Walk:
    """Prefixes of an automaton's words, and the silence of those words, within bounds.

    `bits` is infinite where the silence exceeds the limit, or when the walk gets out of hand and
    is `lost`: when it visits more than `most` prefixes, or these fit at more than `room` places.
    Short words come first: they are offered most, so a bad automaton is given up early. Those of
    more than `longest` letters are not looked at.

    Where there are more than `CROWDED`, one is left out if shorter ones lead to the same state at
    all of its places with the same squares emptied: what follows it follows those.
    """

    def __init__(
        self, squares: int, limit: float, most: int, room: int, longest: float, places: Places
    ) -> None:
        self.squares, self.limit, self.most, self.room = squares, limit, most, room
        self.longest = longest
        self.places = places
        self.bits = 0.0
        self.lost = False
        self.detours: set[tuple[int, Letter]] = set()
        self.queue: list[tuple[PooledNode, int]] = []
        self.visits: list[Visit] = []
        self.reached: dict[int, set[int]] = {}

    def go(self, begins: Sequence[tuple[PooledNode, Visit]], rows: Callable[[int], Parted]) -> None:
        """Visit some prefixes, with the states that they lead to, and all that go on from them."""
        for node, visit in begins:
            self.end(node, rows(visit.state)[0])
        queue = self.queue = [(node, visit.state) for node, visit in begins]
        visits = self.visits = [visit for _, visit in begins]
        for (node, state), visit in zip(queue, visits, strict=False):
            if self.bits > self.limit or len(queue) > self.most or self.room < 0:
                break
            if node.depth + 2 > self.longest:
                continue
            children = node.children
            for letter, target in rows(state)[1]:
                if letter.fly and node.offers * self.squares > self.room:
                    self.room = -1
                    break
                child = children.get(letter) or node.child(letter)
                offers = child._offers
                if offers is None:
                    offers = child.offers
                if not offers:
                    continue
                further = visit.on(letter, target)
                if further is None:
                    self.detour(target, letter)
                    continue
                if len(queue) > CROWDED and not self.reaches(child, target):
                    continue
                self.room -= offers
                queue.append((child, target))
                visits.append(further)
                ends = rows(target)[0]
                if ends:
                    self.end(child, ends)
                    if self.bits > self.limit:
                        break
        self.lost = self.bits <= self.limit and (len(queue) > self.most or self.room < 0)
        if self.bits > self.limit or self.lost:
            self.bits = float("inf")

    def begin(self, root: PooledNode, rows: Callable[[int], Parted]) -> None:
        """Visit all prefixes."""
        self.go([(root, self.places.begin(START))], rows)

    def reaches(self, node: PooledNode, state: int) -> bool:
        """Whether a prefix leads to a state at a place where no prefix before it does."""
        if not self.reached:
            for before, where in self.queue:
                self.reached.setdefault(where, set()).update(before.places())
        reached = self.reached.setdefault(state, set())
        places = node.places()
        if reached.issuperset(places):
            return False
        reached.update(places)
        return True

    def detour(self, state: int, letter: Letter) -> None:
        """Count what it costs that a detour comes to an end in a state by a letter."""
        if (state, letter) not in self.detours:
            self.detours.add((state, letter))
            self.bits += DETOUR_BITS

    def end(self, node: PooledNode, finals: Sequence[Letter]) -> None:
        """Count what it costs that the prefix `node`, ended by any of `finals`, was never seen."""
        for final in finals:
            word = node.children.get(final) or node.child(final)
            if not word.seen:
                self.bits += word.surprise(self.limit - self.bits)
