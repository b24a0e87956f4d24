"""What terms say: whether a set has any square, how many, and of two which has more.

``("some", when, term)``, ``("size", when, term, op, number)`` and ``("sizes", when, term, op,
term)``, with a number behind where the first and so many more are compared; the terms as data
(`grl.logic.terms`). ``sum`` and ``sums`` are the same of what the contents of the squares count
together. Of turns `when` is ``before`` or ``after``, the mover looking; of positions it
is ``now``, the player to move looking. Two terms may be compared on two boards, too: by ``gain``
the first is of the board before the turn and the second of the one after it, by ``loss`` it is the
other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from grl.logic.code import Code
from grl.logic.english import ADJACENT, counted
from grl.logic.grid import Bools
from grl.logic.ops import known_term
from grl.logic.ops.counts import no_code, no_rules
from grl.logic.ops.groups import HEADS
from grl.logic.rows import Rows
from grl.logic.terms import Term
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase, rows_of
from grl.rules.features.terms import terms_in
from grl.rules.templates import sorts
from grl.rules.templates.template import RELATED, Phrases, PositionTest, Template, TurnTest
from grl.rules.templates.writers import Definitions, English, Source

CHUNK: Final = 2_000
"""Rows that are evaluated at once."""
NOW: Final = sorts.words("board", "now")
WHEN: Final = sorts.words("board", "before", "after")
EITHER: Final = sorts.words("board", "before", "after", "gain", "loss")
ACROSS: Final = {"gain": ("before", "after"), "loss": ("after", "before")}
"""The boards of two terms, where these are not the same."""
BOARDS: Final = {"now": "", "before": " before", "after": " afterwards"}
Data = tuple[Any, ...]
Verdict = Callable[[Any, Any], Any]
"""From what answers whether a term denotes any square, `some`, how many, `size`, and how much what
lies there counts, `total`, to whether a feature holds: of a position, a turn, or rows of either. It
takes what answers for the first term, and what does for the second."""
SUMS: Final = frozenset({"sum", "sums"})


def _verdict(name: str, data: Data, *others: Any) -> Verdict:
    one = known_term(data)
    if name == "some":
        return lambda asked, _: asked.some(one)
    op, other, *more = others
    compare, extra = RELATED[op], sum(more)

    def amount(asked: Any, term: Term) -> Any:
        return asked.total(term) if name in SUMS else asked.size(term)

    if name in ("size", "sum"):
        return lambda asked, _: compare(amount(asked, one), other)
    second = known_term(other)
    return lambda asked, also: compare(amount(asked, one) + extra, amount(also, second))


def _boards(when: str) -> tuple[str, str]:
    """Of which boards the first and the second term are."""
    return ACROSS.get(when, (when, when))


class _Turn(NamedTuple):
    """A turn on one of its boards."""

    case: TurnCase
    when: str

    def some(self, term: Term) -> bool:
        return bool(self.case.turn_list.some(self.when, term)[self.case.number])

    def size(self, term: Term) -> int:
        return int(self.case.turn_list.size(self.when, term)[self.case.number])

    def total(self, term: Term) -> int:
        return int(self.case.turn_list.total(self.when, term)[self.case.number])


def _of_position(name: str, when: str, *arguments: Any) -> PositionTest:
    verdict = _verdict(name, *arguments)
    return lambda case: verdict(case, case)


def _of_turn(name: str, when: str, *arguments: Any) -> TurnTest:
    verdict, (one, other) = _verdict(name, *arguments), _boards(when)
    return lambda case: verdict(_Turn(case, one), _Turn(case, other))


def _position_columns(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    def rows_for(some: Sequence[PositionCase], when: str) -> Rows:
        return Rows(setting.equipment, setting.grid, [case.ground() for case in some])

    return _columns(cases, features, rows_for)


def _turn_columns(
    setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]
) -> Bools:
    return _columns(cases, features, lambda some, when: rows_of(setting, some, when))


def _columns(
    cases: Sequence[Any],
    features: Sequence[Feature],
    rows_for: Callable[[Sequence[Any], str], Rows],
) -> Bools:
    found = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for begin in range(0, len(cases), CHUNK):
        some = cases[begin : begin + CHUNK]
        needed = dict.fromkeys(board for f in features for board in _boards(f[1]))
        rows = {board: rows_for(some, board) for board in needed}
        for column, (name, when, *arguments) in enumerate(features):
            verdict, (one, other) = _verdict(name, *arguments), _boards(when)
            found[begin : begin + CHUNK, column] = verdict(rows[one], rows[other])
    return found


# In English --------------------------------------------------------------------------------------


def _phrases(name: str, say: English, when: str, data: Data, *others: Any) -> Phrases:
    one = known_term(data)
    if name == "some":
        holds, fails = say.some(one)
    elif name == "size":
        holds, fails = _size_phrases(say, one, *others)
    elif name == "sum":
        holds, fails = _sum_phrases(say.noun(one), *others)
    else:
        op, other, *more = others
        phrases = _sizes_phrases if name == "sizes" else _sums_phrases
        second = known_term(other)
        if one is second and when in ACROSS:
            return _change_phrases(say.noun(one), when, op, sum(more))
        said = [BOARDS[board] if when in ACROSS else "" for board in _boards(when)]
        these, those = (f"{_nouns(say, x)}{y}" for x, y in zip((one, second), said, strict=True))
        holds, fails = phrases(these, op, those, sum(more))
    after = " afterwards" if when == "after" else ""
    return f"{holds}{after}", f"{fails}{after}"


def _nouns(say: English, term: Term) -> str:
    """What a set is, in the plural; where pieces may be in hand too, that they are not."""
    on_board = term.operator.name == "lies" and say.equipment.stocked
    return f"{say.noun(term)} on the board" if on_board else say.noun(term)


def _size_phrases(say: English, term: Term, op: str, number: int) -> Phrases:
    things = _nouns(say, term)
    if op == "=" and number == 1 and term.operator.name == "lies":
        one = things.replace(say.noun(term), say.one(term).partition(" ")[2])
        return f"there is exactly one {one}", f"there is not exactly one {one}"
    if op == "=" and number == 1 and term.operator is HEADS:
        nearness, squares = term.arguments
        assert isinstance(squares, Term)
        shape = f"single group, adjacent {ADJACENT[str(nearness)]}"
        those = say.noun(squares)
        return f"all {those} form a {shape}", f"the {those} don't form a {shape}"
    if op == "=" and number == 0:
        return f"there are no {things}", f"there are {things}"
    many = counted(number)
    if op == "=":
        return f"there are exactly {many} {things}", f"there are not exactly {many} {things}"
    return f"there are fewer than {many} {things}", f"there are {many} or more {things}"


def _sizes_phrases(these: str, op: str, those: str, more: int) -> Phrases:
    if more:
        least = op == "<"
        these = f"{counted(more + least)} more {those} than {these}"
        return (
            f"there are {'at least' if least else 'exactly'} {these}",
            f"there are {'fewer than' if least else 'not exactly'} {these}",
        )
    if op == "=":
        return f"there are as many {these} as {those}", f"there are not as many {these} as {those}"
    return f"there are fewer {these} than {those}", f"there are at least as many {these} as {those}"


def _change_phrases(things: str, when: str, op: str, more: int) -> Phrases:
    """How many of a term's squares there are after a turn, and were before it."""
    if op == "=" and not more:
        return f"it leaves as many {things} as before", f"it changes how many {things} there are"
    least, word = op == "<", "more" if when == "gain" else "fewer"
    number = more + least
    if number == 1 and least:
        return f"it leaves {word} {things} than before", f"it does not leave {word} {things}"
    exactly = "at least" if least else "exactly"
    said = f"{exactly} {counted(number)} {word} {things} than before"
    return f"it leaves {said}", f"it does not leave {said}"


