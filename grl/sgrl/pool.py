"""Evidence of one automaton, pooled with that of every automaton that mirrors it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from itertools import accumulate, islice, product
from math import inf, sqrt

from grl.board import Equipment, Player
from grl.model import AutomatonKey
from grl.sgrl.automaton import FINAL, START, Automaton, Folded
from grl.sgrl.detours import Places, Visit
from grl.sgrl.offers import Node, OfferTree, prune
from grl.sgrl.silence import Silence, fit
from grl.sgrl.symmetry import Matrix, Symmetry, agreeing, followed, symmetries
from grl.sgrl.walk import Parted, PooledNode, Walk, part, parted
from grl.sgrl.words import Word
from grl.sgrl.wrapping import Wrapping
from grl.turn import Letter

SYMMETRY_BITS = 15.0
"""How much more silence the images of one automaton's words may cost in another's records than
those of one language would on average, at least."""
DEVIATIONS = 3.0
"""Many rare words may cost so many standard deviations more."""
MOST_ON_AVERAGE, MOST_VARIANCE = 0.54, 1.0
"""No word costs more bits than that on average, those where it is seen included, nor does it vary
by more."""
PREFIXES = 4_000
PREFIXES_PER_WORD = 150
"""Prefixes that one walk may visit, and more for each word seen; a language that offers more
wanders about, and is not considered."""
MOST_NUMBERS = 50_000_000
"""Numbers of places, of four bytes each, that prefixes hold before those of no word seen go."""
BRIEF, FIRST, GROWTH = 5_000, 50, 4
"""Prefixes of the words that are learned from first; those by which words of a merged automaton
leave the former one that are followed first; and how many times as many are next."""
MOST_MISSED = 5
"""Fewer longer words than so many may be missing from the records by chance."""
LOOKED_AT = 100_000
"""Prefixes of words of any length that are looked at once an automaton is found."""
ROWS_PER_OFFER = 2
"""Places, for each offer and each square of the board, that the prefixes of one walk may fit."""


_Gained = tuple[PooledNode, Visit, Letter, int]


class _Longer:
    """The prefixes that lead to a state, one letter longer, as far as they fit anywhere.

    With each the visit before that letter. They are made when they are asked for, short ones first.
    """

    def __init__(self, prefixes: Iterable[tuple[PooledNode, Visit]], letter: Letter) -> None:
        longer = ((node.child(letter), visit) for node, visit in prefixes)
        self._further = (each for each in longer if each[0].offers)
        self._found: list[tuple[PooledNode, Visit]] = []

    def __iter__(self) -> Iterator[tuple[PooledNode, Visit]]:
        yield from self._found
        for each in self._further:
            self._found.append(each)
            yield each


class Merging:
    """What the silence of an automaton becomes when states of it are merged.

    Its own words stay, and their silence: only those are looked at that leave it for what another
    of the states merged goes on with.
    """

    def __init__(self, pool: Pool, base: Walk) -> None:
        self._pool, self._base = pool, base
        self._prefixes: dict[int, list[tuple[PooledNode, Visit]]] = {}
        for (node, state), visit in zip(self._base.queue, self._base.visits, strict=True):
            self._prefixes.setdefault(state, []).append((node, visit))
        self._offered: dict[tuple[int, Letter], _Longer] = {}

    @property
    def bits(self) -> float:
        """The silence of the automaton itself."""
        return self._base.bits

    def silence(self, folded: Folded, limit: float) -> float:
        """The silence after a merge, infinite where it exceeds `limit`.

        The shortest words that the merge brings come first: if anything speaks against it, it is
        they.
        """
        base = self._base
        walk = self._pool.walk(limit)
        walk.detours |= base.detours
        walk.bits, walk.room, walk.most = base.bits, base.room, base.most - len(base.queue)
        walk.places = base.places
        known: dict[int, Parted] = {}

        def rows(state: int) -> Parted:
            found = known.get(state)
            if found is None:
                found = known[state] = part(folded[state])
            return found

        gained = self._gained(folded)
        done = 0
        while walk.bits <= limit and (some := list(islice(gained, FIRST + (GROWTH - 1) * done))):
            begins = []
            for child, visit, letter, target in some:
                if child.depth + (target != FINAL) > walk.longest:
                    continue
                if target != FINAL:
                    further = visit.afresh(letter, target)
                    if further is None:
                        walk.detour(target, letter)
                        continue
                    walk.room -= child.offers
                    begins.append((child, further))
                elif not child.seen:
                    walk.bits += child.surprise(limit - walk.bits)
                    if walk.bits > limit:
                        return float("inf")
            begins.sort(key=lambda begin: -begin[0].offers)
            walk.go(begins, rows)
            walk.most -= len(walk.queue)
            done += len(some)
        return walk.bits

    def _gained(self, folded: Folded) -> Iterator[_Gained]:
        """The prefixes by which words of a merged automaton leave the former one, short ones first.

        With each the visit before its last letter, that letter, and the state that it leads to.
        """

        def by(state: int, letter: Letter, target: int) -> Iterator[_Gained]:
            longer = self._offered.get((state, letter))
            if longer is None:
                prefixes = self._prefixes.get(state, ())
                longer = self._offered[state, letter] = _Longer(prefixes, letter)
            return ((child, visit, letter, target) for child, visit in longer)

        return merge(*(by(*each) for each in folded.gained()), key=lambda each: each[0].depth)


class Pool:
    """The words seen of one automaton and of its mirror images, and what their silence costs.

    `mirrors` holds offer trees with the map that takes this automaton's letters to theirs. Only
    words seen at least `least` times count, those not in `without`, by tree, and those of no more
    than `longest` letters, the mark included, and `others`. Nothing longer is expected.
    """

    def __init__(
        self,
        tree: OfferTree,
        mirrors: Sequence[tuple[OfferTree, Symmetry]] = (),
        least: int = 1,
        without: Mapping[OfferTree, Collection[Word]] | None = None,
        longest: float = float("inf"),
        others: Collection[Word] = (),
    ) -> None:
        self.own, self.longest, self.others = tree, longest, others
        self._mirrors, self._least, self._without = mirrors, least, without
        self.members: list[tuple[OfferTree, Symmetry | None]] = [(tree, None), *mirrors]
        self.root = PooledNode(self, None, None)
        without = without or {}
        words = {
            word
            for word, node in tree.seen.items()
            if node.count >= least and word not in without.get(tree, ())
        }
        for other, back in mirrors:
            forth = back.inverse
            kept = (w for w in other.seen if w not in without.get(other, ()))
            images = (forth.word(word) for word in kept)
            words |= {self.wrapping.word(image) for image in images if image is not None}
        self.words: list[Word] = sorted(w for w in words if len(w) <= longest or w in others)
        nodes = [self.node(word) for word in self.words]
        for node in nodes:
            node.seen = True
        self.silence: Silence = fit(node.sightings() for node in nodes)
        self._known: dict[Automaton, tuple[float, float]] = {}

    def node(self, word: Word) -> PooledNode:
        """The node of a whole word."""
        node = self.root
        for letter in word:
            node = node.child(letter)
        return node

    def lengths(self) -> Iterator[int]:
        """Lengths of words beyond which most may be left out; none where there are few words.

        Where turns go on and on most words are long, and say what the shorter ones say.
        """
        begun = Counter(
            len(prefix) for prefix in {w[:n] for w in self.words for n in range(len(w))}
        )
        most = BRIEF if begun.total() <= GROWTH * BRIEF else BRIEF // GROWTH
        while begun.total() > GROWTH * most:
            sizes = accumulate(begun[n] for n in range(len(begun)))
            yield max(min(map(len, self.words)), sum(size <= most for size in sizes))
            most *= GROWTH

    def trails_off(self) -> bool:
        """Whether the longest words are so rare that still longer ones would hardly have been seen.

        From length to length their number may fall as it did before.
        """
        seen: Counter[int] = Counter()
        for word, node in self.own.seen.items():
            seen[len(word)] += node.count
        *_, before, last = [0, 0, *(seen[length] for length in sorted(seen))]
        return last * last < MOST_MISSED * before

    def within(self, longest: int, others: Collection[Word]) -> Pool:
        """A pool of the words of up to so many letters, and of some `others` of this one's."""
        return Pool(self.own, self._mirrors, self._least, self._without, longest, others)

    def reflected(self, other: Pool) -> Symmetry | None:
        """The map to another pool of whole words that has the same evidence, seen through it."""
        for tree, there in self._mirrors if not self.wrapping else ():
            if tree is other.own:
                back, same = there.inverse, there.then(there.inverse)
                ours = {(id(each), back.then(by or same)) for each, by in self.members}
                theirs = {(id(each), by or same) for each, by in other.members}
                if ours == theirs and set(map(there.word, self.words)) == set(other.words):
                    return there
        return None

    def like(self, other: Pool, there: Symmetry) -> Pool:
        """This pool, bounded as another one of which it is the image by `there`."""
        if other.longest == float("inf"):
            return self
        images = (there.word(word) for word in other.others)
        return self.within(int(other.longest), [word for word in images if word is not None])

    def refused(self, automaton: Automaton) -> list[Word]:
        """For each state and letter by which words leave the automaton a shortest such word."""
        rows = [dict(row) for row in automaton.delta]
        found: dict[tuple[int, Letter], Word] = {}
        for word in sorted(self.words, key=len):
            state = START
            for letter in word:
                target = rows[state].get(letter)
                if target is None:
                    found.setdefault((state, letter), word)
                    break
                state = target
        return [*found.values()]

    def silent(self, automaton: Automaton, limit: float) -> bool:
        """Whether the silence of words of any length exceeds `limit`.

        Of a large language the shortest words are looked at. Detours are no silence.
        """
        walk = self.walk(limit, LOOKED_AT)
        walk.detours |= {(target, letter) for row in automaton.delta for letter, target in row}
        walk.begin(self.root, parted(automaton))
        self.forget()
        return walk.bits > limit and not walk.lost

    @property
    def wrapping(self) -> Wrapping:
        """Which edges meet: words are spelled plainly."""
        return self.own.scene.geometry.wrapping

    def places(self) -> Places:
        """The places of a walk that has not begun."""
        return Places(self.wrapping)

    def forget(self) -> None:
        """Let go of the prefixes that begin no word seen; they can be made again.

        Walks of several candidates visit many prefixes, each with all places where it fits.
        """
        prune(self.root, self.words)
        for tree, _ in self.members:
            tree.forget()

    @property
    def longest_walk(self) -> int:
        """How many prefixes one walk may visit."""
        return PREFIXES + PREFIXES_PER_WORD * len(self.words)

    @cached_property
    def alphabet(self) -> list[Letter]:
        return sorted({letter for word in self.words for letter in word})

    def silence_bits(self, automaton: Automaton, limit: float = float("inf")) -> float:
        """What it costs that words of `automaton` were offered and never seen.

        Infinite where it exceeds `limit`, or when the walk gets out of hand.
        """
        bits, up_to = self._known.get(automaton, (float("inf"), float("-inf")))
        if bits == float("inf") and limit > up_to:
            bits = self._walked(automaton, limit).bits
        return bits if bits <= limit else float("inf")

    def merging(self, automaton: Automaton, limit: float = float("inf")) -> Merging:
        """What the silence of an automaton becomes when states of it are merged.

        Its own is infinite where it exceeds `limit`.
        """
        return Merging(self, self._walked(automaton, limit))

    def _walked(self, automaton: Automaton, limit: float) -> Walk:
        """A walk over all words of an automaton, whose silence is remembered."""
        if sum(tree.numbers for tree, _ in self.members) > MOST_NUMBERS:
            self.forget()
        walk = self.walk(limit)
        walk.begin(self.root, parted(automaton))
        self._known[automaton] = walk.bits, limit
        return walk

    def added_bits(
        self,
        automaton: Automaton,
        prefixes: Iterable[PooledNode],
        letter: Letter,
        target: int,
        limit: float,
        most: int | None = None,
    ) -> float:
        """The part of the silence of `automaton` that words have by `letter` after `prefixes`.

        The letter leads to `target`. Infinite where the part exceeds `limit`, or more than `most`
        prefixes (by default as many as for a whole automaton) would have to be looked at.
        """
        total = 0.0
        left = self.longest_walk if most is None else most
        rows = parted(automaton)
        for node in prefixes:
            child = node.child(letter)
            if target == FINAL:
                total += 0.0 if child.seen else child.surprise(limit)
            elif child.offers:
                walk = self.walk(limit - total, left)
                walk.go([(child, walk.places.begin(target))], rows)
                total += walk.bits
                left -= len(walk.queue)
            if total > limit:
                return float("inf")
        return total

    def walk(self, limit: float, most: int | None = None) -> Walk:
        """A walk that has not begun."""
        squares = len(self.own.scene.geometry.squares)
        offers = max(len(tree.root.offer) for tree, _ in self.members)
        room = ROWS_PER_OFFER * squares * max(offers, 1)
        most = self.longest_walk if most is None else most
        return Walk(squares, limit, most, room, self.longest, self.places())

    def doubt(self, automaton: Automaton) -> float:
        """The most that it costs that a word of `automaton` was offered and never seen.

        Prefixes are left out with which no word can begin that costs more; none where pieces fly,
        for a flight fits wherever its prefix does in as many ways as there are squares.
        """
        worst = 0.0
        flies = any(letter.fly for letter in self.alphabet)
        queue = [(self.root, self.places().begin(START))]
        for node, visit in queue:
            if node.depth and not flies and node.most_surprise() <= worst:
                continue
            for letter, target in automaton.delta[visit.state]:
                if node.depth + 1 + (target != FINAL) > self.longest:
                    continue
                child = node.child(letter)
                if target != FINAL and child.offers:
                    further = visit.on(letter, target)
                    if further is not None:
                        queue.append((child, further))
                elif target == FINAL and child.offers and not child.seen:
                    worst = max(worst, child.surprise())
        return worst

    def language(self, automaton: Automaton) -> Iterator[Node]:
        """The words of `automaton` that are offered in this automaton's own records, short first.

        Those with detours are left out: there would be no end of them. Of a large language there
        are the shortest ones, which are offered most.
        """
        queue = deque([(self.own.root, self.places().begin(START))])
        for _ in range(LOOKED_AT):
            if not queue:
                return
            node, visit = queue.popleft()
            for letter, target in automaton.delta[visit.state]:
                child = node.child(letter)
                if not len(child.offer):
                    continue
                if target == FINAL:
                    yield child
                elif (further := visit.on(letter, target)) is not None:
                    queue.append((child, further))

    def total_bits(self, automaton: Automaton, limit: float = float("inf")) -> float:
        """Description and silence together: what a candidate is judged by."""
        bits = automaton.bits(len(self.alphabet))
        return bits + self.silence_bits(automaton, limit - bits)


