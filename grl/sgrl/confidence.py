"""How sure an automaton is: what the records would not contradict if it were otherwise.

Three numbers, for the margin over the runner-up alone says little: the margin in bits, the least
number of sightings behind a transition, and the continuations that were offered and yet too
seldom to decide: those a larger automaton could have without a surprise of `SURE_BITS` bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from math import log2

from grl.sgrl.automaton import FINAL, START, Automaton, Delta, access_words
from grl.sgrl.offers import CODES
from grl.sgrl.pool import Pool
from grl.sgrl.silence import fit
from grl.sgrl.symmetry import DIHEDRAL
from grl.sgrl.walk import PooledNode
from grl.sgrl.words import END, NEXT, Word
from grl.turn import REMOVE_LETTER, Letter

SURE_BITS = 5.0
SEGMENT_BITS = 7.0
"""What silence has to cost where a turn never goes on, or always; others of its kind do both."""
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
FEW_GAMES = 3
"""Games below which nothing is sure."""
FEW_BY_TRANSITION = 2
"""Games in which every transition has to be seen."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """What speaks for an automaton.

    `sightings` counts the words seen of this piece alone, `pooled` those of its mirror images as
    well. `margin` is by how many bits the runner-up is worse (infinite without one). `support` is
    the number of pooled sightings of the transition with fewest, `weakest` that transition.
    `doubt` is the greatest surprise, in bits, that a word which only mirror images or merging put
    into the language was not seen. `open` lists continuations that the records leave undecided.
    `games` counts the games in which words of the piece or its images were seen, `least` those of
    the transition with fewest.
    """

    sightings: int
    pooled: int
    margin: float
    support: int
    weakest: str
    doubt: float
    open: tuple[str, ...]
    games: int = 0
    least: int = 0

    @property
    def sure(self) -> bool:
        """Whether nothing is open or doubtful and every transition has been seen a few times.

        And not in one game alone: turns of a game are alike.
        """
        return (
            not self.open
            and self.support >= FEW
            and self.doubt <= DOUBT_BITS
            and self.games >= FEW_GAMES
            and self.least >= FEW_BY_TRANSITION
        )


def confidence(
    automaton: Automaton,
    pool: Pool,
    margin: float,
    kin: Collection[Word] = (),
    onto: Collection[str] = (),
    continued: float = 0.0,
) -> Confidence:
    """The confidence in `automaton` under the records in `pool`.

    What others do this one might do, too: `kin` are words of the same piece where it gets control
    otherwise, `onto` is what words of the same mover step onto, `continued` the share of words of
    others after which another segment follows.
    """
    support, weakest = _least_support(automaton, pool)
    games, least = _games(automaton, pool)
    pooled = sum(pool.node(word).sightings()[1] for word in pool.words)
    return Confidence(
        sightings=sum(node.count for node in pool.own.seen.values()),
        pooled=pooled,
        margin=margin,
        support=support,
        weakest=weakest,
        doubt=max([pool.doubt(automaton), *_image_surprises(pool)]),
        open=tuple(
            islice(
                chain(
                    _open_continuations(automaton, pool),
                    _open_letters(automaton, pool, onto),
                    _open_kin(automaton, pool, kin),
                    _open_images(automaton, pool),
                    _open_segments(pool, continued),
                    _open_manners(automaton, pool),
                ),
                SHOWN,
            )
        ),
        games=games,
        least=least,
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


def _games(automaton: Automaton, pool: Pool) -> tuple[int, int]:
    """In how many games words were seen, and those by the transition seen in fewest."""
    rows = [dict(row) for row in automaton.delta]
    games: dict[tuple[int, Letter], set[int]] = {
        (s, x): set() for s in range(len(rows)) for x in rows[s]
    }
    whole: set[int] = set()
    for word in pool.words:
        state, found = START, pool.node(word).games()
        whole |= found
        for letter in word:
            games[state, letter] |= found
            state = rows[state][letter]
    return len(whole), min(map(len, games.values()))


def spell(word: Word) -> str:
    """A word for people, its marks in words."""
    names = {END: "the end", NEXT: "another segment"}
    return " ".join(names.get(letter, str(letter)) for letter in word)


def _open_continuations(automaton: Automaton, pool: Pool) -> Iterator[str]:
    """Continuations that were offered, that the automaton lacks, and that could well be there."""
    if automaton.size > MAX_STATES:
        return
    prefixes = access_words(automaton)
    reached = _Reached(automaton, pool)
    marks = {END, NEXT}
    for state, row in enumerate(automaton.delta):
        known = {letter for letter, _ in row}
        leading = _Leading(reached, state)
        for letter in pool.alphabet:
            if letter in known or _never_fits(automaton, state, letter):
                continue
            if not any(node.child(letter).offers for node in leading):
                continue
            if letter in marks:
                (other,) = marks - {letter}
                if other in known and _mark_is_open(letter, other, pool, leading):
                    yield spell((*prefixes[state], letter))
            elif _is_open(automaton, state, letter, pool, leading):
                yield spell((*prefixes[state], letter))


def _never_fits(automaton: Automaton, state: int, letter: Letter) -> bool:
    """Whether a letter would step back to the square before, where what it steps onto never lies.

    That square holds what the hand stepped onto there, and is empty where the turn began.
    """
    into: dict[int, list[tuple[int, Letter]]] = {}
    for source, row in enumerate(automaton.delta):
        for each, target in row:
            into.setdefault(target, []).append((source, each))
    for source, last in into.get(state, ()):
        if not (last.steps and letter.steps) or (last.dx, last.dy) != (-letter.dx, -letter.dy):
            return False
        if source == START and letter.on == "e":
            return False
        if any(not x.steps or x.on == letter.on for _, x in into.get(source, ())):
            return False
    return state in into


def _mark_is_open(mark: Letter, other: Letter, pool: Pool, prefixes: Iterable[PooledNode]) -> bool:
    """Whether the turn could be over, or go on, after prefixes after which it never was, or did.

    Which of the two it is is up to rules, so it is expected as often as the piece's other words
    let expect, those with the one mark against those with the `other`.
    """
    counts = {mark: 0.0, other: 0.0}
    for word in pool.words:
        if word[-1] in counts:
            counts[word[-1]] += pool.node(word).sightings()[1]
    nodes = {id(n): n for n in (prefix.child(other) for prefix in prefixes) if n.seen}
    own = sum(n.sightings()[1] for n in nodes.values())
    expected = own * (counts[mark] + 1) / (counts[other] - own + 1)
    return _could_be(expected, SEGMENT_BITS)


def _open_letters(automaton: Automaton, pool: Pool, onto: Collection[str]) -> Iterator[str]:
    """Steps never seen of this piece, from the start, that could well be there.

    They are as far as steps that were seen, in whatever direction, and onto whatever the mover's
    words go. They lead where steps lead that are as far, or onto the same.
    """
    if automaton.size > MAX_STATES:
        return
    row = automaton.delta[START]
    steps = [(x, target) for x, target in row if x.steps and target != FINAL]
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
        if word[0] not in row and not word[0].is_mark:
            surprises[word[0]] = surprises.get(word[0], 0.0) + pool.node(word).surprise()
    for letter, bits in sorted(surprises.items()):
        if bits <= SURE_BITS and letter not in pool.alphabet:
            yield spell((letter,))


def _open_images(automaton: Automaton, pool: Pool) -> Iterator[str]:
    """First letters that only mirror images have: never seen of the piece itself."""
    own = {word[0] for word in pool.own.seen}
    return (spell((letter,)) for letter, _ in automaton.delta[START] if letter not in own)


def _open_manners(automaton: Automaton, pool: Pool) -> Iterator[str]:
    """Words of kinds never seen, by which pieces go onto or over others, and that could be there.

    A piece that steps somewhere might take what stands there, or jump over it, with or without
    removing it. Records of few games may hold no such word for want of an occasion, so it is open
    even where it was never offered. Only directions in which the piece steps are asked about, and
    all of them together; and only of contents that it goes onto in none of them.
    """
    codes = pool.own.scene.codes
    known = {letter for letter, _ in automaton.delta[START]}
    ways = sorted({(x.dx, x.dy) for x in known if x.steps})
    for on, over, takes in (("p", 0, 1), ("p", 1, 1), ("p", 1, 0), ("w", 1, 0)):
        words: list[Word] = []
        met = (codes == CODES[on]).any() and all(letter.on != on for letter in known)
        for dx, dy in ways if met else ():
            first, far = Letter(dx, dy, on), Letter(dx, dy, "e")
            removal = (REMOVE_LETTER,) * (over and takes)
            words.append((first, *removal, *(far,) * over, END))
        words = [word for word in words if _fits(word, pool)]
        nodes = (pool.node(word).member(i) for word in words for i in range(len(pool.members)))
        expected = {id(node): node.expected for node in nodes if node is not None}
        if words and _could_be(sum(expected.values())):
            yield spell(words[0])


def _fits(word: Word, pool: Pool) -> bool:
    """Whether a word stays on the board from some square, whatever lies there."""
    geometry = pool.own.scene.geometry
    squares = geometry.squares
    for letter in word:
        if letter.steps:
            squares = geometry.table(letter.dx, letter.dy)[squares]
            squares = squares[squares >= 0]
    return len(squares) > 0


def _could_be(expected: float, bits: float = SURE_BITS) -> bool:
    """Whether it is no great surprise that a word of a new kind was never seen.

    Words seen say little of how rare such a word may be; so its rate is taken to follow an
    exponential law.
    """
    return log2(1.0 + expected) <= bits


def _open_segments(pool: Pool, continued: float) -> Iterator[str]:
    """Whether another segment may follow, though none ever did; it does in other automata.

    That is a matter of rules, so how often it was possible says little. `continued` is the share
    of the words of others that were followed by one.
    """
    if continued and END in pool.alphabet and NEXT not in pool.alphabet:
        pooled = sum(pool.node(word).sightings()[1] for word in pool.words)
        if _could_be(pooled * continued, SEGMENT_BITS):
            yield spell((NEXT,))


class _Reached:
    """For every state the prefixes that lead there and fit somewhere, short ones first.

    They are made as far as somebody asks for them.
    """

    def __init__(self, automaton: Automaton, pool: Pool) -> None:
        self._automaton, self._pool = automaton, pool
        self._found: list[list[PooledNode]] = [[] for _ in automaton.delta]
        self._queue = deque([(pool.root, pool.places().begin(START))])

    def leading(self, state: int) -> Iterator[PooledNode]:
        """The prefixes that lead to a state."""
        found = self._found[state]
        for at in count():
            while at == len(found) and self._queue:
                self._further()
            if at == len(found):
                return
            yield found[at]

    def _further(self) -> None:
        node, visit = self._queue.popleft()
        self._found[visit.state].append(node)
        if node.depth + 2 > self._pool.longest:
            return
        for letter, target in self._automaton.delta[visit.state]:
            if target != FINAL and (child := node.child(letter)).offers:
                further = visit.on(letter, target)
                if further is not None:
                    self._queue.append((child, further))


@dataclass(frozen=True)
class _Leading:
    """The prefixes that lead to one state, as often as they are asked for."""

    reached: _Reached
    state: int

    def __iter__(self) -> Iterator[PooledNode]:
        return self.reached.leading(self.state)


def _is_open(
    automaton: Automaton,
    state: int,
    letter: Letter,
    pool: Pool,
    prefixes: Iterable[PooledNode],
    targets: Sequence[int] | None = None,
) -> bool:
    """Whether words by `letter` from `state` were offered, but wherever it led, too few to decide.

    `prefixes` are those that lead to `state`; `targets` are all states unless they are given.
    """
    delta: Delta = {s: dict(row) for s, row in enumerate(automaton.delta)}
    offered = False
    everywhere = [FINAL] if letter.is_mark or letter.appears else range(automaton.size)
    for target in everywhere if targets is None else targets:
        delta[state][letter] = target
        larger = Automaton(tuple(tuple(sorted(delta[s].items())) for s in sorted(delta)))
        most = None if targets is None else NEXT_PREFIXES
        surprise = pool.added_bits(larger, prefixes, letter, target, SURE_BITS, most)
        if surprise > SURE_BITS:
            return False
        offered = offered or surprise > OFFERED_BITS
    return offered