def _sum_phrases(things: str, op: str, number: int) -> Phrases:
    these = f"the contents of {things}"
    if op == "<":
        return f"{these} count less than {number}", f"{these} count {number} or more"
    return f"{these} count {number}", f"{these} do not count {number}"


def _sums_phrases(these: str, op: str, those: str, more: int) -> Phrases:
    one = f"the contents of {these}{f' {more} added,' if more else ''}"
    other = f"those of {those}"
    if op == "<":
        return f"{one} count less than {other}", f"{one} count no less than {other}"
    return f"{one} count as much as {other}", f"{one} do not count as much as {other}"


# In ASP and in C ---------------------------------------------------------------------------------


def _rules(name: str, asp: Definitions, head: str, when: str, *arguments: Any) -> str:
    if name in SUMS:
        no_rules()
    terms = terms_in((name, when, *arguments))
    atoms = [asp.atom(board, term) for board, term in zip(_boards(when), terms, strict=False)]
    row = "W" if when == "now" else "W,U"
    given = asp.given(row)
    if name == "some":
        return f"{head}({row}) :- {given}, {atoms[0]('S')}."
    _, op, other, *more = arguments
    totals = [
        asp.tally(f"{atom.name}_size", atom.row, asp.given(atom.row), atom("S")) for atom in atoms
    ]
    left = f"{totals[0]}({atoms[0].row},N)"
    if name == "size":
        return f"{head}({row}) :- {given}, {left}, N {op} {other}."
    right = f"{given}, {totals[1]}({atoms[1].row},K)"
    extra = sum(more)
    if not extra:
        return f"{head}({row}) :- {right}, {left}, N {op} K."
    # A rule for each number: not all exports know sums.
    return "\n".join(
        f"{head}({row}) :- {right}, {totals[0]}({atoms[0].row},{number}), {number + extra} {op} K."
        for number in range(max(0, len(asp.setting.board.squares) - extra) + 1)
    )


