"""Which turns a whole record means, where each pair of boards leaves several open.

The cheapest description of all games decides (minimum description length), with words at the cost
of `grl.importers.word_costs`. So a slide is told from a leap: a leap would have been offered over
pieces, too, and never was played there; and one word for all games is cheaper than several.

A turn that was found is judged by all others, itself left out: what no other turn speaks for can't
be told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import log2
from typing import NamedTuple

from grl.board import Equipment, Player
from grl.importers.word_costs import Assignment, Kind, Language, Numbers, Turns, kind_of
from grl.model import AutomatonKey
from grl.sgrl.collect import collect, words_of
from grl.sgrl.evidence import Decision, Evidence, ranks_of
from grl.sgrl.words import Word
from grl.turn import Letter

SAMPLE = 20_000
"""Boards on which it is counted where words fit."""
ROUNDS = 20
SLACK = 1e-6
"""So few bits save nothing: sums differ with the order in which they are added."""
HEADROOM = 20.0
"""How many bits a turn may cost more than to write down what differs."""
CLOSE = 5.0
"""Turns whose costs differ by less bits are as likely."""
OFTEN = 1 / 100
"""In so many turns pieces are put or taken, beside the one that moves, where that is a rule."""
SEEN = 3
"""So many turns of the same kind speak for one another."""


class Pair(NamedTuple):
    """Two boards in a row, who moved, and the turns that explain them."""

    mover: Player
    before: str
    after: str
    turns: tuple[str, ...]


class Choice(NamedTuple):
    """The turn that a pair stands for.

    `rival` is another one that is as likely, if there is one; `open` says that nothing else in the
    records speaks for either; `unexplained` that nothing makes the turn likely at all. `bits` is
    its cost, `plain` what it costs to write down what differs.
    """

    turn: str
    rival: str | None
    open: bool
    unexplained: bool
    bits: float
    plain: float


def choose(pairs: Sequence[Pair], equipment: Equipment) -> list[Choice]:
    """For each pair the turn that it stands for."""
    language = Language(equipment)
    spelled = _spelled(pairs, language)
    _offer(pairs, language)
    cheapest = _Search(language, Counter(spelled)).best()
    language.assign(cheapest, Counter(spelled))
    alike = Counter(
        _mirrored(pair.turns[cheapest[turns]], turns[cheapest[turns]], equipment)
        for pair, turns in zip(pairs, spelled, strict=True)
    )
    weighed: dict[Turns, _Weighed] = {}
    found = []
    for pair, turns in zip(pairs, spelled, strict=True):
        at = cheapest[turns]
        if turns not in weighed:
            weighed[turns] = _weighed(language, turns, at)
        found.append(_judged(language, pair, turns, at, weighed[turns], alike, len(pairs)))
    return found


_Mirrored = tuple[tuple[int, ...], tuple[int, ...], Numbers]
_ORIGIN = re.compile(r"(?:^|; )([a-z]+[0-9]+)")


class _Search:
    """Looks for the assignment of turns that makes all of them, and their words, cheapest.

    It begins where each turn is made of the words that as many others as possible could have,
    and where each is made of those that are chosen most often where they fit; from there words
    are taken up, or given up, by all turns at once, as long as that saves bits.
    """

    def __init__(self, language: Language, times: Counter[Turns]) -> None:
        self.language, self.times = language, times
        self.most: Counter[int] = Counter()
        self.having: dict[int, list[Turns]] = {}
        for turns, number in times.items():
            for word in sorted({word for words in turns for word in words}):
                self.most[word] += number
                if len(turns) > 1:
                    self.having.setdefault(word, []).append(turns)

    def best(self) -> Assignment:
        """The cheaper one of those found from the two beginnings."""
        found = [self._improved(rate) for rate in (self._common, self._rate)]
        return min(found, key=lambda each: each[0])[1]

    def _common(self, word: int) -> float:
        return log2(self.times.total() / self.most[word])

    def _rate(self, word: int) -> float:
        """The bits of a word if every turn that could had it."""
        most = self.most[word]
        offers = max(self.language.offers[word], most)
        return log2(offers / most) + self.language.spelling(word) / most

    def _improved(self, begin: Callable[[int], float]) -> tuple[float, Assignment]:
        """The assignment found from one beginning, and its bits."""
        language = self.language
        if not language.uses:
            for turns, number in self.times.items():
                for words in turns:
                    for word in words:
                        language.count(word, number / len(turns))
        self.assigned = {turns: self._least(turns, begin) for turns in self.times}
        for _ in range(ROUNDS):
            language.assign(self.assigned, self.times)
            if not self._sweep() and not self._without_leaps():
                break
        bits, found = self._total(), self.assigned
        language.clear()
        return bits, found

    def _least(
        self, turns: Turns, cost: Callable[[int], float], word: int = -1, *, without: bool = False
    ) -> int:
        """Which of the turns costs least; of those with, or without, a word where that is given."""
        some = [
            at for at, words in enumerate(turns) if word < 0 or ((word in words) is not without)
        ]
        costs = {at: round(sum(map(cost, turns[at])), 9) for at in some}
        return min(costs, key=lambda at: (costs[at], len(turns[at]), at), default=-1)

    def _sweep(self) -> bool:
        """Take up or give up every word once; whether that saved anything."""
        better = False
        for word in sorted(self.having, key=lambda word: (-self.most[word], word)):
            for without in (True, False):
                moves = {}
                for turns in self.having[word]:
                    now = self.assigned[turns]
                    if (word in turns[now]) is without:
                        to = self._least(turns, self._rate, word, without=without)
                        if to >= 0:
                            moves[turns] = to
                if moves and self._gain(moves) < -SLACK:
                    self._make(moves)
                    better = True
        return better

    def _without_leaps(self) -> bool:
        """Have a piece leap nowhere where it could step as well; whether that saved anything.

        The words of its steps are cheap only together, since each spells how others go on.
        """
        language = self.language
        leaps = {number for number, (_, word) in enumerate(language.words) if any(map(_far, word))}
        for piece in sorted({language.words[number][0] for number in leaps}):
            mine = {number for number in leaps if language.words[number][0] == piece}
            before, known = self._total(), self.assigned
            self.assigned = dict(known)
            for turns, at in known.items():
                if mine.isdisjoint(turns[at]):
                    continue
                others = [other for other, words in enumerate(turns) if leaps.isdisjoint(words)]
                costs = {other: sum(map(self._rate, turns[other])) for other in others}
                self.assigned[turns] = min(costs, key=lambda at: (costs[at], at), default=at)
            if self.assigned != known and self._total() < before - SLACK:
                return True
            self.assigned = known
        return False

    def _total(self) -> float:
        """The bits of all turns as they are assigned, and of their words."""
        language = self.language
        language.assign(self.assigned, self.times)
        return sum(language.bits(word, uses) for word, uses in language.uses.items())

    def _gain(self, moves: Assignment) -> float:
        """By how many bits all become longer."""
        language, change = self.language, self._change(moves)
        return sum(
            language.bits(word, language.uses[word] + more)
            - language.bits(word, language.uses[word])
            for word, more in change.items()
        )

    def _change(self, moves: Assignment) -> Counter[int]:
        change: Counter[int] = Counter()
        for turns, to in moves.items():
            for word in turns[to]:
                change[word] += self.times[turns]
            for word in turns[self.assigned[turns]]:
                change[word] -= self.times[turns]
        return change

    def _make(self, moves: Assignment) -> None:
        for word, more in self._change(moves).items():
            self.language.uses[word] += more
        self.assigned |= moves


def _far(letter: Letter) -> bool:
    """Whether a letter leads farther than to the next square."""
    return max(abs(letter.dx), abs(letter.dy)) > 1


def _spelled(pairs: Sequence[Pair], language: Language) -> list[Turns]:
    """The words of every turn of every pair, by number."""
    numbers: dict[Kind, int] = {}
    words_known: dict[tuple[AutomatonKey, Word], int] = {}
    known: dict[tuple[str, str, str], Numbers] = {}
    board = language.equipment.board
    found = []
    for pair in pairs:
        decision = Decision(pair.mover, pair.before, (), False)
        turns = []
        for text in pair.turns:
            name, _, rest = text.partition(" ")
            kind = pair.mover, pair.before[board.square(name)] if rest else "", rest
            words = known.get(kind)
            if words is None:
                words = tuple(
                    _number(each, language, numbers, words_known)
                    for each in words_of(decision, text, language.equipment)
                )
                if ";" not in rest:
                    known[kind] = words
            turns.append(words)
        found.append(tuple(turns))
    language.words = list(numbers)
    return found


def _number(
    word: tuple[AutomatonKey, Word],
    language: Language,
    numbers: dict[Kind, int],
    known: dict[tuple[AutomatonKey, Word], int],
) -> int:
    """The number of the kind of a word, which is one more of its members."""
    number = known.get(word)
    if number is None:
        kind = kind_of(*word, language.equipment)
        number = known[word] = numbers.setdefault(kind, len(numbers))
        if number == len(language.members):
            language.members.append(set())
        language.members[number].add(word)
    return number


def _offer(pairs: Sequence[Pair], language: Language) -> None:
    """Count where each word fits, on the boards of a sample."""
    evidence = Evidence(limit=len(pairs) + 1)
    turns: dict[Decision, dict[str, int]] = {}
    for pair in pairs:
        decision = Decision(pair.mover, pair.before, (), False)
        turns.setdefault(decision, {}).update(dict.fromkeys(pair.turns, 1))
    kept = list(turns)
    if len(kept) > SAMPLE:
        ranked = sorted(zip(ranks_of(kept), range(len(kept)), strict=True))[:SAMPLE]
        kept = [kept[at] for _, at in sorted(ranked, key=lambda each: each[1])]
    for decision in kept:
        evidence.decisions[decision] = turns[decision]
    scale = len(pairs) / max(len(kept), 1)
    trees = collect(evidence, language.equipment)
    for members in language.members:
        offers = 0
        for key, word in members:
            node = trees[key].root if key in trees else None
            for letter in word:
                node = None if node is None else node.child(letter)
            offers += 0 if node is None else len(node.offer)
        language.offers.append(offers * scale)


def _mirrored(text: str, words: Numbers, equipment: Equipment) -> _Mirrored:
    """What a turn has in common with the same turn of a player who sits on the other side."""
    board = equipment.board
    squares = [board.square(name) for name in _ORIGIN.findall(text)] if text != "pass" else []
    ranks = tuple(square // board.width for square in squares)
    other = tuple(board.height - 1 - rank for rank in ranks)
    return tuple(square % board.width for square in squares), min(ranks, other), words


class _Weighed(NamedTuple):
    """What each of some turns costs, and whether all of it is known, by all other turns."""

    costs: tuple[float, ...]
    known: tuple[bool, ...]


def _weighed(language: Language, turns: Turns, chosen: int) -> _Weighed:
    """What speaks for each of the turns when the one `chosen` is no witness."""
    for number in turns[chosen]:
        language.count(number, -1)
    found = _Weighed(
        tuple(sum(map(language.cost, numbers)) for numbers in turns),
        tuple(all(map(language.known, numbers)) for numbers in turns),
    )
    for number in turns[chosen]:
        language.count(number, 1)
    return found


def _judged(
    language: Language,
    pair: Pair,
    turns: Sequence[Numbers],
    at: int,
    weighed: _Weighed,
    alike: Counter[_Mirrored],
    number: int,
) -> Choice:
    """The turn chosen, and what can be said against it."""
    costs, known = weighed
    board, text = language.equipment.board, pair.turns[at]
    differ = sum(a != b for a, b in zip(pair.before, pair.after, strict=True))
    plain = differ * (log2(board.size) + log2(len(language.equipment.pieces) + 1))
    close = [
        other
        for other, cost in enumerate(costs)
        if other != at and cost < costs[at] + CLOSE and turns[other] != turns[at]
    ]
    rival = min(close, key=costs.__getitem__, default=None)
    often = max(SEEN, OFTEN * number)
    same = alike[_mirrored(text, turns[at], language.equipment)]
    if text == "pass":
        unlikely = same <= often / 10
    else:
        by_rule = all(language.by_rule(n, often) for n in turns[at])
        unlikely = same <= SEEN and not by_rule
    return Choice(
        text,
        None if rival is None else pair.turns[rival],
        rival is not None and not known[at] and not known[rival],
        unlikely or (costs[at] > plain + HEADROOM and not known[at]),
        costs[at],
        plain,
    )
