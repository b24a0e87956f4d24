"""The offer tree: which words fit the board, where, and which of them were ever legal.

A node is a prefix of a word; it holds, as numpy arrays, every place where that prefix can be
carried out: the row of a board, the hand's square, and the squares emptied on the way. Children
are made when asked for. The tree knows no hypothesis: every candidate automaton is walked over
the same nodes, so a board is looked at once for each prefix and never again.

This is the vectorised form of the walk in `grl.moves.search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grl.board import HOLE, Board, Equipment, Player, Square, Stock
from grl.sgrl.hash_set import Hashes, HashSet
from grl.sgrl.words import Word
from grl.sgrl.wrapping import NO_EDGE, Wrapping
from grl.turn import Letter

CODES = {"e": 0, "w": 1, "p": 2, "n": 3}
OFF_BOARD = 4
MOST_MET = 4
"""Words that meet as many pieces or more are counted together."""

Indices = NDArray[np.int32]
Characters = NDArray[np.uint32]
Kept = Mapping[str, frozenset[int]]

NOWHERE: Indices = np.empty(0, np.int32)
NEVER: NDArray[np.float64] = np.empty(0)


def characters_of(cells: Sequence[str], size: int) -> Characters:
    """Boards of `size` squares as rows of code points."""
    text = "".join(cells).encode("utf-32-le")
    return np.frombuffer(text, dtype=np.uint32).reshape(len(cells), size)


class Geometry:
    """Displacements as tables and random numbers for squares, for one board.

    Under a `wrapping` steps lead across the edges that meet.
    """

    def __init__(self, board: Board, wrapping: Wrapping = NO_EDGE) -> None:
        self.board, self.wrapping = board, wrapping
        self._tables: dict[tuple[int, int], Indices] = {}
        random = np.random.default_rng(20170)
        shape = (2, board.size)
        self.landing, self.emptied = random.integers(0, 2**63, shape).astype(np.uint64)
        self.squares = np.array(board.squares, dtype=np.int32)

    def table(self, dx: int, dy: int) -> Indices:
        """For every square where a step by (dx, dy) leads, -1 for nowhere."""
        table = self._tables.get((dx, dy))
        if table is None:
            steps = [
                -1 if s in self.board.holes else self._stepped(Square(s), dx, dy)
                for s in range(self.board.size)
            ]
            table = self._tables[dx, dy] = np.array(steps, dtype=np.int32)
        return table

    def _stepped(self, square: Square, dx: int, dy: int) -> int:
        for x, y in self.wrapping.displacements(dx, dy):
            target = self.board.step(square, x, y)
            if target is not None:
                return target
        return -1


class Scene:
    """Boards at which words are offered, seen by one mover, with what weighs the offers.

    `weights` holds how many choices were made at each row; `complete` marks the rows of which
    every legal word is known; `games` numbers the games in which they were met, a game a row where
    that isn't known. `kept` holds by piece which characters the mover keeps as that piece, where
    they lay when the turn began; without it any of them may be kept as any piece. Trees of several
    automata share a scene when their words compete for the same choice.
    """

    def __init__(
        self,
        equipment: Equipment,
        geometry: Geometry,
        mover: Player,
        characters: Characters,
        stocks: Sequence[Stock],
        weights: Sequence[int] | NDArray[np.int64],
        complete: Sequence[bool] | NDArray[np.bool_],
        games: NDArray[np.int64] | None = None,
        kept: Kept | None = None,
    ) -> None:
        self.geometry = geometry
        self.kept = kept
        self.characters = characters
        view = equipment.views[mover]
        code = np.full(max(map(ord, (*view, HOLE))) + 1, OFF_BOARD, dtype=np.uint8)
        for character, content in view.items():
            code[ord(character)] = CODES[content]
        self.codes = code[characters]
        self.bordered = np.full((len(characters), geometry.board.size + 1), OFF_BOARD, np.uint8)
        """The same with a square off the board behind each, to which -1 leads as well."""
        self.bordered[:, :-1] = self.codes
        self.weights = np.array(weights, dtype=np.float64)
        self.complete = np.array(complete, dtype=bool)
        self.games = np.arange(len(self.weights)) if games is None else games
        self.left: dict[str, NDArray[np.int64]] = {}
        for piece in {key for stock in stocks for owner, key, _ in stock if owner == mover}:
            counts = [
                next((n for owner, key, n in stock if owner == mover and key == piece), 1)
                for stock in stocks
            ]
            self.left[piece] = np.array(counts, dtype=np.int64)
        self.trees: list[OfferTree] = []

    def holding(self, piece: str) -> tuple[Indices, Indices]:
        """Rows and squares where the cell is `piece`."""
        rows, squares = np.nonzero(self.characters == ord(piece))
        return rows.astype(np.int32), squares.astype(np.int32)

    def calibrate(
        self, language: Mapping[OfferTree, Sequence[Node]] | None = None, least: int = 1
    ) -> None:
        """Count how offers turn into sightings, by row and by how many pieces a word meets.

        What is offered at a row are the words of `language`, complete words for every tree of the
        scene, or while no language is known the words that were seen. Rates by end square rest on
        words seen at least `least` times.
        """
        rows = len(self.weights)
        self.offered = np.zeros((rows, MOST_MET + 1))
        self.counted = np.zeros((rows, MOST_MET + 1))
        for tree in self.trees:
            seen = list(tree.seen.values())
            for node in seen if language is None else language[tree]:
                self.offered[:, node.meets] += np.bincount(node.row, minlength=rows)
            for node in seen:
                self.counted[:, node.meets] += np.bincount(
                    tree.row[node.seen_offers], weights=node.seen_counts, minlength=rows
                )
        chances = np.maximum(self.offered.sum(axis=1), 1.0)
        self.unit = np.where(self.complete, 1.0, self.weights / chances)
        self.ratio = np.ones((MOST_MET + 1, rows))
        overall = self._ratio(self.counted.sum(axis=0), (self.offered * self.unit[:, None]).sum(0))
        most = ((self.offered > 0) * np.arange(MOST_MET + 1)).max(axis=1, initial=0)
        single = ~self.complete
        for meets in range(MOST_MET + 1):
            expected = self.offered[:, meets] * self.unit
            counted = self.counted[:, meets]
            own = np.where(
                expected > 0, counted / np.where(expected > 0, expected, 1.0), overall[meets]
            )
            sums = [
                np.bincount(most[single], weights=each[single], minlength=MOST_MET + 1)
                for each in (counted, expected)
            ]
            self.ratio[meets] = np.where(self.complete, own, self._ratio(*sums)[most])
        self.most = self.unit * np.maximum.accumulate(self.ratio[::-1])[::-1]
        for tree in self.trees:
            tree.calibrate(least)

    @staticmethod
    def _ratio(count: object, expected: object) -> NDArray[np.float64]:
        counts, sums = np.asarray(count, dtype=float), np.asarray(expected, dtype=float)
        return np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), 1.0)


@dataclass(eq=False, slots=True)
class Node:
    """A prefix: for every place where it fits the offer, row and hand square, and what is empty.

    `emptied` has a row for each square emptied on the way, and a column for each place. `last` is
    its last letter, `mark` the mark after it, if the word is over. `count` is how often the word
    that ends here was seen; `seen_offers` and `seen_counts` say where.
    """

    tree: OfferTree
    depth: int
    offer: Indices
    row: Indices
    square: Indices
    emptied: Indices
    last: Letter | None = None
    mark: Letter | None = None
    empty_handed: bool = False
    met: int = 0
    on_piece: bool = False
    children: dict[Letter, Node] = field(default_factory=dict)
    count: int = 0
    seen_offers: Indices = field(default_factory=lambda: NOWHERE)
    seen_counts: NDArray[np.float64] = field(default_factory=lambda: NEVER)
    _expected: tuple[int, float] = (0, 0.0)

    def child(self, letter: Letter) -> Node:
        """The prefix one letter longer, wherever it still fits."""
        node = self.children.get(letter)
        if node is None:
            node = self.tree.extend(self, letter) if len(self.offer) else self
            if not len(node.offer):
                node = self.tree.nowhere
            self.children[letter] = node
        return node

    @property
    def meets(self) -> int:
        """How many pieces the word so far steps on, or takes off the board; `MOST_MET` or more."""
        return min(self.met, MOST_MET)

    @property
    def games(self) -> set[int]:
        """The games in which the word that ends here was seen."""
        rows = self.tree.row[self.seen_offers]
        return set(np.unique(self.tree.scene.games[rows]).tolist())

    @property
    def ending(self) -> Letter:
        """The letter that distinguishes words where they end: the last one, mark apart."""
        letter = self.last if self.last is not None else self.mark
        assert letter is not None
        return letter

    def places(self, at: NDArray[np.intp] | slice = slice(None)) -> Hashes:
        """For the places `at` numbers that say where the hand is by then, and what it emptied."""
        geometry = self.tree.scene.geometry
        mixed: Hashes = self.offer[at].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        if not len(mixed):
            return mixed
        if not self.empty_handed:
            mixed ^= geometry.landing.take(self.square[at])
        for emptied in self.emptied:
            mixed ^= geometry.emptied.take(emptied[at])
        return mixed

    def effects(self, at: NDArray[np.intp]) -> Hashes:
        """For the places `at` numbers that say what the word does there, if it ends here."""
        mixed = self.places(at)
        if len(mixed):
            mixed ^= _hash_letter(self.mark if self.mark is not None else self.ending)
        return mixed

    @property
    def expected(self) -> float:
        """E: how often this word would have been seen, were it one of the language.

        Where another word with the same effect was seen the record had no reason to list it.
        """
        if self._expected[0] != self.tree.calibrations:
            self._expected = self.tree.calibrations, self.tree.expectation(self)
        return self._expected[1]


def _hash_letter(letter: Letter) -> np.uint64:
    """A number for how a word ends: its mark, or the piece that takes over."""
    value = 0
    for character in f"{letter.on}{letter.piece}":
        value = (value * 1_000_003 + ord(character)) & 0xFFFF_FFFF
    return np.uint64(value)


class Prefix(Protocol):
    """A prefix of words, with those a letter longer as far as they were made."""

    children: dict[Letter, Any]


def prune(root: Prefix, words: Iterable[Word]) -> None:
    """Drop all below `root` that is no prefix of any of `words`.

    What is dropped loses its children: where these know it, it would stay until it is collected.
    """
    kept = {root}
    for word in words:
        node = root
        for letter in word:
            if letter not in node.children:
                break
            node = node.children[letter]
            kept.add(node)
    dropped: list[Prefix] = []
    for node in kept:
        dropped += (child for child in node.children.values() if child not in kept)
        node.children = {x: child for x, child in node.children.items() if child in kept}
    for node in dropped:
        dropped += node.children.values()
        node.children = {}


class OfferTree:
    """All words of one automaton's control in one scene.

    `row` and `square` place the offers; `lifted` says whether the hand takes up what lies
    there (then the square is empty while the hand is away).
    """

    def __init__(self, scene: Scene, row: Indices, square: Indices, *, lifted: bool) -> None:
        self.scene = scene
        self.row = row
        self.lifted = lifted
        self.root = Node(
            tree=self,
            depth=0,
            offer=np.arange(len(row), dtype=np.int32),
            row=row,
            square=square,
            emptied=square[None, :] if lifted else np.empty((0, len(row)), dtype=np.int32),
        )
        self.nowhere = Node(self, 0, NOWHERE, NOWHERE, NOWHERE, np.empty((0, 0), np.int32))
        """All prefixes that fit nowhere: most of those that are asked for, where turns are long."""
        self.seen: dict[Word, Node] = {}
        self._seen_effects = HashSet(np.empty(0, np.uint64))
        self._sighted = np.zeros(len(row), dtype=bool)
        self._endings: dict[Letter, NDArray[np.float64]] = {}
        self.marks: dict[Letter, int] = {}
        self.numbers = 0
        """How many numbers the nodes hold that were made since the tree last forgot some."""
        self.calibrations = 0
        scene.trees.append(self)

    def add_sightings(self, word: Word, offers: Indices, counts: NDArray[np.float64]) -> None:
        """Note that `word` was legal, or chosen, `counts` times at each of `offers`."""
        node = self.root
        for letter in word:
            node = node.child(letter)
        assert node is not self.nowhere
        node.seen_offers, node.seen_counts = offers, counts
        node.count = int(counts.sum())
        self.seen[word] = node
        if node.mark is not None:
            self.marks[node.mark] = self.marks.get(node.mark, 0) + node.count

    def forget(self) -> None:
        """Let go of the prefixes that begin no word seen; they can be made again."""
        prune(self.root, self.seen)
        self.numbers = 0

    def extend(self, node: Node, letter: Letter) -> Node:
        """The child of `node` by `letter`."""
        child = self._extended(node, letter)
        self.numbers += (3 + len(child.emptied)) * len(child.offer)
        return child

    def _extended(self, node: Node, letter: Letter) -> Node:
        scene, geometry = self.scene, self.scene.geometry
        keep: NDArray[np.bool_] | None = None
        square, emptied = node.square, node.emptied
        met, on_piece = node.met, node.on_piece
        empty_handed = node.empty_handed
        if letter.reserves and scene.kept is not None:
            lay = scene.characters[node.row, square]
            keep = np.isin(lay, [*scene.kept.get(letter.piece, ())])
        elif letter.appears:
            empty_handed = False
            left = scene.left.get(letter.piece)
            keep = None if left is None else left[node.row] > 0
        elif letter.removes:
            if node.depth == 0 and self.lifted:
                empty_handed = True
            else:
                keep = ~self._lies(node, square, "e")
                emptied = np.concatenate((emptied, square[None, :]))
            met += not on_piece
            on_piece = False
        elif letter.fly:
            return self._flights(node, letter)
        elif not letter.is_mark and not letter.reserves:
            square = geometry.table(letter.dx, letter.dy).take(square)
            keep = self._lies(node, square, letter.on)
            on_piece = letter.onto_piece
            met += on_piece
        offer, row = node.offer, node.row
        if keep is not None:
            at = keep.nonzero()[0]
            offer, row, square = offer.take(at), row.take(at), square.take(at)
            emptied = emptied.take(at, axis=1)
        return Node(
            tree=self,
            depth=node.depth + 1,
            offer=offer,
            row=row,
            square=square,
            emptied=emptied,
            last=node.last if letter.is_mark else letter,
            mark=letter if letter.is_mark else None,
            empty_handed=empty_handed,
            met=met,
            on_piece=on_piece,
        )

    def _flights(self, node: Node, letter: Letter) -> Node:
        """Every square of the board where what `letter` flies to lies."""
        squares = self.scene.geometry.squares
        count, targets = len(node.square), len(squares)
        repeat = np.repeat(np.arange(count, dtype=np.int32), targets)
        target = np.tile(squares, count)
        spread = Node(
            tree=self,
            depth=node.depth,
            offer=node.offer[repeat],
            row=node.row[repeat],
            square=node.square[repeat],
            emptied=node.emptied[:, repeat],
        )
        keep = self._lies(spread, target, letter.on) & (target != spread.square)
        return Node(
            tree=self,
            depth=node.depth + 1,
            offer=spread.offer[keep],
            row=spread.row[keep],
            square=target[keep],
            emptied=spread.emptied[:, keep],
            last=letter,
            empty_handed=node.empty_handed,
            met=node.met + letter.onto_piece,
            on_piece=letter.onto_piece,
        )

    def _lies(self, node: Node, square: Indices, on: str) -> NDArray[np.bool_]:
        """At which places of `node` that lies on `square`, the hand's changes counted in."""
        bordered = self.scene.bordered
        found: NDArray[np.bool_] = bordered.take(node.row * bordered.shape[1] + square) == CODES[on]
        for emptied in node.emptied:
            gone = emptied == square
            found = found | gone if on == "e" else found & ~gone
        return found

    def calibrate(self, least: int = 1) -> None:
        """Prepare `expectation`: the effects seen, and the rate of each last letter by square.

        A square where few words with that letter were offered leans on the mean of all squares; one
        where none was offered says nothing, so nothing is expected there.
        """
        size = self.scene.geometry.board.size
        offered: dict[Letter, NDArray[np.float64]] = {}
        counted: dict[Letter, NDArray[np.float64]] = {}
        effects = []
        for node in self.seen.values():
            letter = node.ending
            weight = np.zeros(len(self.row))
            weight[node.seen_offers] = node.seen_counts
            sighted = np.flatnonzero(weight[node.offer])
            self._sighted[node.seen_offers] = True
            effects.append(node.effects(sighted))
            if node.count < least:
                continue
            for sums in (offered, counted):
                sums.setdefault(letter, np.zeros(size))
            offered[letter] += np.bincount(
                node.square, weights=self.scene.unit[node.row], minlength=size
            )
            counted[letter] += np.bincount(
                node.square[sighted], weights=weight[node.offer[sighted]], minlength=size
            )
        if effects:
            self._seen_effects = HashSet(np.concatenate(effects))
        self._endings = {}
        for letter, units in offered.items():
            mean = counted[letter].sum() / max(units.sum(), 1e-9)
            self._endings[letter] = np.where(
                units > 0, (counted[letter] + mean) / (units + 1.0), 0.0
            )
        self.calibrations += 1

    def most_expected(self, node: Node) -> float:
        """No word that begins so, and flies no further, is expected more often than that."""
        return float(self.scene.most[node.meets].take(node.row).sum())

    def expectation(self, node: Node, *, detours: bool = False) -> float:
        """See `Node.expected`; the lesser of two rates: of the row, and of the end square.

        With `detours` words are expected even where another word with the same effect was seen.
        """
        if not len(node.offer):
            return 0.0
        scene = self.scene
        rate = scene.ratio[node.meets].take(node.row)
        by_square = self._endings.get(node.ending)
        if by_square is not None:
            rate = np.minimum(rate, by_square.take(node.square))
        expected = scene.unit.take(node.row) * rate
        if not node.count and not detours:
            sighted = self._sighted.take(node.offer).nonzero()[0]
            effects = node.effects(sighted)
            expected[sighted[self._seen_effects.holds(effects)]] = 0.0
        return float(expected.sum())
