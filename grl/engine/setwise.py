"""Turns as sets of origins in C: each word's origins at once, what restrictions leave of them, and
what a word leaves on the board.

Counting, choosing one at random and carrying it out need no list of turns. A model is written so
where the turns of a player are finitely many words of one segment, or begin with finitely many
stems, and every restriction speaks of words in ways that `grl.engine.literals` knows; others are
left to the walk. From origins where a stem matches all turns are walked, and listed beside the
sets: rivals from one origin stand on one side, and rivals anywhere are asked for on both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from grl.board import EMPTY
from grl.engine.graph import Graph
from grl.engine.literals import LeftToWalk, Literals, Value
from grl.engine.tables import numbers
from grl.engine.words import Offset, Stem, Word, clash, walked_everywhere, words_of
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.relations import written
from grl.model import Feature, Model, Rule, Rules
from grl.rules.code.rules import RuleCode
from grl.rules.features.relations import RELATIONS
from grl.turn import Letter

SKIP = 30_000
"""The distance of a word that a set isn't asked about."""
LEAST = -1_000_000
FEW_WORDS = 12
"""Up to so many words of a player are all gone through, whether they may be played or not."""


@dataclass
class _Branch:
    """The words and stems that end after what was asked so far, and what others ask next."""

    words: list[int] = field(default_factory=list)
    stems: list[int] = field(default_factory=list)
    below: dict[tuple[Offset, frozenset[str]], _Branch] = field(default_factory=dict)

    def at(self, asks: Mapping[Offset, frozenset[str]]) -> _Branch:
        """The branch for what asks this and no more."""
        branch = self
        for ask in asks.items():
            branch = branch.below.setdefault(ask, _Branch())
        return branch


