"""How sure an automaton is: what the records would not contradict if it were otherwise.

Three numbers, for the margin over the runner-up alone says little: the margin in bits, the least
number of sightings behind a transition, and the continuations that were offered and yet too
seldom to tell: those a larger automaton could have without a surprise of `SURE_BITS` bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from grl.sgrl.automaton import FINAL, START, Automaton, Delta, access_words
from grl.sgrl.offers import CODES
from grl.sgrl.pool import Pool, PooledNode
from grl.sgrl.silence import fit
from grl.sgrl.symmetry import DIHEDRAL
from grl.sgrl.words import END, NEXT, Word
from grl.turn import REMOVE_LETTER, Letter

SURE_BITS = 5.0
DOUBT_BITS = 3.5
"""A language to which so surprising a silence belongs is not sure."""
OFFERED_BITS = 0.25
"""Continuations that cost less were as good as never offered."""
MAX_STATES = 40
"""Larger automata are not searched for open continuations."""
NEXT_PREFIXES = 100
"""How many prefixes by a letter that was never seen are looked at, the shortest ones."""
SHOWN = 6
"""How many open continuations are listed."""
FEW = 4
"""Sightings below which a transition may be an accident."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """What speaks for an automaton.

    `sightings` counts the words seen of this piece alone, `pooled` those of its mirror images as
    well. `margin` is by how many bits the runner-up is worse (infinite without one). `support` is
    the number of pooled sightings of the transition with fewest, `weakest` that transition.
    `doubt` is the greatest surprise, in bits, that a word which only mirror images or merging put
    into the language was not seen. `open` lists continuations of which the records can't tell.
    """

    sightings: int
    pooled: int
    margin: float
    support: int
    weakest: str
    doubt: float
    open: tuple[str, ...]
    manners: tuple = ()

    @property
    def sure(self) -> bool:
        """Whether nothing is open or doubtful and every transition has been seen a few times."""
        return not self.open and self.support >= FEW and self.doubt <= DOUBT_BITS


def confidence(
    automaton: Automaton,
    pool: Pool,
    margin: float,
    kin: Collection[Word] = (),
    onto: Collection[str] = (),
) -> Confidence:
    """The confidence in `automaton` under the records in `pool`.

    What others do this one might do, too: `kin` are words of the same piece where it gets control
    otherwise, `onto` is what words of the same mover step onto.
    """
    support, weakest = _least_support(automaton, pool)
    pooled = sum(pool.node(word).sightings()[1] for word in pool.words)
    return Confidence(
        sightings=sum(node.count for node in pool.own.seen.values()),
        pooled=pooled,
        margin=margin,
        support=support,
        weakest=weakest,
        doubt=max([0.0, *pool.surprises(automaton), *_image_surprises(pool)]),
        open=tuple(
            islice(
                chain(
                    _open_continuations(automaton, pool),
                    _open_letters(automaton, pool, onto),
                    _open_kin(automaton, pool, kin),
                ),
                SHOWN,
            )
        ),
        manners=tuple((spell(w), round(b, 2), pool.node(w).sightings()[0]) for w, b in manners(automaton, pool)),
    )


def _image_surprises(pool: Pool) -> list[float]:
    """What it costs that words of mirror images were not seen of this piece itself."""
    own = fit((node.expected, node.count) for node in pool.own.seen.values())
    nodes = (pool.node(word).member(0) for word in pool.words if word not in pool.own.seen)
    return [own.bits(node.expected) for node in nodes if node is not None]


def _least_support(automaton: Automaton, pool: Pool) -> tuple[int, str]:
    """The transition with the fewest sightings, and their number."""
    counts = {(s, x): 0 for s, row in enumerate(automaton.delta) for x, _ in row}
    rows = [dict(row) for row in automaton.delta]
    for word in pool.words:
        state, count = START, pool.node(word).sightings()[1]
        for letter in word:
            counts[state, letter] += count
            state = rows[state][letter]
    least = min(counts, key=lambda key: (counts[key], key))
    prefixes = access_words(automaton)
    return counts[least], spell((*prefixes[least[0]], least[1]))


def spell(word: Word) -> str:
    """A word for people, its marks in words."""
    names = {END: "the end", NEXT: "another segment"}
    return " ".join(names.get(letter, str(letter)) for letter in word)


def _open_continuations(automaton: Automaton, pool: Pool) -> Iterator[str]:
    """Continuations that were offered, that the automaton lacks, and that could well be there."""
    if automaton.size > MAX_STATES:
        return
    prefixes = access_words(automaton)
    reached = _reached(automaton, pool)
    for state, row in enumerate(automaton.delta):
        known = {letter for letter, _ in row}
        for letter in pool.alphabet:
            if letter in known or not any(n.child(letter).offers for n in reached[state]):
                continue
            if _is_open(automaton, state, letter, pool, reached[state]):
                yield spell((*prefixes[state], letter))


def _open_letters(automaton: Automaton, pool: Pool, onto: Collection[str]) -> Iterator[str]:
    """Steps never seen of this piece, from the start, that could well be there.

    They are as far as steps that were seen, in whatever direction, and onto whatever the mover's
    words go. They lead where steps lead that are as far, or onto the same.
    """
    if automaton.size > MAX_STATES:
        return
    row = automaton.delta[START]
    steps = [(x, target) for x, target in row if (x.dx or x.dy) and target != FINAL]
    moves = {image for x, _ in steps for image in _directions(x)}
    known = {x for x, _ in row} | set(pool.alphabet)
    for dx, dy, on in sorted((*move, on) for move in moves for on in onto):
        letter = Letter(dx, dy, on)
        if letter in known or not pool.root.child(letter).offers:
            continue
        targets = {t for x, t in steps if x.on == on} or {t for x, t in steps if x.on != on}
        if any(_is_open(automaton, START, letter, pool, [pool.root], [t]) for t in targets):
            yield spell((letter,))


def _directions(letter: Letter) -> set[tuple[int, int]]:
    """The displacement of a letter in all eight directions."""
    dx, dy = letter.dx, letter.dy
    return {(a * dx + b * dy, c * dx + d * dy) for a, b, c, d in DIHEDRAL}


def _open_kin(automaton: Automaton, pool: Pool, kin: Collection[Word]) -> Iterator[str]:
    """First letters of `kin` by which no word goes here, though all such words could be there.

    That they were hardly offered is no reason to be sure, for the piece is known to use them.
    """
    row = {letter for letter, _ in automaton.delta[START]}
    surprises: dict[Letter, float] = {}
    for word in kin:
        if word[0] not in row and word[0].on not in "$;":
            surprises[word[0]] = surprises.get(word[0], 0.0) + pool.node(word).surprise()
    for letter, bits in sorted(surprises.items()):
        if bits <= SURE_BITS and letter not in pool.alphabet:
            yield spell((letter,))


def manners(automaton: Automaton, pool: Pool) -> Iterator[tuple[Word, float]]:
    """Words of kinds never seen by which pieces go onto or over others, and what silence costs.

    A piece that steps somewhere might take what stands there, or jump over it, with or without
    removing it. Records of few games may hold no such word for want of an occasion. Only
    directions in which the piece steps are asked about, and contents that the board holds.
    """
    row = automaton.delta[START]
    codes = pool.own.scene.codes
    known = {letter for letter, _ in row}
    ways = sorted({(x.dx, x.dy) for x in known if (x.dx or x.dy) and not x.fly})
    held = [on for on in "pw" if (codes == CODES[on]).any()]
    for on in held:
        for dx, dy in ways:
            first, far = Letter(dx, dy, on), Letter(dx, dy, "e")
            if first in known:
                continue
            words: list[Word] = [(first, far, END)]
            if on == "p":
                words += [(first, END), (first, REMOVE_LETTER, far, END)]
            for word in words:
                yield word, pool.node(word).surprise()


def _reached(automaton: Automaton, pool: Pool) -> list[list[PooledNode]]:
    """For every state the prefixes that lead there and fit somewhere."""
    reached: list[list[PooledNode]] = [[] for _ in automaton.delta]
    queue = [(pool.root, START)]
    for node, state in queue:
        reached[state].append(node)
        for letter, target in automaton.delta[state]:
            if target != FINAL and (child := node.child(letter)).offers:
                queue.append((child, target))
    return reached


def _is_open(
    automaton: Automaton,
    state: int,
    letter: Letter,
    pool: Pool,
    prefixes: Sequence[PooledNode],
    targets: Sequence[int] | None = None,
) -> bool:
    """Whether words by `letter` from `state` were offered, but wherever it led, too few to tell.

    `prefixes` are those that lead to `state`; `targets` are all states unless they are given.
    """
    delta: Delta = {s: dict(row) for s, row in enumerate(automaton.delta)}
    offered = False
    everywhere = [FINAL] if letter.on in "$;a" else range(automaton.size)
    for target in everywhere if targets is None else targets:
        delta[state][letter] = target
        larger = Automaton(tuple(tuple(sorted(delta[s].items())) for s in sorted(delta)))
        most = None if targets is None else NEXT_PREFIXES
        surprise = pool.added_bits(larger, prefixes, letter, target, SURE_BITS, most)
        if surprise > SURE_BITS:
            return False
        offered = offered or surprise > OFFERED_BITS
    return offered
