"""What restrictions leave of words: each rule is a function that goes through a player's words and
takes away the origins that it covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from grl.engine.literals import Literals, Value
from grl.engine.removals import Removals
from grl.engine.tables import numbers
from grl.engine.words import Word
from grl.errors import NotCompiled
from grl.logic.relations import written
from grl.model import Feature, Literal, Rule
from grl.rules.templates import RELATIONS

SKIP = 30_000
"""The distance of a word that a set isn't asked about."""
LEAST = -1_000_000
FEW_WORDS = 12
"""Up to so many words of a player are all gone through, whether they may be played or not."""

Held = Callable[[str], str]
"""Of an expression for origins of word ``w`` the one for those of which something holds."""


class WordRules:
    """Writes what restrictions leave of a player's words."""

    def __init__(
        self,
        literals: Literals,
        words: Sequence[Word],
        seat: int,
        size: int,
        mixed: bool,
        label: str = "",
        rows: Removals | None = None,
    ) -> None:
        self.literals, self.words, self.seat, self.size = literals, words, seat, size
        self.mixed, self.label, self.rows = mixed, label or str(seat), rows
        self.asked = False
        """Whether something is asked of single turns."""
        self.sparse = False
        """Whether some words are asked for that may not be among those found."""
        self._count = 0

    def forbidding(self, number: int, rule: Rule) -> Iterator[str]:
        """The function of a rule, and its tables; nothing where it forbids no word and no row."""
        tables: list[str] = []
        before: list[str] = []
        loops: list[str] = []
        tests: list[str] = []
        asking: list[str] = []  # what is asked of single turns comes last
        of_rows: list[str] = []
        only: list[str] = []
        about, index = self._about(rule), "w"
        if len(self.words) > FEW_WORDS and 3 * len(about) < len(self.words):
            index = "i"
        for feature, holds in rule.body:
            if feature[0] in RELATIONS:
                self._relation(feature, holds, tables, before, loops, tests, of_rows, only)
            elif about or self._asks_rows(number):
                value = self.literals.value(feature)
                found = self._held(value, tables, before, some=about if index == "i" else None)(
                    "gone"
                )
                test = f"gone = {found if holds else f'set_less(gone, {found})'};"
                (asking if value.asked else tests).append(test)
                if self._asks_rows(number):
                    found = self._of_row(feature, holds, "gone", tables, before)
                    of_rows.append(f"gone = {found};")
        tests += asking
        if not (about or loops or self._asks_rows(number)):
            return
        if index == "i" and about:
            tables.append(numbers("u16", f"about_{self.seat}_{number}", about))
            self.sparse = True
        yield from tables
        yield f"static void forbid_{self.seat}_{number}(Case *c, Origins *x) {{\n  (void)c;"
        yield from (f"  {line}" for line in before)
        yield from (f"  {line}" for line in loops)
        inner = f"Set gone = x->of[w]; {' '.join(tests)} x->of[w] = set_less(x->of[w], gone);"
        asked = f"if ({' && '.join(only)}) " if only else ""
        if index == "w":
            yield from (f"  {asked}{line}" for line in self._each(inner, about))
        elif about:
            each = f"for (int i = 0; i < {len(about)}; i++)"
            inner = f"const int w = about_{self.seat}_{number}[i]; {inner}"
            yield f"  {asked}{each} {{ {inner} }}"
        if self._asks_rows(number):
            inner = f"Set gone = r->of; {' '.join(of_rows)} LESS(r->of, gone)"
            yield f"  {asked}ROWS_EACH(r, x) {{ {inner} }}"
        if self.mixed:
            yield f"  FORBID_WALKED({number})"
        yield "}"

    def _asks_rows(self, number: int) -> bool:
        """Whether there are rows, of which a rule was not asked before."""
        return self.rows is not None and number not in self.rows.decided

    def _of_row(
        self, feature: Feature, holds: bool, squares: str, tables: list[str], before: list[str]
    ) -> str:
        """Of squares of row ``r`` those of which a feature holds, or does not."""
        assert self.rows is not None

        def reader(value: Value) -> str:
            name = self._name("fixed")
            sets = ", ".join(written(each, self.size) for each in value.fixed) or "{0}"
            tables.append(f"static const Set {name}[] UNUSED = {{{sets}}};")
            found = [f"set_has({name}[r->word], r->origin)"]
            for moved in value.moved:
                some, far = self._name("squares"), self._name("far")
                by = [SKIP if each is None else each for each in moved.distances]
                tables.append(numbers("i16", far, by or [0]))
                before.append(f"const Set {some} = {moved.squares};")
                found.append(f"lies_by({some}, r->origin, {far}[r->word], {int(moved.holds)})")
            return " && ".join([*([value.scalar] if value.scalar else []), *found])

        case, some = self.rows.held(feature, reader)
        if not some:
            return f"(({case}) == {int(holds)} ? {squares} : NO_SQUARE)"
        name = self._name("squares")
        before.append(f"const Set {name} = {some};")
        return f"set_{'and' if holds else 'less'}({squares}, {name})"

    def leaving(self, before: int, rules: Sequence[Sequence[Literal]]) -> Iterator[str]:
        """The function of the origins that no rule covers, in all; `before` so many others these
        words have their numbers."""
        tables: list[str] = []
        lines: list[str] = []
        tests = ["Set left = later[w];"]
        for body in rules:
            tests.append("gone = left;")
            for feature, holds in body:
                found = self._held(self.literals.value(feature), tables, lines, before)("gone")
                tests.append(f"gone = {found if holds else f'set_less(gone, {found})'};")
            tests.append("left = set_less(left, gone);")
        yield from tables
        takes = "Case *c, Origins *x, Set *later, const u64 *some"
        yield f"static Set going_on_{self.seat}({takes}) {{"
        yield from (f"  {line}" for line in lines)
        yield "  Set all = NO_SQUARE, gone;"
        yield f"  LATER_EACH(w, {in_words(self.words)}) {{"
        yield from (f"    {test}" for test in tests)
        yield "    later[w] = left;\n    all = set_or(all, left);\n  }\n  return all;\n}"

    def _about(self, rule: Rule) -> list[int]:
        """The words, by number, of which a rule may forbid something, as far as the board's shape
        says so."""
        left = [word.origins for word in self.words]
        for feature, holds in rule.body:
            if feature[0] in RELATIONS:
                continue
            value = self.literals.value(feature)
            if holds:
                left = [some & each for some, each in zip(left, value.fixed, strict=True)]
            elif not (value.moved or value.scalar or value.asked):
                left = [some - each for some, each in zip(left, value.fixed, strict=True)]
        return [number for number, some in enumerate(left) if some]

    def _each(self, statements: str, numbers: Sequence[int] | None = None) -> Iterator[str]:
        """Statements for every word ``w``, or for some; few words are written out."""
        if len(self.words) <= FEW_WORDS:
            for number in range(len(self.words)) if numbers is None else numbers:
                yield f"{{ enum {{ w = {number} }}; {statements} }}"
        else:
            yield f"WORDS_EACH(w, x) {{ {statements} }}"

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self.label}_{self._count}"

    def _held(
        self,
        value: Value,
        tables: list[str],
        before: list[str],
        numbered: int = 0,
        some: Sequence[int] | None = None,
    ) -> Held:
        """Of which origins something holds; words are numbered after so many others. The tables are
        of all words, or of some, and then by their place ``i`` among these."""
        found, index = "board_squares", "w" if some is None else "i"
        chosen = range(len(value.fixed)) if some is None else some
        fixed = [value.fixed[number] for number in chosen]
        if not all(map(self.literals.every.__le__, fixed)):
            name = self._name("fixed")
            sets = ", ".join(written(each, self.size) for each in fixed) or "{0}"
            tables.append(f"static const Set {name}[] UNUSED = {{{sets}}};")
            found = f"{name}[{index}]"
        for moved in value.moved:
            squares, distances = self._name("squares"), self._name("far")
            every = [SKIP if each is None else each for each in moved.distances]
            tables.append(numbers("i16", distances, [every[number] for number in chosen] or [0]))
            before.append(f"const Set {squares} = {moved.squares};")
            form = "and" if moved.holds else "less"
            found = f"set_{form}_by({found}, {squares}, {distances}[{index}])"
        if value.scalar:
            scalar = self._name("scalar")
            before.append(f"const int {scalar} = {value.scalar};")
            found = f"({scalar} ? {found} : NO_SQUARE)"
        self.asked |= bool(value.asked)
        near = []
        for asked in value.asked:
            near.append("")
            if asked.nearby:
                near[-1] = self._name("near")
                before.append(f"Nearby {near[-1]}; {asked.nearby}, &{near[-1]});")

        def held(origins: str) -> str:
            some = origins if found == "board_squares" else f"set_and({origins}, {found})"
            for asked, known in zip(value.asked, near, strict=True):
                call = f"(c, x, {numbered} + w, {some}, {asked.function}"
                some = f"set_near{call}, &{known})" if known else f"set_where{call})"
            return some

        return held

    def _relation(
        self,
        feature: Feature,
        holds: bool,
        tables: list[str],
        before: list[str],
        loops: list[str],
        tests: list[str],
        of_rows: list[str],
        only: list[str],
    ) -> None:
        """A relation between turns: what rivals have is found before any turn goes.

        `only`: what has to hold, or no turn goes.
        """
        name, *arguments = feature
        if name == "prefix":
            going = self._name("going")
            parents = self._name("parent")
            tables.append(numbers("i16", parents, self._parents(self.words) or [-1]))
            loops.append(f"Set {going}[{len(self.words) or 1}];")
            above = f"for (int u = {parents}[w]; u >= 0; u = {parents}[u])"
            asked = ""
            if holds and self.rows is None and len(self.words) > FEW_WORDS:
                some = self._name("some")
                loops.append(f"int {some} = 0;")
                loops += self._each(f"{some} |= {parents}[w] >= 0;")
                asked = f"if ({some}) "
                only.append(some)
            for inner in (
                f"{going}[w] = NO_SQUARE; {above} {going}[u] = NO_SQUARE;",
                f"{above} {going}[u] = set_or({going}[u], x->of[w]);",
            ):
                loops += (f"{asked}{line}" for line in self._each(inner))
            if self.rows is not None:
                begun = self._name("begun")
                tables.append(numbers("i16", begun, self._parents(self.rows.firsts, 1)))
                along = f"for (int u = {begun}[r->word]; u >= 0; u = {parents}[u])"
                mark = f"{going}[u] = set_with({going}[u], r->origin);"
                loops.append(f"ROWS_EACH(r, x) if (set_any(r->of)) {along} {mark}")
            tests.append(f"gone = set_{'and' if holds else 'less'}(gone, {going}[w]);")
            of_rows += ["gone = NO_SQUARE;"] * holds
            if (
                holds
                and self.rows is not None
                and not any(p >= 0 for p in self._parents(self.words))
            ):
                before.insert(0, "if (!x->rows) return;")
            return
        if name == "further":
            raise NotCompiled(f"a relation {name!r} is left to the walk")
        if arguments[0] == "first" and (self.rows is None or name in ("more", "beyond")):
            tests += ["gone = NO_SQUARE;"] * holds  # no turn has a rival there
            return
        if name in ("rival_has", "rival_lacks"):
            inner = arguments[1]
            assert isinstance(inner, tuple)
            if inner[0] in RELATIONS:
                raise NotCompiled("relations of relations are left to the walk")
            value = self._held(self.literals.value(inner), tables, before)
            has = name == "rival_has"
            rivals, some, mine = self._name("rivals"), value("x->of[w]"), value("gone")
            if has:
                mine = f"set_less(gone, {mine})"
            else:
                some = f"set_less(x->of[w], {some})"
            if arguments[0] == "first":
                rival = self._first_rivals(rivals, inner, has, some, tables, before, loops)
                rest = self._of_row(inner, not has, "gone", tables, before)
                if holds:
                    before.insert(0, "if (!x->rows) return;")
                    tests.append(f"gone = set_and(gone, {rivals}[w]); gone = {mine};")
                    of_rows.append(f"gone = {rival} ? {rest} : NO_SQUARE;")
                else:
                    tests.append(f"gone = set_less(gone, set_and({rivals}[w], {mine}));")
                    of_rows.append(f"if ({rival}) gone = set_less(gone, {rest});")
                return
            loops.append(f"Set {rivals} = NO_SQUARE;")
            loops += self._each(f"{rivals} = set_or({rivals}, {some});")
            if self.rows is not None:
                found = self._of_row(inner, has, "r->of", tables, before)
                mark = f"{rivals} = set_with({rivals}, r->origin);"
                loops.append(f"ROWS_EACH(r, x) if (set_any({found})) {mark}")
                rest = self._of_row(inner, not has, "gone", tables, before)
                rival = f"set_has({rivals}, r->origin)"
                if holds:
                    of_rows.append(f"gone = {rival} ? {rest} : NO_SQUARE;")
                else:
                    of_rows.append(f"if ({rival}) gone = set_less(gone, {rest});")
            if arguments[0] == "any":
                known = self._name("some")
                loops.append(f"int {known} = set_any({rivals});")
                loops += self._beside(feature, known)
                loops.append(f"if ({known}) {rivals} = board_squares;")
                if holds and len(self.words) > FEW_WORDS:
                    only.append(known)
            if holds:
                tests.append(f"gone = set_and(gone, {rivals}); gone = {mine};")
            else:
                tests.append(f"gone = set_less(gone, set_and({rivals}, {mine}));")
            return
        if arguments[0] != "any":
            raise NotCompiled("numbers of rivals from one square are left to the walk")
        amounts, best = self._name("amount"), self._name("best")
        tables.append(numbers("i16", amounts, self.literals.numbers(feature) or [0]))
        loops.append(f"int {best} = {LEAST};")
        loops += self._each(
            f"if (set_any(x->of[w]) && {amounts}[w] > {best}) {best} = {amounts}[w];"
        )
        if self.rows is not None:
            by_row = self._name("amount")
            tables.append(numbers("i16", by_row, self.rows.literals.numbers(feature)))
            more = f"set_any(r->of) && {by_row}[r->word] > {best}"
            loops.append(f"ROWS_EACH(r, x) if ({more}) {best} = {by_row}[r->word];")
            outdone = f"{by_row}[r->word] < {best}"
            of_rows.append(f"if ({'!' if holds else ''}({outdone})) gone = NO_SQUARE;")
        loops += self._beside(feature, best)
        test = f"{amounts}[w] < {best}"
        tests.append(f"if ({'!' if holds else ''}({test})) gone = NO_SQUARE;")

    def _first_rivals(
        self,
        name: str,
        inner: Feature,
        has: bool,
        some: str,
        tables: list[str],
        before: list[str],
        loops: list[str],
    ) -> str:
        """Of each word the origins from which a row goes on that has a feature, or lacks it, as an
        array of that name; whether row ``r`` has a rival with the same first segment that does."""
        assert self.rows is not None
        same, those = self._name("same"), self._name("those")
        tables.append(numbers("i16", same, self._parents(self.rows.firsts, 1, whole=True)))
        size = len(self.words) or 1
        loops.append(f"Set {name}[{size}], {those}[{size}];")
        loops.append(f"for (int w = 0; w < {size}; w++) {name}[w] = {those}[w] = NO_SQUARE;")
        loops += self._each(f"{those}[w] = {some};")
        found = f"set_any({self._of_row(inner, has, 'r->of', tables, before)})"
        at = f"{name}[{same}[r->word]]"
        mark = f"{at} = set_with({at}, r->origin);"
        loops.append(f"ROWS_EACH(r, x) if ({same}[r->word] >= 0 && {found}) {mark}")
        alone = f"set_has({those}[{same}[r->word]], r->origin)"
        return f"({found} || ({same}[r->word] >= 0 && {alone}))"

    def _beside(self, feature: Feature, highest: str) -> Iterator[str]:
        """The highest of the words' numbers meets that of the turns that are listed."""
        if self.mixed:
            place, other = self.literals.ruled.highest(feature)
            yield f"BESIDE({highest}, {place}, {other})"

    def _parents(self, words: Sequence[Word], more: int = 0, *, whole: bool = False) -> list[int]:
        """For each of some words the longest one that it begins with and, unless it goes on with a
        further segment itself (`more` is 1), goes on; -1 for none. `whole`: the same word alone."""
        spelled = {_spelling(word, len(word.letters)): n for n, word in enumerate(self.words)}
        found = []
        for word in words:
            lengths = range(len(word.letters) - 1 + more, len(word.letters) - 1 if whole else 0, -1)
            parents = (spelled.get(_spelling(word, length), -1) for length in lengths)
            found.append(next((parent for parent in parents if parent >= 0), -1))
        return found


def in_words(words: Sequence[Word]) -> int:
    """How many words of 64 bits have one for each."""
    return (len(words) + 63) // 64


def _spelling(word: Word, length: int) -> tuple[object, ...]:
    """So many letters of a word, with the squares to which they lead."""
    return word.holds, word.letters[:length], word.path[:length]