class Setwise:
    """Writes a model set-wise; raises `NotCompiled` where it is left to the walk."""

    def __init__(
        self,
        model: Model,
        rules: Rules,
        graphs: Sequence[Graph],
        letters: Sequence[Letter],
        ruled: RuleCode,
        code: Code,
    ) -> None:
        needs = ruled.needs
        if model.effects or rules.control or rules.passing or needs.trail or needs.moved:
            raise NotCompiled("effects, control, passing and the past are left to the walk")
        if needs.back or needs.events:
            raise NotCompiled("what the last turns did is left to the walk")
        self.model, self.equipment, self.board = model, model.equipment, model.equipment.board
        self.code = code
        self.contents = {EMPTY: 0}
        self.contents |= {key: n for n, key in enumerate(sorted(self.equipment.pieces), 1)}
        found = [
            self._followed(seat, *words_of(graph, self.equipment, letters), rules, ruled)
            for seat, graph in enumerate(graphs)
        ]
        if all(walked_everywhere(words, stems) for words, stems in found):
            raise NotCompiled("every turn may go on in ways that sets of origins don't follow")
        self.words = [words for words, _ in found]
        self.mixed = any(stems for _, stems in found)
        self._texts: list[str] = []
        for seat, (words, stems) in enumerate(found):
            self._texts += self._player(seat, words, stems, rules, ruled)

    @property
    def most(self) -> int:
        """The words of the player who has most."""
        return max(1, *map(len, self.words))

    @property
    def dense(self) -> bool:
        """Whether all players have few words."""
        return self.most <= FEW_WORDS

    def text(self) -> Iterator[str]:
        """The functions ``find_origins`` and ``play_word`` and what they rest on."""
        yield from self._texts
        yield "FINDS void find_origins(Case *c, Origins *x) {\n  switch (c->state->to_move) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: origins_{seat}(c, x); break;"
        yield "  }\n}"
        yield "static const Leaves *leaves_of(int seat, int word) {\n  switch (seat) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: return &leaves_{seat}[word];"
        yield "  }\n  return 0;\n}"

    @property
    def writes(self) -> int:
        """The most squares that a word leaves changed."""
        return max((len(word.leaves) for words in self.words for word in words), default=1) or 1

    def _player(
        self,
        seat: int,
        words: Sequence[Word],
        stems: Sequence[Stem],
        rules: Rules,
        ruled: RuleCode,
    ) -> Iterator[str]:
        size = self.board.size
        masks = ",\n  ".join(written(word.origins, size) for word in words) or written((), size)
        yield f"static const Set mask_{seat}[] UNUSED = {{{masks}}};"
        rows = ",\n  ".join(map(self._leaves, words)) or "{-1, {0}, {0}}"
        yield f"static const Leaves leaves_{seat}[] UNUSED = {{{rows}}};"
        literals = Literals(ruled.setting, ruled, self.code, seat, words)
        masks = ",\n  ".join(written(stem.origins, size) for stem in stems) or written((), size)
        yield f"static const Set stem_{seat}[] UNUSED = {{{masks}}};"
        writer = _Restrictions(literals, words, seat, size, self.mixed)
        calls = []
        for number, rule in enumerate(rules.restrictions):
            yield from writer.forbidding(number, rule)
            calls.append(f"  forbid_{seat}_{number}(c, x);")
        yield f"FINDS void origins_{seat}(Case *c, Origins *x) {{"
        yield "  const Set *pieces = c->ground.pieces;\n  (void)pieces; x->count = 0;"
        if len(words) <= FEW_WORDS:
            all_words = range(self.most if self.dense else len(words))
            yield from (f"  x->of[{number}] = NO_SQUARE;" for number in all_words)
        if self.mixed:
            yield "  Set walked = NO_SQUARE;"
        yield from self._found(seat, words, stems)
        if len(words) <= FEW_WORDS:
            yield f"  x->count = {len(words)};"
            if not self.dense:
                yield from (f"  x->used[{number}] = {number};" for number in range(len(words)))
        if self.mixed:
            yield "  WALKED_APART"
        yield from self._met(words)
        yield from calls
        yield from self._twice(seat, words)
        yield "}"

    def _leaves(self, word: Word) -> str:
        by = [dx + dy * self.board.width for dx, dy in word.leaves]
        what = [self.contents[content] for content in word.leaves.values()]
        hand = -1 if word.hand is None else self.contents[word.hand] - 1
        by += by[:1] * (self.writes - len(by))
        what += what[:1] * (self.writes - len(what))
        return f"{{{hand}, {{{', '.join(map(str, by))}}}, {{{', '.join(map(str, what))}}}}}"

    def _union(self, keys: frozenset[str]) -> str:
        """The squares that hold some contents."""
        if keys >= self.contents.keys():
            return "board_squares"
        found = "c->ground.empty" if EMPTY in keys else "NO_SQUARE"
        for key in sorted(keys - {EMPTY}):
            one = f"pieces[{self.contents[key] - 1}]"
            found = one if found == "NO_SQUARE" else f"set_or({found}, {one})"
        return found

    def _found(self, seat: int, words: Sequence[Word], stems: Sequence[Stem]) -> Iterator[str]:
        """The origins of words and stems, those with the same beginning together."""
        names: dict[frozenset[str], str] = {}
        kinds = [kind for each in words for kind in each.asks.values()]
        kinds += [kind for each in stems for kind in each.asks.values()]
        for kind in kinds:
            if kind not in names:
                names[kind] = f"lies_{len(names)}"
                yield f"  const Set {names[kind]} = {self._union(kind)};"
        root = _Branch()
        for number, word in enumerate(words):
            root.at(word.asks).words.append(number)
        for number, stem in enumerate(stems):
            root.at(stem.asks).stems.append(number)
        yield from self._below(seat, words, root, names, 0)

    def _below(
        self,
        seat: int,
        words: Sequence[Word],
        branch: _Branch,
        names: Mapping[frozenset[str], str],
        depth: int,
    ) -> Iterator[str]:
        """The words that ask for what was asked so far, ``a1`` and so on, and for more."""
        pad = "  " * (depth + 1)
        for number in branch.words:
            hand, held = words[number].hand, "1"
            if hand is not None:
                held = f"c->state->hand[{seat}][{self.contents[hand] - 1}]"
            yield f"{pad}FOUND({held}, a{depth}, mask_{seat}, {number})"
        for number in branch.stems:
            yield f"{pad}walked = set_or(walked, set_and(a{depth}, stem_{seat}[{number}]));"
        for ((dx, dy), keys), inner in branch.below.items():
            by = dx + dy * self.board.width
            found = f"set_by({names[keys]}, {by})" if by else names[keys]
            if depth:
                found = f"set_and(a{depth}, {found})"
            some = "1" if len(words) <= FEW_WORDS else f"set_any(a{depth + 1})"
            yield f"{pad}{{ const Set a{depth + 1} = {found};\n{pad}if ({some}) {{"
            yield from self._below(seat, words, inner, names, depth + 1)
            yield f"{pad}}} }}"

    def _met(self, words: Sequence[Word]) -> Iterator[str]:
        """Of words that come to one search state the first alone is a spelling."""
        first: dict[object, list[int]] = {}
        pairs = []
        for number, word in enumerate(words):
            known = first.setdefault(word.state, [])
            pairs += [(other, number) for other in known]
            known.append(number)
        yield from self._less(words, pairs)

    def _less(self, words: Sequence[Word], pairs: Sequence[tuple[int, int]]) -> Iterator[str]:
        """The second word of each pair is played only where the first may not be."""
        if pairs:
            yield f"  {{ Set of[{len(words)}];"
            yield f"  for (int w = 0; w < {len(words)}; w++) of[w] = NO_SQUARE;"
            yield "  WORDS_EACH(w, x) of[w] = x->of[w];"
            yield from (f"  x->of[{j}] = set_less(x->of[{j}], of[{i}]);" for i, j in pairs)
            yield "  }"

    def _clashes(self, seat: int, words: Sequence[Word]) -> Iterator[tuple[int, int, Stem]]:
        """Two words that may have one effect, by number, and where they have it."""
        every, player = frozenset(self.contents), self.equipment.players[seat]
        counted = frozenset(key for owner, key in self.equipment.stocked if owner == player)
        for (i, one), (j, other) in combinations(enumerate(words), 2):
            stem = clash(one, other, every, counted)
            if stem is not None:
                yield i, j, stem

    def _twice(self, seat: int, words: Sequence[Word]) -> Iterator[str]:
        """Of two words with one effect the second counts only where the first may not be played."""
        pairs = [(i, j) for i, j, _ in self._clashes(seat, words) if _alike(words[i], words[j])]
        yield from self._less(words, pairs)

    def _followed(
        self,
        seat: int,
        words: Sequence[Word],
        stems: Sequence[Stem],
        rules: Rules,
        ruled: RuleCode,
    ) -> tuple[Sequence[Word], Sequence[Stem]]:
        """The words of which sets say all that rules ask; others become stems, and so do beginnings
        where two words may have one effect."""
        stems = list(stems)
        for i, j, stem in self._clashes(seat, words):
            if not _alike(words[i], words[j]):
                stems.append(stem)
        while True:
            literals = Literals(ruled.setting, ruled, self.code, seat, words)
            writer = _Restrictions(literals, words, seat, self.board.size, False)
            try:
                for number, rule in enumerate(rules.restrictions):
                    deque(writer.forbidding(number, rule), maxlen=0)
                return words, stems
            except LeftToWalk as left:
                stems += [Stem(words[w].asks, words[w].origins) for w in sorted(left.words)]
                words = [word for w, word in enumerate(words) if w not in left.words]


