"""Where words and stems match, in C: what they ask of squares around their origins, those with the
same beginning together.

The questions are a tree, which is written out, all shifts at fixed distances. Where a player has
many words what ends beside each other in it is a table, and steps in one direction are a loop
(`find_leaves` and `find_ray` in setwise.h): as fast, and soon compiled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from grl.board import EMPTY
from grl.engine.tables import numbers, records
from grl.engine.wordrules import FEW_WORDS
from grl.engine.words import Offset, Stem, Word

_FEW_LEAVES, _FEW_STEPS = 17, 3
"""As many branches are a table, as many steps in one direction a loop."""


@dataclass
class _Branch:
    """The words and stems that end after what was asked so far, and what others ask next."""

    words: list[int] = field(default_factory=list)
    stems: list[int] = field(default_factory=list)
    below: dict[_Question, _Branch] = field(default_factory=dict)

    def at(self, asks: Mapping[Offset, frozenset[str]]) -> _Branch:
        """The branch for what asks this and no more."""
        branch = self
        for ask in asks.items():
            branch = branch.below.setdefault(ask, _Branch())
        return branch


_Question = tuple[Offset, frozenset[str]]
_Item = tuple[_Question, _Branch]


@dataclass(frozen=True)
class _Ray:
    """Steps in one direction `over` some contents, and as the last one `onto` others; the words
    after each step of either kind, -1 for none; how many questions beside each other it answers."""

    by: Offset
    over: frozenset[str]
    onto: frozenset[str]
    words: Sequence[tuple[int, int]]
    items: int


class Asked:
    """Writes what the words and stems of a player ask.

    `rows` are the first segments of the first stems, where turns end with a removal; the first
    `later` stems are kept apart. `gates` and `row_gates` have expressions in C that keep words and
    rows from being legal, by number.
    """

    def __init__(
        self,
        seat: int,
        words: Sequence[Word],
        stems: Sequence[Stem],
        rows: Sequence[Word],
        later: int,
        gates: tuple[Mapping[int, str], Mapping[int, str]],
        contents: Mapping[str, int],
        width: int,
    ) -> None:
        self.seat, self.words, self.stems, self.rows, self.later = seat, words, stems, rows, later
        self.gates, self.row_gates = gates
        self.contents, self.width = contents, width
        self.many = len(words) > FEW_WORDS
        self._sets: dict[str, int] = {}
        self._tables: list[str] = []

    def text(self) -> tuple[Sequence[str], Sequence[str]]:
        """The tables, and what stands in the function ``origins``."""
        root = _Branch()
        for number, word in enumerate(self.words):
            root.at(word.asks).words.append(number)
        for number, stem in enumerate(self.stems):
            root.at(stem.asks).stems.append(number)
        inside = list(self._below(root, 0))
        sets = ", ".join(self._sets) or "NO_SQUARE"
        return self._tables, [f"  const Set lies[] = {{{sets}}};", *inside]

    def lying(self, keys: frozenset[str]) -> str:
        """The squares that hold some contents."""
        if keys >= self.contents.keys():
            return "board_squares"
        found = "c->ground.empty" if EMPTY in keys else "NO_SQUARE"
        for key in sorted(keys - {EMPTY}):
            one = f"pieces[{self.contents[key] - 1}]"
            found = one if found == "NO_SQUARE" else f"set_or({found}, {one})"
        return found

    def _lies(self, keys: frozenset[str]) -> int:
        """The number of the set of squares that hold some contents."""
        return self._sets.setdefault(self.lying(keys), len(self._sets))

    def _by(self, at: Offset) -> int:
        return at[0] + at[1] * self.width

    def _held(self, word: Word) -> str:
        """Whether a player holds what appears in a word; nothing where that needn't be asked."""
        if word.hand is None:
            return ""
        return f"c->state->hand[{self.seat}][{self.contents[word.hand] - 1}]"

    def _row_held(self, stem: int) -> str:
        """Whether a player holds what appears in the first segment of a row."""
        return self._held(self.rows[stem]) if self.rows else ""

    def _below(self, branch: _Branch, depth: int) -> Iterator[str]:
        """The words that ask for what was asked so far, ``a1`` and so on, and for more."""
        pad = "  " * (depth + 1)
        for number in branch.words:
            held = self._held(self.words[number]) or "1"
            yield f"{pad}FOUND({held}, a{depth}, mask_{self.seat}, {number})"
        for number in branch.stems:
            held, squares = self._row_held(number), f"set_and(a{depth}, stem_{self.seat}[{number}])"
            kept = number < self.later
            found = (
                f"LATER({number}, {squares})" if kept else f"walked = set_or(walked, {squares});"
            )
            yield f"{pad}{f'if ({held}) ' * bool(held)}{found}"
        left = list(branch.below.items())
        if self.many:
            left = yield from self._flights(left, depth)
        while left:
            ray = self._ray(left) if self.many else None
            plain = list(takewhile(self._is_plain, left)) if self.many else []
            if ray is not None:
                yield f"{pad}{self._ray_call(ray, depth)}"
                left = left[ray.items :]
            elif len(plain) >= _FEW_LEAVES:
                yield f"{pad}{self._leaves_call(plain, depth)}"
                left = left[len(plain) :]
            else:
                yield from self._question(left.pop(0), depth)

    def _question(self, item: _Item, depth: int) -> Iterator[str]:
        (at, keys), inner = item
        pad, by, lies = "  " * (depth + 1), self._by(at), f"lies[{self._lies(keys)}]"
        found = f"set_by({lies}, {by})" if by else lies
        if depth:
            found = f"set_and(a{depth}, {found})"
        some = f"set_any(a{depth + 1})" if self.many else "1"
        inside = self._below(inner, depth + 1)
        begin = f"{pad}{{ const Set a{depth + 1} = {found}; if ({some}) {{"
        if inner.below:
            yield begin
            yield from inside
            yield f"{pad}}} }}"
        else:
            yield f"{begin} {' '.join(line.strip() for line in inside)} }} }}"

    def _flights(self, items: Sequence[_Item], depth: int) -> Generator[str, None, list[_Item]]:
        """The questions but for those where single flights end, and these as a table for each gate
        that keeps them shut."""
        flights: dict[tuple[str, frozenset[str]], list[_Item]] = {}
        others = []
        for item in items:
            (_, keys), branch = item
            if self._flies(branch):
                flights.setdefault((self._gate(branch), keys), []).append(item)
            else:
                others.append(item)
        for (gate, _), found in flights.items():
            may = f"if (!level || !({gate})) " if gate else ""
            yield f"{'  ' * (depth + 1)}{may}{self._leaves_call(found, depth)}"
        return others

    def _flies(self, branch: _Branch) -> bool:
        """Whether a single flight ends with a branch: one way for each distance."""
        kinds = [self.words[number] for number in branch.words]
        kinds += [self.rows[number] for number in branch.stems if self.rows]
        few = len(branch.words) <= 1 and len(branch.stems) <= bool(self.rows) and not branch.below
        return few and bool(kinds) and all(len(x.letters) == 1 and x.flies for x in kinds)

    def _gate(self, branch: _Branch) -> str:
        """What keeps all that ends with a branch from being legal."""
        gates = {self.gates.get(number, "") for number in branch.words}
        gates |= {self.row_gates.get(number, "") for number in branch.stems}
        return gates.pop() if len(gates) == 1 else ""

    def _is_plain(self, item: _Item) -> bool:
        """Whether at most a word and a stem that is kept end with a branch, and nothing is held."""
        branch = item[1]
        held = [self._held(self.words[number]) for number in branch.words]
        held += [self._row_held(number) for number in branch.stems]
        return (
            not (branch.below or any(held))
            and len(branch.words) <= 1
            and len(branch.stems) <= 1
            and all(number < self.later for number in branch.stems)
        )

    def _leaves_call(self, leaves: Sequence[_Item], depth: int) -> str:
        """What finds the words and stems with which branches end."""
        rows = [
            [self._lies(keys), self._by(at), *(inner.words or [-1]), *(inner.stems or [-1])]
            for (at, keys), inner in leaves
        ]
        name = f"asks_{self.seat}_{len(self._tables)}"
        self._tables.append(records("Ask", name, rows))
        given = f"x, a{depth}, {name}, {len(rows)}, lies, mask_{self.seat}"
        if all(row[3] < 0 for row in rows):
            return f"find_leaves({given});"
        return f"find_stems({given}, stem_{self.seat}, later, some);"

    def _ray(self, items: Sequence[_Item]) -> _Ray | None:
        """The ray that begins with the first question, if one does."""
        (by, over), _ = items[0]
        if by == (0, 0):
            return None
        onto: frozenset[str] = frozenset()
        if len(items) > 1 and items[1][0][0] == by:
            onto = items[1][0][1]
        given = 1 + bool(onto)
        left = list(items[:given])
        words: list[tuple[int, int]] = []
        while left:
            at = (by[0] * (len(words) + 1), by[1] * (len(words) + 1))
            found = dict(left)
            if found.keys() - {(at, over), (at, onto)}:
                return None
            here, there = (found.get((at, keys), _Branch()) for keys in (over, onto))
            first = left[0][0] == (at, over) or len(left) == 1
            ends = (_Branch(here.words, here.stems), there)
            plain = all(self._is_plain(((at, over), each)) and not each.stems for each in ends)
            if not (first and plain):
                return None
            words.append(((*here.words, -1)[0], (*there.words, -1)[0]))
            left = list(here.below.items())
        return _Ray(by, over, onto, words, given) if len(words) >= _FEW_STEPS else None

    def _ray_call(self, ray: _Ray, depth: int) -> str:
        """What finds the words of a ray."""
        name = f"ray_words_{self.seat}_{len(self._tables)}"
        self._tables.append(numbers("i16", name, [word for pair in ray.words for word in pair]))
        onto = f"lies[{self._lies(ray.onto)}]" if ray.onto else "NO_SQUARE"
        sets = f"a{depth}, lies[{self._lies(ray.over)}], {onto}"
        given = f"{self._by(ray.by)}, {name}, {len(ray.words)}, mask_{self.seat}"
        some = f"lies[{self._lies(ray.over | ray.onto)}]"
        first = f"set_any(set_and(a{depth}, set_by({some}, {self._by(ray.by)})))"
        return f"if ({first}) find_ray(x, {sets}, {given});"
