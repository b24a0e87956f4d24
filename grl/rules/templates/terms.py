"""What terms say: whether a set has any square, how many, and of two which has more.

``("some", when, term)``, ``("size", when, term, op, number)`` and ``("sizes", when, term, op,
term)``, with a number behind where the first and so many more are compared; the terms as data
(`grl.logic.terms`). Of positions numbers may be those of pieces in hand, ``("hand", content)``, or
in hand and on the board, ``("all", content)``; and sums of amounts that count so much each,
``("points", (3, amount), (1, amount))``. ``sum`` and ``sums`` are the same of what the
contents of the squares count together. Of turns `when` is ``before`` or ``after``, the mover
looking; of positions it is ``now``, the player to move looking. Two terms may be compared on two
boards, too: by ``gain`` the first is of the board before the turn and the second of the one after
it, by ``loss`` it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from grl.logic.english import ADJACENT, counted
from grl.logic.grid import DIRECTIONS, Bools, Indices
from grl.logic.ops import known_term
from grl.logic.ops.counts import no_code, no_rules
from grl.logic.ops.groups import HEADS
from grl.logic.rows import Rows
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase, rows_of
from grl.rules.features.terms import IN_HAND, POINTS, Data, asked_of, summands, terms_in
from grl.rules.templates import hands, sorts
from grl.rules.templates.template import RELATED, Phrases, PositionTest, Template
from grl.rules.templates.writers import Definitions, English, Source

CHUNK: Final = 2_000
"""Rows that are evaluated at once."""
NOW: Final = sorts.words("board", "now")
WHEN: Final = sorts.words("board", "before", "after")
EITHER: Final = sorts.words("board", "before", "after", "gain", "loss")
ACROSS: Final = {"gain": ("before", "after"), "loss": ("after", "before")}
"""The boards of two terms, where these are not the same."""
BOARDS: Final = {"now": "", "before": " before", "after": " afterwards"}
GROUNDS: Final = {"now": "&c->ground", "before": "&l->before.ground", "after": "seen_after(l, i)"}
"""What is known of a board, in C."""
Verdict = Callable[[Any, Any], Any]
"""From what answers whether a term denotes any square, `some`, how many, `size`, how much what lies
there counts, `total`, and how many pieces are in hand, `held`, to whether a feature holds: of a
position, a turn, or rows of either. It takes what answers for the first term, and what does for the
second."""
ASKING_EFFORT: Final = 8
SUMS: Final = frozenset({"sum", "sums"})


def verdict(feature: Feature) -> Verdict:
    """What says whether a feature holds."""
    name, _, data, *others = feature
    if name == "some":
        one = known_term(data)
        return lambda asked, _: asked.some(one)
    op, other, *more = others
    compare, extra, sums = RELATED[op], sum(more), name in SUMS
    first = amount(data, sums=sums)
    if name in ("size", "sum"):
        return lambda asked, _: compare(first(asked), other)
    second = amount(other, sums=sums)
    return lambda asked, also: compare(first(asked) + extra, second(also))


def amount(data: Data, *, sums: bool) -> Callable[[Any], Any]:
    """What says how many squares a term denotes, how much lies there, or how many are in hand."""
    if data[0] in IN_HAND:
        return lambda asked: asked.held(*data)
    if data[0] == POINTS:
        parts = [(each, amount(what, sums=sums)) for each, what in summands(data)]
        return lambda asked: sum(each * of(asked) for each, of in parts)
    term = known_term(data)
    if sums:
        return lambda asked: asked.total(term)
    return lambda asked: asked.size(term)


def amounts_of(cases: Sequence[PositionCase], data: Data, *, sums: bool) -> Indices:
    """So much of an amount there is in each position."""
    asked = amount(data, sums=sums)
    found: list[Indices] = [np.zeros(0, dtype=np.intp)]
    for begin in range(0, len(cases), CHUNK):
        some = cases[begin : begin + CHUNK]
        setting = some[0].setting
        rows = Rows(setting.equipment, setting.grid, [case.ground() for case in some])
        found.append(np.asarray(asked(_Boards(some, rows)), dtype=np.intp))
    return np.concatenate(found)


def boards(when: str) -> tuple[str, str]:
    """Of which boards the first and the second term are."""
    return ACROSS.get(when, (when, when))


class _Boards:
    """Positions with their boards as rows; of turns only the rows are asked."""

    def __init__(self, cases: Sequence[Any], rows: Rows) -> None:
        self.some, self.size, self.total = rows.some, rows.size, rows.total
        self._cases = cases
        self._held: dict[tuple[str, str], Indices] = {}

    def held(self, zone: str, content: str) -> Indices:
        """How many pieces are in hand, taken of each position once."""
        found = self._held.get((zone, content))
        if found is None:
            numbers = [case.held(zone, content) for case in self._cases]
            found = self._held[zone, content] = np.array(numbers, dtype=np.intp)
        return found


def _position_columns(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    asked = _seats_asked(features)

    def rows_for(some: Sequence[PositionCase], when: str) -> Rows:
        setting.replies.foresee(case.seen_by(seat) for case in some for seat in asked)
        return Rows(setting.equipment, setting.grid, [case.ground() for case in some])

    return _columns(cases, features, rows_for)


def _turn_columns(
    setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]
) -> Bools:
    asked = _seats_asked(features)

    def rows_for(some: Sequence[TurnCase], when: str) -> Rows:
        if when == "after":
            setting.replies.foresee(case.after.seen_by(seat - 1) for case in some for seat in asked)
        return rows_of(setting, some, when)

    return _columns(cases, features, rows_for)


def _seats_asked(features: Sequence[Feature]) -> list[int]:
    """The seats of whose pseudo-legal turns any of the features ask."""
    asked = set[tuple[int, int]]().union(*map(asked_of, features))
    return sorted(seat for seat, level in asked if not level)


def _columns(
    cases: Sequence[Any],
    features: Sequence[Feature],
    rows_for: Callable[[Sequence[Any], str], Rows],
) -> Bools:
    found = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for begin in range(0, len(cases), CHUNK):
        some = cases[begin : begin + CHUNK]
        needed = dict.fromkeys(board for feature in features for board in boards(feature[1]))
        rows = {board: _Boards(some, rows_for(some, board)) for board in needed}
        for column, feature in enumerate(features):
            one, other = boards(feature[1])
            found[begin : begin + CHUNK, column] = verdict(feature)(rows[one], rows[other])
    return found


# In English --------------------------------------------------------------------------------------


def _phrases(name: str, say: English, when: str, data: Data, *others: Any) -> Phrases:
    if name == "some":
        holds, fails = say.some(known_term(data))
    elif name == "size":
        holds, fails = _size_phrases(say, data, *others)
    elif name == "sum":
        holds, fails = _sum_phrases(say.noun(known_term(data)), *others)
    else:
        op, other, *more = others
        phrases = _sizes_phrases if name == "sizes" else _sums_phrases
        if data == other and when in ACROSS:
            return _change_phrases(noun_of(say, data), when, op, sum(more))
        said = [BOARDS[board] if when in ACROSS else "" for board in boards(when)]
        these, those = (f"{noun_of(say, x)}{y}" for x, y in zip((data, other), said, strict=True))
        holds, fails = phrases(these, op, those, sum(more))
    after = " afterwards" if when == "after" else ""
    return f"{holds}{after}", f"{fails}{after}"


WHERE: Final = {"hand": "in hand", "all": "on the board or in hand", "lies": "on the board"}


def noun_of(say: English, data: Data, number: int | None = None) -> str:
    """What a set is, or what is held, in the plural; one of a content, if that is the `number`.

    Where pieces may be in hand too, it is said that they are not.
    """
    if data[0] == POINTS:
        each = [f"{noun_of(say, what)} ({worth} each)" for worth, what in summands(data)]
        return f"points of {', '.join(each[:-1])} and {each[-1]}"
    if data[0] not in WHERE:
        return say.noun(known_term(data))
    things = say.things(data[1], number).removeprefix("one ")
    on_board = data[0] == "lies" and not say.equipment.stocked
    return things if on_board else f"{things} {WHERE[data[0]]}"


def _size_phrases(say: English, data: Data, op: str, number: int) -> Phrases:
    if op == "=" and number == 1 and data[0] in WHERE:
        one = noun_of(say, data, 1)
        return f"there is exactly one {one}", f"there is not exactly one {one}"
    if op == "=" and number == 1 and data[0] == HEADS.name:
        _, nearness, squares = data
        shape = f"single group, adjacent {ADJACENT[nearness]}"
        those = say.noun(known_term(squares))
        return f"all {those} form a {shape}", f"the {those} don't form a {shape}"
    things, many = noun_of(say, data), counted(number)
    if op == "=" and number == 0:
        return f"there are no {things}", f"there are {things}"
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
    row = "W" if when == "now" else "W,U"
    given, data = asp.given(row), arguments[0]
    if name == "some":
        return f"{head}({row}) :- {given}, {asp.atom(when, known_term(data))('S')}."

    one, two = boards(when)

    def amount(data: Data, number: str, board: str = one) -> str:
        return number_rule(asp, data, number, board)

    _, op, other, *more = arguments
    if name == "size":
        return f"{head}({row}) :- {given}, {amount(data, 'N')}, N {op} {other}."
    right, extra = f"{given}, {amount(other, 'K', two)}", sum(more)
    if not extra:
        return f"{head}({row}) :- {right}, {amount(data, 'N')}, N {op} K."
    if {*IN_HAND, POINTS} & {data[0], other[0]}:
        sum_ = hands.plus(asp, "N", str(extra), "L")
        return f"{head}({row}) :- {right}, {amount(data, 'N')}, {sum_}, L {op} K."
    # A rule for each number: not all exports know sums.
    most = len(asp.setting.board.squares)
    if known_term(other).directed:
        most *= len(DIRECTIONS)
    return "\n".join(
        f"{head}({row}) :- {right}, {amount(data, str(number))}, {number + extra} {op} K."
        for number in range(max(0, most - extra) + 1)
    )


def number_rule(asp: Definitions, data: Data, number: str, board: str, row: str = "") -> str:
    """The literal: there are so many, in a row that may be named."""
    if data[0] in IN_HAND:
        return f"{hands.number_rules(asp, *data)}({row or 'W'},{number})"
    if data[0] == POINTS:
        return f"{_points_rules(asp, data, board)}({row or 'W'},{number})"
    atom = asp.atom(board, known_term(data))
    total = asp.tally(
        f"{atom.name}_size", atom.row, asp.given(atom.row), atom("S"), directed=atom.directed
    )
    return f"{total}({row or atom.row},{number})"


def _points_rules(asp: Definitions, data: Data, board: str) -> str:
    """The predicate ``…(W,N)``: so many points there are."""
    parts = summands(data)
    numbers = [number_rule(asp, what, f"N{at}", board) for at, (_, what) in enumerate(parts)]
    counted = zip(parts, numbers, strict=True)
    named = [f"{each}_{number.partition('(')[0]}" for (each, _), number in counted]
    name = f"points_{'_'.join(named)}"
    if not asp.chains:
        total = "+".join(f"{each}*N{at}" for at, (each, _) in enumerate(parts))
        return asp.define(name, "", f"{name}(W,N) :- {', '.join(numbers)}, N = {total}.")
    added = [f"N{at}" for at, (each, _) in enumerate(parts) for _ in range(each)]
    sums = [added[0], *(f"S{at}" for at in range(1, len(added)))]
    steps = [
        hands.plus(asp, before, one, after)
        for (before, after), one in zip(pairwise(sums), added[1:], strict=True)
    ]
    return asp.define(name, "", f"{name}(W,{sums[-1]}) :- {', '.join([*numbers, *steps])}.")


def numbers_code(feature: Feature, amount: Callable[[Data, str], str]) -> str:
    """The expression in C for a feature of numbers; `amount` is that of one of them, on a board."""
    name, when, data, op, other, *more = feature
    one, two = boards(when)
    if name == "sizes":
        less = f" - {sum(more)}" if sum(more) else ""
        other = f"{amount(other, two)}{less}"
    return f"{amount(data, one)} {'==' if op == '=' else op} {other}"


def amount_code(c: Source, data: Data, ground: str) -> str:
    """The expression for so much, on a `ground` and the squares of the turn, ``t``."""
    if data[0] in IN_HAND:
        return hands.number_code(c, *data)
    if data[0] == POINTS:
        parts = (f"{n} * {amount_code(c, what, ground)}" for n, what in summands(data))
        return f"({' + '.join(parts)})"
    return c.code.number(known_term(data), f"{ground}, t")


def _code(name: str, c: Source, when: str, *arguments: Any) -> str:
    if name in SUMS:
        no_code()
    feature: Feature = (name, when, *arguments)
    c.know(terms_in(feature))

    one, two = boards(when)

    def amount(data: Data, board: str) -> str:
        return amount_code(c, data, "g" if board == one else "h")

    if name == "some":
        test = f"({c.code.some(known_term(arguments[0]))})"
    else:
        test = numbers_code(feature, amount)
    second = [f"Ground *h = {GROUNDS[two]};"] if one != two else []
    return "\n  ".join(
        [
            f"Ground *g = {GROUNDS[one]};",
            *second,
            f"const Squares *t = {'0' if when == 'now' else '&l->turns[i].squares'};",
            "(void)g, (void)t;",
            f"return {test};",
        ]
    )


def _effort(feature: Feature) -> int:
    """What asks for turns costs most."""
    asked = ASKING_EFFORT if asked_of(feature) else 0
    return asked or (3 if feature[1] in ("now", "before") else 4)


def _of_position(feature: Feature) -> PositionTest:
    says = verdict(feature)
    return lambda case: says(case, case)


def _template(name: str, takes: Sequence[sorts.Sort], of_turns: bool) -> Template:
    return Template(
        name,
        tuple(takes),
        evaluate=lambda setting, *a: _of_position((name, *a)),
        columns=_turn_columns if of_turns else _position_columns,
        phrases=lambda *a: _phrases(name, *a),
        rules=lambda *a: _rules(name, *a),
        code=lambda *a: _code(name, *a),
        effort=lambda *a: _effort((name, *a)),
        optional=int(takes[-1] is sorts.MORE),
    )


def _templates(
    when: sorts.Sort,
    several: sorts.Sort,
    term: sorts.Sort,
    amount: sorts.Sort,
    *,
    of_turns: bool,
) -> tuple[Template, ...]:
    """Whether a term denotes some square; so many, or fewer; as many as another, or fewer; and what
    lies there counts so much, or less. `several` are the boards of two terms."""
    takes: dict[str, Sequence[sorts.Sort]] = {
        "some": (when, term),
        "size": (when, amount, sorts.COMPARISON, sorts.NUMBER),
        "sizes": (several, amount, sorts.COMPARISON, amount, sorts.MORE),
        "sum": (when, sorts.counted(term), sorts.COMPARISON, sorts.NUMBER),
        "sums": (several, sorts.counted(term), sorts.COMPARISON, term, sorts.MORE),
    }
    return tuple(_template(name, each, of_turns) for name, each in takes.items())


OF_POSITIONS = _templates(NOW, NOW, sorts.BOARD_TERM, sorts.AMOUNT, of_turns=False)
OF_TURNS = _templates(WHEN, EITHER, sorts.TURN_TERM, sorts.TURN_SQUARES, of_turns=True)
