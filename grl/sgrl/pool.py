"""Evidence of one automaton, pooled with that of every automaton that mirrors it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from grl.board import Equipment
from grl.model import AutomatonKey
from grl.sgrl.automaton import FINAL, START, Automaton
from grl.sgrl.offers import Node, OfferTree
from grl.sgrl.silence import Silence, fit
from grl.sgrl.symmetry import Symmetry, symmetries
from grl.sgrl.words import Word
from grl.turn import Letter

SYMMETRY_BITS = 15.0
"""How much silence the images of one automaton's words may cost in another's records."""
WALK_LIMIT = 100_000
"""Prefixes that one walk may visit; a language that offers more is not considered."""
ROWS_PER_OFFER = 2
"""Places, for each offer and each square of the board, that the prefixes of one walk may fit."""


class PooledNode:
    """One prefix in several offer trees at once."""

    def __init__(self, members: Sequence[tuple[Node, Symmetry | None]]) -> None:
        self.members = members
        self.children: dict[Letter, PooledNode] = {}
        self.offers = sum(len(node.offer) for node, _ in members)

    def child(self, letter: Letter) -> PooledNode:
        """The prefix one letter longer; `letter` is as the pool's own automaton spells it."""
        found = self.children.get(letter)
        if found is None:
            members = []
            for node, back in self.members:
                own = letter if back is None else back.letter(letter)
                if own is not None and len(node.offer):
                    members.append((node.child(own), back))
            found = self.children[letter] = PooledNode(members)
        return found

    @cached_property
    def count(self) -> int:
        """How often the word that ends here was seen."""
        return sum(node.count for node, _ in self.members)

    @cached_property
    def expected(self) -> float:
        """How often it would have been seen, were it one of the language."""
        return sum(node.expected for node, _ in self.members)


class Pool:
    """The words seen of one automaton and of its mirror images, and what their silence costs.

    `mirrors` holds offer trees with the map that takes this automaton's letters to theirs.
    """

    def __init__(self, tree: OfferTree, mirrors: Iterable[tuple[OfferTree, Symmetry]] = ()) -> None:
        mirrors = list(mirrors)
        self.own = tree
        self.root = PooledNode(
            [(tree.root, None), *((other.root, back) for other, back in mirrors)]
        )
        words = set(tree.seen)
        for other, back in mirrors:
            forth = back.inverse
            words |= {image for w in other.seen if (image := forth.word(w)) is not None}
        self.words: list[Word] = sorted(words)
        self.silence: Silence = fit(
            (node.expected, node.count) for node in map(self.node, self.words)
        )

    def node(self, word: Word) -> PooledNode:
        """The node of a whole word."""
        node = self.root
        for letter in word:
            node = node.child(letter)
        return node

    @cached_property
    def alphabet(self) -> list[Letter]:
        return sorted({letter for word in self.words for letter in word})

    def silence_bits(self, automaton: Automaton, limit: float = float("inf")) -> float:
        """What it costs that words of `automaton` were offered and never seen.

        Infinite as soon as it exceeds `limit`, or when the walk gets out of hand. Short words come
        first: they are offered most, so a bad automaton is given up early.
        """
        total = 0.0
        squares = len(self.own.scene.geometry.squares)
        room = ROWS_PER_OFFER * squares * self.root.offers
        queue = [(self.root, START)]
        for node, state in queue:
            for letter, target in automaton.delta[state]:
                if letter.fly and node.offers * squares > room:
                    return float("inf")
                child = node.child(letter)
                if not child.offers:
                    continue
                room -= child.offers
                if target != FINAL:
                    queue.append((child, target))
                elif not child.count:
                    total += self.silence.bits(child.expected)
                    if total > limit:
                        return float("inf")
            if len(queue) > WALK_LIMIT or room < 0:
                return float("inf")
        return total

    def total_bits(self, automaton: Automaton, limit: float = float("inf")) -> float:
        """Description and silence together: what a candidate is judged by."""
        bits = automaton.bits(len(self.alphabet))
        return bits + self.silence_bits(automaton, limit - bits)


def pools(
    trees: Mapping[AutomatonKey, OfferTree], equipment: Equipment, *, symmetry: bool = True
) -> dict[AutomatonKey, Pool]:
    """A pool for every automaton, over all mirror images that the records bear out."""
    alone = {key: Pool(tree) for key, tree in trees.items()}
    if not symmetry:
        return alone
    result = {}
    for key, tree in trees.items():
        mirrors = [
            (trees[other], back)
            for other in trees
            for back in symmetries(equipment, key, other)
            if _image_bits(alone[key], back, alone[other]) <= SYMMETRY_BITS
            and _image_bits(alone[other], back.inverse, alone[key]) <= SYMMETRY_BITS
        ]
        result[key] = Pool(tree, mirrors) if mirrors else alone[key]
    return result


def _image_bits(source: Pool, symmetry: Symmetry, target: Pool) -> float:
    """What it costs that images of `source`'s words are not among `target`'s."""
    total = 0.0
    for word in source.words:
        image = symmetry.word(word)
        if image is None:
            return float("inf")
        node = target.node(image)
        if not node.count:
            total += target.silence.bits(node.expected)
            if total > SYMMETRY_BITS:
                return total
    return total
