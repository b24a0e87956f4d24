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
from dataclasses import replace
from functools import cached_property, reduce
from itertools import combinations
from operator import or_

from grl.board import EMPTY
from grl.engine.asks import Asked
from grl.engine.effects import SetEffects
from grl.engine.graph import Graph
from grl.engine.literals import LeftToWalk, Literals, role_offset
from grl.engine.pruning import deciding
from grl.engine.reach import Reach
from grl.engine.removals import Removals, rows_of
from grl.engine.tables import numbers
from grl.engine.walk import FLY, KINDS
from grl.engine.wordrules import FEW_WORDS, SKIP, WordRules, in_words
from grl.engine.words import Stem, Word, clash, walked_everywhere, words_of
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.relations import written
from grl.model import Model, Rules
from grl.rules.code.rules import RuleCode
from grl.rules.features.levels import first_level
from grl.rules.templates import RELATIONS
from grl.rules.templates.letters import MOST_KINDS
from grl.turn import Kind, Letter


class Setwise:
    """Writes a model set-wise; raises `NotCompiled` where it is left to the walk.

    `reach` is there where rules ask where turns of players would end.
    """

    def __init__(
        self,
        model: Model,
        rules: Rules,
        graphs: Sequence[Graph],
        letters: Sequence[Letter],
        ruled: RuleCode,
        code: Code,
        reach: Reach | None,
    ) -> None:
        needs = ruled.needs
        if any(each.feature[0] in RELATIONS for rule in rules.passing for each in rule.body):
            raise NotCompiled("passes that depend on other turns are left to the walk")
        self.reach = reach
        self._kept = needs.trail or needs.threats or (reach is not None and reach.doubts)
        self.equipment, self.board = model.equipment, model.equipment.board
        self.code, self._ruled = code, ruled
        self._numbers = {letter: number for number, letter in enumerate(letters)}
        self.contents = {EMPTY: 0}
        self.contents |= {key: n for n, key in enumerate(sorted(self.equipment.pieces), 1)}
        self.effects = SetEffects(model, code, self.contents) if model.effects else None
        found = [
            self._followed(
                seat,
                *words_of(graph, self.equipment, letters, flights=not needs.midway),
                rules,
            )
            for seat, graph in enumerate(graphs)
        ]
        if self.effects is not None and not self._with_effects(rules, found):
            raise NotCompiled("effects of such turns are left to the walk")
        self._deciding = [tuple(deciding(model, rules, graph, letters)) for graph in graphs]
        self._rows = [
            self._as_rows(seat, words, stems, rules) for seat, (words, stems) in enumerate(found)
        ]
        found = [
            (words, [] if rows else stems)
            for (words, stems), rows in zip(found, self._rows, strict=True)
        ]
        sure = [
            (words, [stem for stem in stems if stem.first is None or not self._deciding[seat]])
            for seat, (words, stems) in enumerate(found)
        ]
        if all(walked_everywhere(words, stems) for words, stems in sure):
            raise NotCompiled("every turn may go on in ways that sets of origins don't follow")
        self._decided: list[frozenset[int]] = [frozenset()] * len(found)
        if not needs.threats:  # those are of turns that no rule has seen
            for seat, (words, stems) in enumerate(found):
                left, self._decided[seat] = self._left(seat, words, rules)
                found[seat] = (left, stems)
        self.words = [words for words, _ in found]
        self._gates, self._row_gates = (
            [self._gated(seat, words, rules) for seat, words in enumerate(each)]
            for each in (self.words, self._rows)
        )
        self.mixed = any(stems for _, stems in found)
        self._spelt = [word for words, _ in found for word in words]
        self._spelt += [s.first for _, stems in found for s in stems if s.first is not None]
        self._spelt += [first for rows in self._rows for first in rows]
        self.asked = bool(rules.control or rules.passing)
        self._texts: list[str] = []
        for seat, (words, stems) in enumerate(found):
            self._texts += self._player(seat, words, stems, rules)

    def _literals(self, seat: int, words: Sequence[Word]) -> Literals:
        changing = "" if self.effects is None else self.effects.changing()
        ruled = self._ruled
        return Literals(ruled.setting, ruled, self.code, seat, words, self.reach, changing)

    def _with_effects(
        self, rules: Rules, found: Sequence[tuple[Sequence[Word], Sequence[Stem]]]
    ) -> bool:
        """Whether turns with effects are sets of origins, and rules ask nothing else of them."""
        needs = self._ruled.needs
        return not (
            rules.control
            or rules.passing
            or needs.threats
            or needs.midway
            or needs.reached
            or self.equipment.stocked
            or self.effects is None
            or any(stems or not self.effects.fits(words) for words, stems in found)
        )

    @property
    def most(self) -> int:
        """The words of the player who has most."""
        return max([1, *map(len, self.words)])

    @property
    def dense(self) -> bool:
        """Whether all players have few words."""
        return self.most <= FEW_WORDS

    @property
    def alone(self) -> bool:
        """Whether sets say all: no turn is walked or looked at alone, and no game is kept."""
        return not (self.mixed or self.asked or self._kept or self.rows or self.effects)

    @property
    def rows(self) -> int:
        """The most rows of a position."""
        return max(sum(len(each.origins) for each in rows) for rows in self._rows)

    def text(self) -> Iterator[str]:
        """The functions ``find_origins`` and ``play_word`` and what they rest on."""
        yield from self._texts
        if self.effects is not None:
            yield from self.effects.text()
        yield "FINDS void find_origins(Case *c, Origins *x, int level) {"
        yield "  switch (c->state->to_move) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: origins_{seat}(c, x, level); break;"
        yield "  }\n}"
        yield "static const Leaves *leaves_of(int seat, int word) {\n  switch (seat) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: return &leaves_{seat}[word];"
        yield "  }\n  return 0;\n}"
        yield "#if ASKED\nstatic const Spelled *spelled_of(int seat, int word) {\n  switch (seat) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: return &spelled_{seat}[word];"
        yield "  }\n  return 0;\n}"
        yield "static const u16 *spelled_codes(int seat) {\n  switch (seat) {"
        for seat in range(len(self.words)):
            yield f"  case {seat}: return codes_{seat};"
        yield "  }\n  return 0;\n}\n#endif"
        if self.rows:
            yield from self._rows_text()

    def _rows_text(self) -> Iterator[str]:
        """How many words players have, and before how many of them rows stand in the walk."""
        yield numbers("u16", "words_by_seat", [len(words) for words in self.words])
        yield "static int seat_words(int seat) { return words_by_seat[seat]; }"
        for seat, (words, rows) in enumerate(zip(self.words, self._rows, strict=True)):
            after = [sum(word.order <= first.order for word in words) for first in rows]
            yield numbers("u16", f"rows_after_{seat}", after or [0])
        tables = ", ".join(f"rows_after_{seat}" for seat in range(len(self.words)))
        yield f"static const u16 *const rows_after_by_seat[] = {{{tables}}};"
        yield "static const u16 *rows_after(int seat) { return rows_after_by_seat[seat]; }"

    def _as_rows(
        self,
        seat: int,
        words: Sequence[Word],
        stems: Sequence[Stem],
        rules: Rules,
    ) -> Sequence[Word]:
        """The first segments of a player's rows, where all stems are rows; none otherwise."""
        player = self.equipment.players[seat]
        counted = frozenset(key for owner, key in self.equipment.stocked if owner == player)
        firsts = rows_of(words, stems, frozenset(self.contents), counted)
        if not firsts:
            return ()
        literals = self._literals(seat, firsts)
        decided = [number for number, _ in self._deciding[seat]]
        return firsts if Removals(literals, decided, self.code).known(rules) else ()

    @cached_property
    def writes(self) -> int:
        """The most squares that a word leaves changed."""
        return max((len(word.leaves) for word in self._spelt), default=1) or 1

    def _left(
        self, seat: int, words: Sequence[Word], rules: Rules
    ) -> tuple[Sequence[Word], frozenset[int]]:
        """The words with the origins that those restrictions leave which the board's shape decides,
        and the numbers of these.

        After a relation none is asked: it would still have seen the turns that they forbid.
        """
        literals = self._literals(seat, words)
        left, decided = [word.origins for word in words], set()
        for number, rule in enumerate(first_level(rules.restrictions)):
            if any(feature[0] in RELATIONS for feature, _ in rule.body):
                break
            gone = literals.decided(rule)
            if gone is not None:
                decided.add(number)
                left = [origins - each for origins, each in zip(left, gone, strict=True)]
        kept = [replace(word, origins=o) for word, o in zip(words, left, strict=True) if o]
        return kept, frozenset(decided)

    def _player(
        self,
        seat: int,
        words: Sequence[Word],
        stems: Sequence[Stem],
        rules: Rules,
    ) -> Iterator[str]:
        size = self.board.size
        going_on = [x for x in stems if x.first is not None and self._deciding[seat]]
        stems = [*going_on, *(stem for stem in stems if stem not in going_on)]
        firsts = [stem.first for stem in going_on if stem.first is not None]
        taking = self._rows[seat]
        firsts = [*firsts, *taking]
        masks = ", ".join(written(word.origins, size) for word in words) or written((), size)
        yield f"static const Set mask_{seat}[] UNUSED = {{{masks}}};"
        rows = ", ".join(map(self._leaves, (*words, *firsts))) or "{-1, 0, {0}, {0}, {0}}"
        yield f"static const Leaves leaves_{seat}[] UNUSED = {{{rows}}};"
        codes: list[int] = []
        rows = ", ".join(self._spelled(word, codes) for word in (*words, *firsts)) or "{0}"
        yield f"#if ASKED\nstatic const Spelled spelled_{seat}[] UNUSED = {{{rows}}};"
        yield f"{numbers('u16', f'codes_{seat}', codes or [0])}\n#endif"
        literals = self._literals(seat, words)
        stems = [*stems, *(Stem(first.asks, first.origins, first) for first in taking)]
        masks = ", ".join(written(stem.origins, size) for stem in stems) or written((), size)
        yield f"static const Set stem_{seat}[] UNUSED = {{{masks}}};"
        decided = [number for number, _ in self._deciding[seat]]
        removals = Removals(literals.of(taking), decided, self.code) if taking else None
        writer = WordRules(literals, words, seat, size, self.mixed, rows=removals)
        calls, first = [], len(first_level(rules.restrictions))
        for number, rule in enumerate(rules.restrictions):
            asked = removals is not None and number not in removals.decided
            if number in self._decided[seat] and not asked:
                calls += [f"  FORBID_WALKED({number})"] if self.mixed else []
                continue
            text = list(writer.forbidding(number, rule))
            yield from text
            guard = "" if number < first else "if (level > 1) "
            if text:
                calls.append(f"  {guard}forbid_{seat}_{number}(c, x);")
            elif self.mixed:
                calls.append(f"  {guard}FORBID_WALKED({number})")
        yield from self._pruning(seat, len(words), firsts, literals)
        self.asked |= writer.asked or (bool(firsts) and bool(self._deciding[seat]))
        found_by = Asked(
            seat,
            words,
            stems,
            taking,
            len(firsts),
            (self._gates[seat], self._row_gates[seat]),
            self.contents,
            self.board.width,
        )
        tables, found = found_by.text()
        yield from tables
        yield f"FINDS void origins_{seat}(Case *c, Origins *x, int level) {{"
        yield "  const Set *pieces = c->ground.pieces;"
        yield "  (void)level; (void)pieces; x->count = 0; NONE_ALONE NO_ROWS"
        if writer.sparse:
            yield "  memset(x->of, 0, sizeof x->of);"
        if len(words) <= FEW_WORDS:
            all_words = range(self.most if self.dense else len(words))
            yield from (f"  x->of[{number}] = NO_SQUARE;" for number in all_words)
        if self.mixed:
            yield "  Set walked = NO_SQUARE;"
        if firsts:
            yield f"  Set later[{len(firsts)}];\n  u64 some[{in_words(firsts)}] = {{0}};"
            if taking and any(self._met_twice(taking)):
                yield f"  for (int w = 0; w < {len(firsts)}; w++) later[w] = NO_SQUARE;"
        yield from found
        if taking:
            may = found_by.lying(taking[0].removes)
            yield from self._rows_found(seat, words, taking, may)
        elif firsts:
            every = f"LATER_EACH(w, {in_words(firsts)}) walked = set_or(walked, later[w]);"
            yield f"  if (!level) {{ {every} }}"
            yield f"  else walked = set_or(walked, going_on_{seat}(c, x, later, some));"
        if len(words) <= FEW_WORDS:
            yield f"  x->count = {len(words)};"
            if not self.dense:
                yield from (f"  x->used[{number}] = {number};" for number in range(len(words)))
        if self.mixed:
            yield "  WALKED_APART"
        yield from self._met(words)
        yield "  if (!level) return;"
        yield from calls
        yield from self._twice(seat, words)
        yield "}"

    def _rows_found(
        self, seat: int, words: Sequence[Word], rows: Sequence[Word], may: str
    ) -> Iterator[str]:
        """The rows of first segments that may be played, those that rules allow; `may` are the
        squares that hold what may be removed."""
        for i, j in self._met_twice(rows):
            yield f"  later[{j}] = set_less(later[{j}], later[{i}]);"
        if self._deciding[seat]:
            yield f"  if (level) going_on_{seat}(c, x, later, some);"
        yield f"  const Set may = {may};"
        each = f"LATER_EACH(w, {in_words(rows)})"
        yield f"  {each} {{ ADD_ROWS((leaves_{seat} + {len(words)}), w, later[w], may) }}"

    def _met_twice(self, rows: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Two first segments that may come to one search state, by number."""
        for (i, one), (j, other) in combinations(enumerate(rows), 2):
            if one.state == other.state and one.origins & other.origins:
                yield i, j

    def _leaves(self, word: Word) -> str:
        by = [dx + dy * self.board.width for dx, dy in word.leaves]
        what = [self.contents[content] for content in word.leaves.values()]
        hand = -1 if word.hand is None else self.contents[word.hand] - 1
        moved = [word.moved.get(at, 0) for at in word.leaves]
        rows = [[*row, *row[:1] * (self.writes - len(row))] for row in (by, what, moved)]
        fields = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in rows)
        return f"{{{hand}, {word.end[0] + word.end[1] * self.board.width}, {fields}}}"

    def _spelled(self, word: Word, codes: list[int]) -> str:
        """What rules ask of a turn's squares and letters; its codes come after those before it."""
        offsets = [role_offset(word, role) for role in ("end1", "drop", "taken", "captured")]
        squares = [SKIP if at is None else at[0] + at[1] * self.board.width for at in offsets]
        path, takes = (
            [dx + dy * self.board.width for dx, dy in word.where(kind)]
            for kind in (Kind.STEP, Kind.REMOVE)
        )
        steps = len(path)
        path += [SKIP] * (self.path - len(path))
        takes += [SKIP] * (self.takes - len(takes))
        flights = sum(x.fly for x in word.letters)
        if flights:
            path = [SKIP] * self.path
        letters = reduce(or_, (KINDS[x.on] | (FLY if x.fly else 0) for x in word.letters))
        opens = FLY if word.letters[0].fly else KINDS[word.letters[0].on]
        kinds = (self.contents[x.piece] - 1 for x in word.letters if x.appears)
        appears = reduce(or_, (1 << kind % MOST_KINDS for kind in kinds), 0)
        row = [*squares, steps, 1 + len(word.letters) + flights, letters, opens]
        row.append(len(codes))
        codes += [0, *(self._numbers[letter] for letter in word.letters)]
        inner = f"{', '.join(map(str, row))}, {appears:#x}ULL"
        lists = ", ".join(f"{{{', '.join(map(str, each))}}}" for each in (path, takes))
        return f"{{{inner}, {lists}}}"

    @cached_property
    def path(self) -> int:
        """The most steps of a word."""
        return self._most(Kind.STEP)

    @cached_property
    def takes(self) -> int:
        """The most pieces that a word removes."""
        return self._most(Kind.REMOVE)

    def _most(self, kind: Kind) -> int:
        return max([1, *(len(word.where(kind)) for word in self._spelt)])

    def _pruning(
        self, seat: int, before: int, firsts: Sequence[Word], literals: Literals
    ) -> Iterator[str]:
        """The origins from which turns may go on, of those where first segments match; these are
        numbered after so many words `before`."""
        if not firsts:
            return
        writer = WordRules(
            literals.of(firsts), firsts, seat, self.board.size, False, f"{seat}_first"
        )
        yield from writer.leaving(before, [asked for _, asked in self._deciding[seat]])

    def _gated(self, seat: int, words: Sequence[Word], rules: Rules) -> Mapping[int, str]:
        """While what expression holds no word is legal, by number, as far as first restrictions say
        so for all its origins."""
        literals = self._literals(seat, words)
        found: dict[int, str] = {}
        for rule in first_level(rules.restrictions):
            if not any(word.flies for word in words):
                break
            if any(feature[0] in RELATIONS for feature, _ in rule.body):
                break
            expression, gone = literals.gate(rule) or ("", [])
            for number, (word, origins) in enumerate(zip(words, gone, strict=False)):
                if origins >= word.origins:
                    found.setdefault(number, expression)
        return found

    def _met(self, words: Sequence[Word]) -> Iterator[str]:
        """Of words that come to one search state the first alone is a spelling."""
        first: dict[object, list[int]] = {}
        pairs = []
        for number, word in enumerate(words):
            known = first.setdefault(word.state, [])
            pairs += [(other, number) for other in known if words[other].origins & word.origins]
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
    ) -> tuple[Sequence[Word], Sequence[Stem]]:
        """The words of which sets say all that rules ask; others become stems, and so do beginnings
        where two words may have one effect."""
        stems = list(stems)
        for i, j, stem in self._clashes(seat, words):
            if not _alike(words[i], words[j]):
                stems.append(stem)
        while True:
            literals = self._literals(seat, words)
            writer = WordRules(literals, words, seat, self.board.size, False)
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