def pools(
    trees: Mapping[AutomatonKey, OfferTree], equipment: Equipment, *, symmetry: bool = True
) -> dict[AutomatonKey, Pool]:
    """A pool for every automaton of which words are known, over all mirror images borne out."""
    mirrored = mirrors(trees, equipment) if symmetry else {}
    found = {key: Pool(tree, mirrored.get(key, ())) for key, tree in trees.items()}
    return {key: pool for key, pool in found.items() if pool.words}


def mirrors(
    trees: Mapping[AutomatonKey, OfferTree], equipment: Equipment, least: int = 1
) -> dict[AutomatonKey, list[tuple[OfferTree, Symmetry]]]:
    """For every automaton the mirror images that the records bear out, together with one another.

    Only words seen at least `least` times are asked to have images. Where none was seen, whatever
    their images would be, the maps are those that the other automata of both players bear out, and
    these followed by what the other's piece looks like itself from another side.
    """
    alone = {key: Pool(tree, least=least) for key, tree in trees.items()}
    seen = [key for key, tree in trees.items() if tree.seen]
    unseen = [key for key, tree in trees.items() if not tree.seen]
    found: dict[AutomatonKey, list[tuple[OfferTree, Symmetry]]] = {key: [] for key in trees}
    borne: dict[tuple[Player, Player], set[Matrix]] = {}
    maps = {
        (key, other): some
        for key, other in product(seen, seen)
        if (some := list(symmetries(equipment, key, other)))
    }
    agreed = agreeing(
        {
            (key, other, back.matrix): max(
                _image_bits(alone[key], back, alone[other]),
                _image_bits(alone[other], back.inverse, alone[key]),
            )
            for (key, other), some in maps.items()
            for back in some
        }
    )
    for (key, other), some in maps.items():
        out = [back for back in some if (key, other, back.matrix) in agreed]
        found[key] += ((trees[other], back) for back in out)
        if key.mover != other.mover:
            matrices = {back.matrix for back in out}
            borne.setdefault((key.mover, other.mover), matrices).intersection_update(matrices)
    for key, other in product(unseen, seen):
        common = borne.get((key.mover, other.mover), ()) if key.mover != other.mover else ()
        own = [back.matrix for tree, back in found[other] if tree is trees[other]]
        matrices = {*common, *(followed(one, by) for one in common for by in own)}
        found[key] += (
            (trees[other], back)
            for back in symmetries(equipment, key, other)
            if back.matrix in matrices and _image_bits(alone[other], back.inverse, alone[key]) < inf
        )
    return found


def _image_bits(source: Pool, symmetry: Symmetry, target: Pool) -> float:
    """How many bits more it costs that images of `source`'s words are not among `target`'s than it
    would cost on average, were they of one language; infinite where that is too many.

    Of very many rare words some are always missing.
    """
    total, variance, left = 0.0, 0.0, len(source.words)
    for word in source.words:
        image = symmetry.word(word)
        if image is None:
            return inf
        node = target.node(target.wrapping.word(image))
        bits = node.surprise()
        chance = 0.5**bits
        total += (0.0 if node.seen else bits) - bits * chance
        variance += bits * bits * chance * (1.0 - chance)
        left -= 1
        spread = DEVIATIONS * sqrt(variance + left * MOST_VARIANCE)
        if total > max(SYMMETRY_BITS, spread) + left * MOST_ON_AVERAGE:
            return inf
    return total
