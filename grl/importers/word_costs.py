"""What words of pieces cost: how seldom they are chosen where they fit, and their letters.

Of `O` places where a word (`grl.sgrl.words`) fits the board it is played at `S`: that takes as many
bits as to say of each place whether it was. Once for all its uses a word costs its letters, each
after the two before it as often as other words of such pieces go on so. Mirror images are one word,
whoever plays them; what pieces are is their type.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2
from typing import NamedTuple

from grl.board import Equipment
from grl.model import AutomatonKey, Role
from grl.sgrl.words import END, NEXT, Word
from grl.turn import Letter

FOREIGN = 8.0
"""Bits for a piece of another player that appears, beside those of other letters."""
MOST_BITS = 500.0
"""No word costs more; less than what a power of two can be of."""
_REMEMBERED = 65_536
_BEGIN = Letter(0, 0, "^")
_MAPS = tuple(ways for x in (1, -1) for y in (1, -1) for ways in ((x, 0, 0, y), (0, x, y, 0)))

Numbers = tuple[int, ...]
"""The words of a turn."""
Turns = tuple[Numbers, ...]
"""The turns that explain a pair."""
Assignment = dict[Turns, int]
"""Which of its turns a pair stands for; pairs with the same words stand for the same."""


Piece = tuple[str, Role]
"""The type of a piece and its part in turns, whosever it is."""
Kind = tuple[Piece, Word]
"""A word, whoever plays it in which direction: of its mirror images the first one."""


def kind_of(key: AutomatonKey, word: Word, equipment: Equipment) -> Kind:
    """What kind of word this is; in its letters pieces stand with whose they are to the mover."""
    pieces, view = equipment.pieces, equipment.views[key.mover]
    piece = pieces[key.holds].type if key.holds in pieces else ""
    letters = [
        x._replace(piece=f"{view[x.piece]}{pieces[x.piece].type}") if x.piece else x for x in word
    ]
    return (piece, key.role), min(_images(tuple(letters)))


@dataclass
class Language:
    """The words in use, by number, with how often each is used and where it fits."""

    equipment: Equipment
    words: list[Kind] = field(default_factory=list)
    members: list[set[tuple[AutomatonKey, Word]]] = field(default_factory=list)
    offers: list[float] = field(default_factory=list)
    uses: Counter[int] = field(default_factory=Counter)
    counted: Counter[int] = field(default_factory=Counter)
    """By number, how often words are used, now and when they were counted; the others count the
    letters of these words: after which two, and how often."""
    follow: Counter[tuple[Piece, Word]] = field(default_factory=Counter)
    after: Counter[tuple[Piece, Word]] = field(default_factory=Counter)
    letters: Counter[tuple[Piece, Word]] = field(default_factory=Counter)
    total: Counter[Piece] = field(default_factory=Counter)
    _spellings: dict[int, float] = field(default_factory=dict)

    def clear(self) -> None:
        """Count anew."""
        for counter in (self.uses, self.counted, self.follow, self.after, self.letters, self.total):
            counter.clear()
        self._spellings.clear()

    def count(self, number: int, times: float) -> None:
        """Count a word, as used so often."""
        key, word = self.words[number]
        self.uses[number] += times  # type: ignore[assignment]
        self.counted[number] += times  # type: ignore[assignment]
        for link in _links(word):
            self.follow[key, link.whole] += times  # type: ignore[assignment]
            self.after[key, link.before] += times  # type: ignore[assignment]
            self.letters[key, link.letter] += times  # type: ignore[assignment]
            self.total[key] += times  # type: ignore[assignment]

    def assign(self, assigned: Assignment, times: Counter[Turns]) -> None:
        """Count anew what the turns assigned are made of."""
        self.clear()
        for turns, number in times.items():
            for word in turns[assigned[turns]]:
                self.count(word, number)

    def bits(self, number: int, uses: float) -> float:
        """What a word used so often costs: its letters, and where it is and isn't chosen."""
        if not uses:
            return 0.0
        offers = max(self.offers[number], uses)
        rate = uses / offers
        silence = (offers - uses) * log2(1 / (1 - rate)) if rate < 1 else 0.0
        return self.spelling(number) + uses * log2(1 / rate) + silence

    def cost(self, number: int) -> float:
        """The bits of one more use of a word."""
        uses = self.uses[number]
        offers = max(self.offers[number], uses)
        spelled = 2.0 ** -self._spelled(number) if uses < 1 else 0.0
        return -log2((uses + spelled) / (offers + 1))

    def spelling(self, number: int) -> float:
        """The bits of a word letter by letter, as the other words have them."""
        known = self._spellings.get(number)
        if known is None:
            known = self._spellings[number] = self._spelled(number)
        return known

    def _spelled(self, number: int) -> float:
        key, word = self.words[number]
        links, own = _links(word), self.counted[number]
        # A word is no witness for itself, yet each of its letters is for those after it.
        before: Counter[Word] = Counter()
        whole: Counter[Word] = Counter()
        letters: Counter[Word] = Counter()
        for link in links:
            before[link.before] -= own
            whole[link.whole] -= own
            letters[link.letter] -= own
        total = max(self.total[key] - own * len(links), 0)
        bits = 0.0
        for link in links:
            plain = max(self.letters[key, link.letter] + letters[link.letter], 0)
            alone = (plain / link.images + 2.0 ** -self._raw(link.letter[0])) / (total + 1)
            there = max(self.follow[key, link.whole] + whole[link.whole], 0) / link.alike
            after = max(self.after[key, link.before] + before[link.before], 0)
            bits -= log2((there + alone) / (after + 1))
            before[link.before] += 1
            whole[link.whole] += 1
            letters[link.letter] += 1
            total += 1
        return min(bits, MOST_BITS)

    def _raw(self, letter: Letter) -> float:
        """The bits of a letter that was never seen."""
        if letter.is_mark:
            return 1.0 if letter == END else 4.0
        if letter.piece:
            foreign = FOREIGN if letter.piece.startswith("p") else 0.0
            return 3.0 + log2(len(self.equipment.pieces)) + foreign
        if letter.removes:
            return 3.0
        if letter.fly:
            return 5.0
        return 4.0 + 2 * log2(1 + abs(letter.dx)) + 2 * log2(1 + abs(letter.dy))

    def by_rule(self, number: int, often: float) -> bool:
        """Whether a word changes no more than where its piece is, or else does so often."""
        (piece, role), word = self.words[number]
        if role is Role.LATER or word[0].removes:
            return self.uses[number] > often
        odd = [x for x in word if x == NEXT or (x.appears and not x.piece.startswith("w"))]
        return all(self.letters[(piece, role), (x,)] > often for x in odd)

    def known(self, number: int) -> bool:
        """Whether turns go on everywhere as this word does."""
        key, word = self.words[number]
        return all(self.follow[key, link.whole] > 0 for link in _links(word))


class _Link(NamedTuple):
    """A letter with the two before it, of its mirror images the first one.

    `before` is those two, `whole` all three, `letter` itself. `images` counts the letters that are
    its mirror images, `alike` those of them that leave the two before as they are.
    """

    before: Word
    whole: Word
    letter: Word
    images: int
    alike: int


@lru_cache(maxsize=_REMEMBERED)
def _links(word: Word) -> tuple[_Link, ...]:
    return tuple(_link((_BEGIN, _BEGIN, *word)[i : i + 3]) for i in range(len(word)))


@lru_cache(maxsize=_REMEMBERED)
def _link(three: Word) -> _Link:
    images = _images(three)
    before = [image[:2] for image in images]
    return _Link(
        min(before),
        min(images),
        min(image[2:] for image in images),
        len({image[2] for image in images}),
        len({image[2] for image in images if image[:2] == three[:2]}),
    )


def _images(word: Word) -> list[Word]:
    """A word mirrored and rotated in all ways."""
    return [
        tuple(x._replace(dx=a * x.dx + b * x.dy, dy=c * x.dx + d * x.dy) for x in word)
        for a, b, c, d in _MAPS
    ]