def _alike(one: Word, other: Word) -> bool:
    """Whether two words always leave the same."""
    return dict(one.leaves) == dict(other.leaves) and one.hand == other.hand


class _Restrictions:
    """Writes what restrictions leave of a player's words."""

    def __init__(
        self, literals: Literals, words: Sequence[Word], seat: int, size: int, mixed: bool
    ) -> None:
        self.literals, self.words, self.seat, self.size = literals, words, seat, size
        self.mixed = mixed
        self._count = 0

    def forbidding(self, number: int, rule: Rule) -> Iterator[str]:
        """The function of a rule, and its tables."""
        tables: list[str] = []
        before: list[str] = []
        loops: list[str] = []
        tests: list[str] = []
        for feature, holds in rule.body:
            if feature[0] in RELATIONS:
                self._relation(feature, holds, tables, before, loops, tests)
            else:
                value = self._value(self.literals.value(feature), tables, before)
                tests.append(f"gone = set_{'and' if holds else 'less'}(gone, {value});")
        yield from tables
        yield f"static void forbid_{self.seat}_{number}(Case *c, Origins *x) {{\n  (void)c;"
        yield from (f"  {line}" for line in before)
        yield from (f"  {line}" for line in loops)
        inner = f"Set gone = x->of[w]; {' '.join(tests)} x->of[w] = set_less(x->of[w], gone);"
        yield from (f"  {line}" for line in self._each(inner))
        if self.mixed:
            yield f"  if (x->walked) forbid_{number}(&x->walked->list);"
        yield "}"

    def _each(self, statements: str) -> Iterator[str]:
        """Statements for every word ``w``; few words are written out."""
        if len(self.words) <= FEW_WORDS:
            for number in range(len(self.words)):
                yield f"{{ enum {{ w = {number} }}; {statements} }}"
        else:
            yield f"WORDS_EACH(w, x) {{ {statements} }}"

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self.seat}_{self._count}"

    def _value(self, value: Value, tables: list[str], before: list[str]) -> str:
        """An expression for the origins of word ``w`` of which something holds."""
        name = self._name("fixed")
        sets = ", ".join(written(each, self.size) for each in value.fixed) or "{0}"
        tables.append(f"static const Set {name}[] UNUSED = {{{sets}}};")
        found = f"{name}[w]"
        for moved in value.moved:
            squares, distances = self._name("squares"), self._name("far")
            by = [SKIP if each is None else each for each in moved.distances]
            tables.append(numbers("i16", distances, by or [0]))
            before.append(f"const Set {squares} = {moved.squares};")
            form = "and" if moved.holds else "less"
            found = f"set_{form}_by({found}, {squares}, {distances}[w])"
        if value.scalar:
            scalar = self._name("scalar")
            before.append(f"const int {scalar} = {value.scalar};")
            found = f"({scalar} ? {found} : NO_SQUARE)"
        return found

    def _relation(
        self,
        feature: Feature,
        holds: bool,
        tables: list[str],
        before: list[str],
        loops: list[str],
        tests: list[str],
    ) -> None:
        """A relation between turns: what rivals have is found before any turn goes."""
        name, *arguments = feature
        if name == "prefix":
            going = self._name("going")
            parents = self._name("parent")
            tables.append(numbers("i16", parents, self._parents() or [-1]))
            loops.append(f"Set {going}[{len(self.words) or 1}];")
            above = f"for (int u = {parents}[w]; u >= 0; u = {parents}[u])"
            loops += self._each(f"{going}[w] = NO_SQUARE; {above} {going}[u] = NO_SQUARE;")
            loops += self._each(f"{above} {going}[u] = set_or({going}[u], x->of[w]);")
            tests.append(f"gone = set_{'and' if holds else 'less'}(gone, {going}[w]);")
            return
        if arguments[0] == "first":
            # No turn has a rival there, but what takes less than nothing is outdone all the same.
            covers = "0"
            if name == "more":
                amounts = self._name("amount")
                tables.append(numbers("i16", amounts, self.literals.numbers(feature) or [0]))
                covers = f"{amounts}[w] < 0"
            tests.append(f"if ({'!' if holds else ''}({covers})) gone = NO_SQUARE;")
            return
        if name in ("rival_has", "rival_lacks"):
            inner = arguments[1]
            assert isinstance(inner, tuple)
            if inner[0] in RELATIONS:
                raise NotCompiled("relations of relations are left to the walk")
            value = self._value(self.literals.value(inner), tables, before)
            has = name == "rival_has"
            rivals, some = self._name("rivals"), "and" if has else "less"
            mine = "less" if has else "and"
            loops.append(f"Set {rivals} = NO_SQUARE;")
            loops += self._each(f"{rivals} = set_or({rivals}, set_{some}(x->of[w], {value}));")
            if arguments[0] == "any":
                known = self._name("some")
                loops.append(f"int {known} = set_any({rivals});")
                loops += self._beside(feature, known)
                loops.append(f"if ({known}) {rivals} = board_squares;")
            found = f"set_{mine}({rivals}, {value})"
            tests.append(f"gone = set_{'and' if holds else 'less'}(gone, {found});")
            return
        if arguments[0] != "any":
            raise NotCompiled("numbers of rivals from one square are left to the walk")
        amounts, best = self._name("amount"), self._name("best")
        tables.append(numbers("i16", amounts, self.literals.numbers(feature) or [0]))
        loops.append(f"int {best} = {0 if name == 'more' else LEAST};")
        loops += self._each(
            f"if (set_any(x->of[w]) && {amounts}[w] > {best}) {best} = {amounts}[w];"
        )
        loops += self._beside(feature, best)
        test = f"{amounts}[w] < {best}"
        tests.append(f"if ({'!' if holds else ''}({test})) gone = NO_SQUARE;")

    def _beside(self, feature: Feature, highest: str) -> Iterator[str]:
        """The highest of the words' numbers meets that of the turns that are listed."""
        if self.mixed:
            place, other = self.literals.ruled.highest(feature)
            yield f"BESIDE({highest}, {place}, {other})"

    def _parents(self) -> list[int]:
        """For every word the longest other that it begins with and goes on; -1 for none."""
        spelled = {(word.holds, *word.letters): number for number, word in enumerate(self.words)}
        found = []
        for word in self.words:
            parent = -1
            for length in range(len(word.letters) - 1, 0, -1):
                parent = spelled.get((word.holds, *word.letters[:length]), -1)
                if parent >= 0:
                    break
            found.append(parent)
        return found
