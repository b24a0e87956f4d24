"""Turns that don't look like the others: noise in the records, found and set aside on request.

A word of the language may be rare because it is seldom offered, or because a rule forbids it on
most of the board; but on some rank or file it is seen about as often as was to be expected. A slip
of the pen is seen once or twice where it was offered a hundred times. So a word is suspicious when
its count is surprisingly low on the board and on every rank and file where it was seen. Where
mirror images of a piece share their evidence, images that were never seen add to the surprise. A
word that is only a little surprising is suspicious when the automaton would be far simpler without
it: when describing a slip takes fewer bits than describing that word.
Words that are truly rare everywhere look the same: that is why this is an option, and why what it
sets aside is listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from grl.board import Equipment
from grl.model import AutomatonKey
from grl.sgrl.automaton import accepts
from grl.sgrl.collect import collect, words_of
from grl.sgrl.evidence import Decision, Evidence
from grl.sgrl.learn import cheapest
from grl.sgrl.offers import Node, OfferTree
from grl.sgrl.pool import Pool, mirrors
from grl.sgrl.symmetry import Symmetry
from grl.sgrl.words import Word

SUSPICIOUS_BITS = 4.0
REGION_BITS = 3.0
DOUBTFUL_BITS = 1.0
SLIP_BITS = 12.0
"""A slip costs about as many bits to describe: that it is one in hundreds of turns, and which."""
LONE_BITS = 60.0
"""By so much a word seen once, and offered as seldom, must make an automaton more expensive."""
FEW = 4
"""Words seen no more often than this say nothing of mirror images and of rates."""
MAX_ROUNDS = 4
NOISY_SHARE = 0.0035
"""Above this share of suspicious turns, or of breaks in games, nothing is called sure."""


@dataclass(frozen=True)
class Cleaned:
    """Evidence without suspicious turns, and those turns with their counts, by decision.

    `searched` says whether any were looked for.
    """

    evidence: Evidence
    removed: Mapping[Decision, Mapping[str, int]]
    searched: bool = True

    @property
    def share(self) -> float:
        """The share of all turns that was set aside."""
        gone = sum(sum(turns.values()) for turns in self.removed.values())
        left = sum(sum(turns.values()) for turns in self.evidence.decisions.values())
        return gone / max(gone + left, 1)


def clean(evidence: Evidence, equipment: Equipment) -> Cleaned:
    """Set suspicious turns aside until nothing more is suspicious, in a few rounds at most."""
    removed: dict[Decision, dict[str, int]] = {}
    for _ in range(MAX_ROUNDS):
        suspicious = suspicious_words(collect(evidence, equipment), equipment)
        if not suspicious:
            break
        kept: dict[Decision, dict[str, int]] = {}
        for decision, turns in evidence.decisions.items():
            bad = {
                text: count
                for text, count in turns.items()
                if any(pair in suspicious for pair in words_of(decision, text, equipment))
            }
            removed.setdefault(decision, {}).update(bad)
            good = {text: count for text, count in turns.items() if text not in bad}
            if good:
                kept[decision] = good
        evidence = evidence.of(kept)
    return Cleaned(evidence, {decision: turns for decision, turns in removed.items() if turns})


def suspicious_words(
    trees: Mapping[AutomatonKey, OfferTree], equipment: Equipment
) -> set[tuple[AutomatonKey, Word]]:
    """The words that were seen far too seldom, on the board and on each of its ranks and files."""
    for scene in {id(tree.scene): tree.scene for tree in trees.values()}.values():
        scene.calibrate(least=FEW + 1)
    images = mirrors(trees, equipment, least=FEW + 1)
    suspicious: set[tuple[AutomatonKey, Word]] = set()
    doubtful: dict[AutomatonKey, dict[Word, float]] = {}
    for key, tree in trees.items():
        doubtful[key] = {}
        for word, node in tree.seen.items():
            expected, count = _sightings_of_images(node, word, images[key])
            surprise = _least_surprise(node, (expected, count))
            if surprise >= SUSPICIOUS_BITS:
                suspicious.add((key, word))
            if node.count <= FEW and surprise >= DOUBTFUL_BITS:
                doubtful[key][word] = SLIP_BITS
            elif node.count + count == 1:
                doubtful[key][word] = LONE_BITS
    return suspicious | _dear_words(trees, images, doubtful)


def _dear_words(
    trees: Mapping[AutomatonKey, OfferTree],
    images: Mapping[AutomatonKey, Sequence[tuple[OfferTree, Symmetry]]],
    doubtful: Mapping[AutomatonKey, Mapping[Word, float]],
) -> set[tuple[AutomatonKey, Word]]:
    """Doubtful words without any of which, and with which alone, automata differ by many bits.

    By how many is given with each word.
    """
    found = set()
    for key, words in doubtful.items():
        tree = trees[key]
        if not words or len(words) == len(tree.seen):
            continue
        without = {trees[other]: doubtful[other].keys() for other in trees}
        plain = cheapest(Pool(tree, images[key], without=without))
        for word, price in words.items():
            if not accepts(plain.automaton, word):
                rest = {**without, tree: words.keys() - {word}}
                if cheapest(Pool(tree, images[key], without=rest)).bits - plain.bits >= price:
                    found.add((key, word))
    return found


def _sightings_of_images(
    own: Node, word: Word, images: Sequence[tuple[OfferTree, Symmetry]]
) -> tuple[float, float]:
    """How often the mirror images of a word were to be expected, and how often they were seen."""
    nodes: dict[int, Node] = {}
    for tree, back in images:
        image = back.word(word)
        node = tree.root
        for letter in image or ():
            node = node.child(letter)
        if image is not None and node is not own:
            nodes[id(node)] = node
    expected = sum(node.tree.expectation(node) for node in nodes.values() if len(node.offer))
    return expected, sum(node.count for node in nodes.values())


def _least_surprise(node: Node, images: tuple[float, float]) -> float:
    """The surprise at so low a count, under the explanation that makes it least.

    Explanations are that the word belongs to the whole board, or to the squares of one rank or
    one file, which costs `REGION_BITS`; then as large a part of the expected images counts.
    """
    scene = node.tree.scene
    board = scene.geometry.board
    rate = scene.unit[node.row] * scene.ratio[node.meets, node.row]
    weight = np.zeros(len(node.tree.row))
    weight[node.seen_offers] = node.seen_counts
    shape = (board.height, board.width)
    expected = np.bincount(node.square, weights=rate, minlength=board.size).reshape(shape)
    seen = np.bincount(node.square, weights=weight[node.offer], minlength=board.size).reshape(shape)
    total = float(expected.sum())
    image_expected, image_seen = images
    least = _surprise(total + image_expected, float(seen.sum()) + image_seen)
    for axis in (0, 1):
        for e, n in zip(expected.sum(axis).tolist(), seen.sum(axis).tolist(), strict=True):
            if n > 0:
                alike = image_expected * e / max(total, 1e-9)
                least = min(least, REGION_BITS + _surprise(e + alike, n + image_seen))
    return least


def _surprise(expected: float, count: float) -> float:
    """The surprise, in bits, at no more than `count` sightings where `expected` were due.

    With a rate that varies like an exponential (Gamma with alpha = 1) their chance is
    ``1 - (E / (1 + E)) ** (n + 1)``.
    """
    return -log2(1.0 - (expected / (1.0 + expected)) ** (count + 1.0))
