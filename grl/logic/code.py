"""Terms as C: every operator gives its expression, and `Code` writes the functions.

The text stands after ``sets.h`` and ``rows.h``; with them it needs nothing else. A term's function
computes what it rests on in local variables, each once. What doesn't speak of the turn is computed
once for a position, in a function of its own, and remembered in its ``Ground``. Only numbers reach
the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grl.board import Equipment
from grl.logic.contents import keys_of
from grl.logic.grid import DIRECTIONS, WAYS_OF, Grid
from grl.logic.relations import Relations, function, union
from grl.logic.terms import LAST_ROLES, OWN, Term, literals_of

TAKES = "(Ground *g, const Squares *t)"


class Code(Relations):
    """Writes terms, and the constants and tables that go with them, each once.

    Kinds of pieces are numbered in the order of their keys, players as in the equipment.
    """

    def __init__(self, equipment: Equipment, grid: Grid) -> None:
        super().__init__(grid)
        self.equipment = equipment
        self.memos = 0
        """So many sets are remembered by position: MEMOS."""
        self.back = 0
        """Of so many turns before it is asked where they began and ended: BACK."""
        self.own = False
        """Whether that is asked of each player's last turn: OWN."""
        self.asked: set[str] = set()
        """The functions that terms ask for players' turns: ``threatened`` and so on."""

    def define(self, term: Term) -> str:
        """The name of a function for a term: of a ``Set``, or of ``Ways`` where it is directed."""
        return self._term("term", term, self._written)

    def point(self, term: Term) -> str:
        """The name of a function for the square of a term that is a point; ``NONE`` for none."""

        def written(name: str, _: Term) -> str:
            body = Body(self, term)
            found = body.square(term)
            return function(f"int {name}{TAKES}", body.lines, found)

        return self._term("point", term, written)

    def some(self, term: Term) -> str:
        """An expression in ``g`` and ``t``: whether a term denotes any square.

        Where it is a square of the turn, say, that is to be in some sets, they are asked for it.
        """
        if term.point:
            return f"({self.point(term)}(g, t) >= 0)"
        if term.directed:
            return f"{self._term('some', term, self._some_way)}(g, t)"
        if any(each.point and holds for each, holds in literals_of(term)):
            return f"{self._term('some', term, self._some_point)}(g, t)"
        if Body(self, term).some(term):
            return f"{self._term('some', term, self._some_found)}(g, t)"
        return f"set_any({self.define(term)}(g, t))"

    def number(self, term: Term, given: str = "g, t") -> str:
        """An expression for how many squares a term denotes, in all directions together."""
        count = "ways_count" if term.directed else "set_count"
        return f"{count}({self.define(term)}({given}))"

    def _some_found(self, name: str, term: Term) -> str:
        body = Body(self, term)
        found = body.some(term)
        return function(f"int {name}{TAKES}", body.lines, found or "0")

    def text(self) -> str:
        """All constants, tables and functions."""
        return "\n".join(self.blocks.values()) + "\n"

    def separate(self, term: Term, root: Term) -> bool:
        """Whether a term that another one rests on is left to a function of its own."""
        if term is root or term.point or (term.size == 1 and not term.operator.asks):
            return False
        if term.operator.asks:
            return True
        return self.known("term", term) or (root.of_turn and not term.of_turn)

    def ask(self, sort: str) -> None:
        """Declare a function that says what squares turns of a player touch."""
        self.asked.add(sort)
        head, given = ("int", "Set wanted") if sort == "reaches" else ("Set", "int level")
        self.blocks[sort] = f"static {head} {sort}(Ground *g, int seat, {given});"

    def by_seat(self, expressions: Sequence[str], me: str = "g->me") -> str:
        """Of expressions, one for every player, that of the player who looks."""
        *others, last = expressions
        if all(each == last for each in others):
            return last
        chosen = "".join(f"{me} == {seat} ? {each} : " for seat, each in enumerate(others))
        return f"({chosen}{last})"

    def holding(self, content: str, pieces: str = "g->pieces", me: str = "g->me") -> str:
        """The squares that hold a content that isn't nothing, as a player sees it."""
        order = {key: number for number, key in enumerate(sorted(self.equipment.pieces))}
        each = (keys_of(self.equipment, player, content) for player in self.equipment.players)
        held = [union([f"{pieces}[{order[key]}]" for key in sorted(keys)]) for keys in each]
        return self.by_seat(held, me)

    def _term(self, kind: str, term: Term, written: Callable[[str, Term], str]) -> str:
        """The name of a function for a term, which `written` gives the first time."""
        return self.interned(kind, term, lambda name: written(name, term))

    def _written(self, name: str, term: Term) -> str:
        body = Body(self, term)
        found = "found" if term.directed else body.set(term)
        before, after = self._memo(term, found)
        if term.directed:
            body.hoist(term)
            body.open(range(len(DIRECTIONS)))
            body.line(f"found.way[d] = {body.ahead(term)};")
            body.close()
            before = ["Ways found;", *before]
        sort = "Ways" if term.directed else "Set"
        return function(f"{sort} {name}{TAKES}", [*before, *body.lines, *after], found)

    def _memo(self, term: Term, found: str) -> tuple[list[str], list[str]]:
        """The lines that recall a term's value, and those that remember it, where that is done."""
        if term.of_turn or term.point or (term.size == 1 and not term.operator.asks):
            return [], []
        first = self.memos
        bit = f"g->known[{first // 64}]", f"1ULL << {first % 64}"
        known, remember = f"if ({bit[0]} & {bit[1]})", f"{bit[0]} |= {bit[1]};"
        if not term.directed:
            self.memos += 1
            return [f"{known} return g->memo[{first}];"], [f"g->memo[{first}] = {found};", remember]
        self.memos += len(DIRECTIONS)
        every = f"for (int d = 0; d < {len(DIRECTIONS)}; d++)"
        recall = [
            f"{known} {{",
            f"  {every} found.way[d] = g->memo[{first} + d];",
            "  return found;",
            "}",
        ]
        return recall, [f"{every} g->memo[{first} + d] = found.way[d];", remember]

    def _some_way(self, name: str, term: Term) -> str:
        body = [
            f"const Ways a = {self.define(term)}(g, t);",
            "Set found = NO_SQUARE;",
            f"for (int d = 0; d < {len(DIRECTIONS)}; d++) found = set_or(found, a.way[d]);",
        ]
        return function(f"int {name}{TAKES}", body, "set_any(found)")

    def _some_point(self, name: str, term: Term) -> str:
        literals = sorted(literals_of(term), key=lambda literal: literal[0].size)
        one = next(each for each, holds in literals if holds and each.point)
        literals.remove((one, True))
        body = [f"const int s = {self.point(one)}(g, t);", "if (s < 0) return 0;"]
        for each, holds in literals:
            if each.point:
                body.append(f"if ({self.point(each)}(g, t) {'!=' if holds else '=='} s) return 0;")
            else:
                found = Body(self, each).meets("set_of(s)", each)
                found = found or f"set_has({self.define(each)}(g, t), s)"
                body.append(f"if ({'!' if holds else ''}{found}) return 0;")
        return function(f"int {name}{TAKES}", body, "1")