def numbers_code(code: Code, given: str, feature: Feature, also: str = "") -> str:
    """The expression in C for a feature of how many squares there are; `given` is what functions of
    terms take, and `also` what that of the second term does, where that is something else."""
    name, _, data, op, other, *more = feature
    left = f"set_count({code.define(known_term(data))}({given}))"
    if name == "sizes":
        less = f" - {sum(more)}" if sum(more) else ""
        other = f"set_count({code.define(known_term(other))}({also or given})){less}"
    return f"{left} {'==' if op == '=' else op} {other}"


def _code(name: str, c: Source, when: str, *arguments: Any) -> str:
    if name in SUMS:
        no_code()
    feature: Feature = (name, when, *arguments)
    c.know(terms_in(feature))
    if name == "some":
        test = f"({c.code.some(known_term(arguments[0]))})"
    else:
        test = numbers_code(c.code, "g, t", feature, "h, t" if when in ACROSS else "")
    grounds = {
        "now": "&c->ground",
        "before": "&l->before.ground",
        "after": "seen_after(l, i)",
    }
    one, other = (grounds[board] for board in _boards(when))
    second = [f"Ground *h = {other};"] if when in ACROSS else []
    return "\n  ".join(
        [
            f"Ground *g = {one};",
            *second,
            f"const Squares *t = {'0' if when == 'now' else '&l->turns[i].squares'};",
            "(void)g, (void)t;",
            f"return {test};",
        ]
    )


def _template(name: str, takes: Sequence[sorts.Sort], of_turns: bool) -> Template:
    return Template(
        name,
        tuple(takes),
        evaluate=lambda setting, *a: (_of_turn if of_turns else _of_position)(name, *a),
        columns=_turn_columns if of_turns else _position_columns,
        phrases=lambda *a: _phrases(name, *a),
        rules=lambda *a: _rules(name, *a),
        code=lambda *a: _code(name, *a),
        effort=lambda when, *a: 3 if when in ("now", "before") else 4,
        optional=int(takes[-1] is sorts.MORE),
    )


def _templates(
    when: sorts.Sort, several: sorts.Sort, term: sorts.Sort, *, of_turns: bool
) -> tuple[Template, ...]:
    """Whether a term denotes some square; so many, or fewer; as many as another, or fewer; and what
    lies there counts so much, or less. `several` are the boards of two terms."""
    takes: dict[str, Sequence[sorts.Sort]] = {
        "some": (when, term),
        "size": (when, term, sorts.COMPARISON, sorts.NUMBER),
        "sizes": (several, term, sorts.COMPARISON, term, sorts.MORE),
        "sum": (when, sorts.counted(term), sorts.COMPARISON, sorts.NUMBER),
        "sums": (several, sorts.counted(term), sorts.COMPARISON, term, sorts.MORE),
    }
    return tuple(_template(name, each, of_turns) for name, each in takes.items())


OF_POSITIONS = _templates(NOW, NOW, sorts.BOARD_TERM, of_turns=False)
OF_TURNS = _templates(WHEN, EITHER, sorts.TURN_TERM, of_turns=True)