@dataclass(frozen=True)
class Value:
    """An argument as operators get it; as a string it is a C expression, computed where it is used.

    It is that of a set, or of the number of a square where the operator's term is a point. Where
    the argument is directed the expression holds in the direction ``d``.
    """

    term: Term
    text: Callable[[Term], str]

    def __str__(self) -> str:
        return self.text(self.term)


class Body:
    """The lines of a term's function; what operators ask for is here and in `code`."""

    def __init__(self, code: Code, root: Term) -> None:
        self.code, self.root = code, root
        self.lines: list[str] = []
        self._sets: dict[Term, str] = {}
        self._squares: dict[Term, str] = {}
        self._ahead: dict[Term, str] = {}
        self._onward = ""
        self._count = 0
        self._indent = ""

    def square(self, term: Term) -> str:
        """The local variable with the square of a point."""
        if term not in self._squares:
            self._squares[term] = self.named("int", self._code(term, self.square))
        return self._squares[term]

    def set(self, term: Term) -> str:
        """The local variable with the set of an undirected term."""
        if term not in self._sets:
            if term.point:
                at = self.square(term)
                value = f"{at} < 0 ? NO_SQUARE : set_of({at})"
            elif self.code.separate(term, self.root):
                value = f"{self.code.define(term)}(g, t)"
            else:
                value = self._code(term, self.set)
            self._sets[term] = self.named("Set", value)
        return self._sets[term]

    def some(self, term: Term) -> str | None:
        """The expression for whether a term has any square; None where the set is looked at."""
        if term.operator.some is None:
            return None
        parts = [Value(a, self.set) if isinstance(a, Term) else a for a in term.arguments]
        return term.operator.some(self, *parts)

    def _code(self, term: Term, text: Callable[[Term], str]) -> str:
        parts = [Value(a, text) if isinstance(a, Term) else a for a in term.arguments]
        return term.operator.code(self, *parts)

    def hoist(self, term: Term) -> None:
        """Compute what a term rests on and what is the same in all directions."""
        if not term.directed:
            self.set(term)
        elif not self.code.separate(term, self.root):
            for each in term.arguments:
                if isinstance(each, Term):
                    self.hoist(each)
        elif term not in self._sets:
            self._sets[term] = self.named("Ways", f"{self.code.define(term)}(g, t)")

    def ahead(self, term: Term) -> str:
        """The expression of a term in the direction ``d``, within a loop over directions."""
        if not term.directed:
            return self._sets[term]
        if term in self._sets:
            return f"{self._sets[term]}.way[d]"
        if term not in self._ahead:
            self._ahead[term] = self.named("Set", self._code(term, self.ahead))
        return self._ahead[term]

    def open(self, ways: Sequence[int], meant: str = "") -> None:
        """Begin a loop over directions, or over those that are `meant`, given as bits."""
        self.line(f"for (int d = 0; d < {max(ways) + 1}; d++) {{")
        self._indent = "  "
        if not meant and len(ways) < max(ways) + 1:
            meant = str(sum(1 << way for way in ways))
        if meant:
            self.line(f"if (!({meant} >> d & 1)) continue;")

    def close(self) -> None:
        """End the loop."""
        self._indent = ""
        self.line("}")
        self._ahead.clear()

    def line(self, text: str) -> None:
        """Add a line, as deep as the loop that is open."""
        self.lines.append(f"{self._indent}{text}")

    def named(self, sort: str, value: str) -> str:
        """The name of a value that doesn't change, a new one where it has none."""
        return value if value.isidentifier() else self._local(f"const {sort}", value)

    def _local(self, sort: str, value: str) -> str:
        self._count += 1
        self.line(f"{sort} a{self._count} = {value};")
        return f"a{self._count}"

    # What operators ask for -------------------------------------------------------------------

    def way(self, name: str) -> str:
        """The name of a function for lines, see ``ways.h``."""
        self.code.ways()
        return f"way_{name}"

    def onward(self) -> str:
        """The directions from the turn's start to its end, as bits."""
        self._onward = self._onward or self.named("int", f"{self.way('onward')}(t)")
        return self._onward

    def some_way(
        self, ways: str, value: Value, form: Callable[[str], str] = str, axes: bool = False
    ) -> str:
        """What a form makes of a value in any of some directions.

        With `axes` it is the same in opposite ones, where the value isn't directed.
        """
        if form is str and ways != "onward" and not value.term.directed:
            return str(value)
        self.hoist(value.term)
        meant = self.onward() if ways == "onward" else ""
        found = self._local("Set", "NO_SQUARE")
        numbers: Sequence[int] = WAYS_OF.get(ways, range(len(DIRECTIONS)))
        if axes and not meant and not value.term.directed:
            numbers = [d for d in numbers if d < len(DIRECTIONS) // 2]
        self.open(numbers, meant)
        self.line(f"{found} = set_or({found}, {form(self.ahead(value.term))});")
        self.close()
        return found

    def touched(self, sort: str, seat: int, given: object) -> str:
        """What turns of the player at a seat touch, in a function that whoever finds turns has."""
        self.code.ask(sort)
        return f"{sort}(g, {seat}, {given})"

    def meets(self, squares: Value | str, term: Term) -> str | None:
        """Whether any of some squares belongs to a term's set, where it needn't be looked at."""
        if term.operator.meets is None:
            return None
        return term.operator.meets(self, squares, *term.arguments)

    def meeting(self, one: Value, other: Value) -> str | None:
        """Whether two sets meet of which one asks for turns, if need be; None for others."""
        for squares, asked in ((one, other), (other, one)):
            if asked.term.operator.asks:
                turns = f"{self.code.define(asked.term)}(g, t)"
                found = self.meets(squares, asked.term)
                return found or f"set_any({squares}) && set_any(set_and({squares}, {turns}))"
        return None

    def holding(self, content: str) -> str:
        """The squares that hold a content."""
        if content == "empty":
            return "g->empty"
        return self.code.holding(content)

    def numbered(self, seat: int, scale: str, holds: Callable[[int], bool]) -> str:
        """The squares the numbers of which have a property, as the player at a seat sees them."""
        players, grid = self.code.equipment.players, self.code.grid
        squares = grid.geometry.board.squares
        each = []
        for me in range(len(players)):
            numbers = grid.numbers(players[(me + seat) % len(players)], scale).tolist()
            each.append(self.code.constant(s for s in squares if holds(numbers[s])))
        return self.code.by_seat(each)

    def aligned(self, scale: str, relation: str, squares: Value) -> str:
        """The squares with numbers that squares of a set have, or lower ones, as who looks sees
        them."""
        code, found = self.code, []
        for player in code.equipment.players:
            pairs = np.argwhere(code.grid.aligned(player, scale, relation)).tolist()
            found.append(f"{code.image(tuple((one, other) for one, other in pairs))}({squares})")
        return code.by_seat(found)

    def farther(self, side: str, squares: Value) -> str:
        """The squares farther to a side of the board than one of a set."""
        pairs = np.argwhere(self.code.grid.farther(side)).tolist()
        return f"{self.code.image(tuple((one, other) for one, other in pairs))}({squares})"

    def shifted(self, view: str, dx: int, dy: int, squares: Value) -> str:
        """The squares, or the square, at a displacement from others."""
        players, grid = self.code.equipment.players, self.code.grid
        tables = [grid.seen_shift(player, view, dx, dy).tolist()[:-1] for player in players]
        if not squares.term.point:
            return self.code.by_seat([self.code.relation([t], str(squares)) for t in tables])
        chosen = self.code.by_seat([self.code.table(t) for t in tables])
        return f"{squares} < 0 ? NONE : {chosen}[{squares}]"

    def role(self, role: str) -> str:
        """The square that plays a role in the turn."""
        end = role.rstrip("0123456789")
        number = role[len(end) :]
        return f"t ? t->{end}{f'[{int(number) - 1}]' if number else ''} : NONE"

    def last(self, role: str, back: int) -> str:
        """The square that played a role in the turn so many plies ago, or in the player's own."""
        self.code.back = max(self.code.back, back)
        self.code.own |= back == OWN
        turn = "2 * BACK + 2 * g->me" if back == OWN else str(2 * (back - 1))
        return f"g->last ? g->last[{turn} + {LAST_ROLES.index(role)}] : NONE"
