"""Features of turns, of what they leave, and of rival turns.

A feature is a template's name with arguments, plain data such as ``("takes", "1*")``. What terms
can say is in `grl.rules.features.terms`; the other templates are evaluated here, phrased in
`grl.rules.english.turns` and defined for ASP in `grl.rules.asp.turns`. Nothing here knows a game.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import Setting, TurnCase, TurnList
from grl.rules.features.last_turn import bearing
from grl.rules.features.past import OPERATORS
from grl.rules.features.positions import compile_position
from grl.rules.features.relations import RELATIONS, Rivals, steps_of, taken
from grl.rules.features.terms import TERM_TEMPLATES, TurnTest, terms_in, turn_test
from grl.rules.features.turn_squares import SQUARE_TEMPLATES, keys_by_player
from grl.turn import Kind


def _moves(setting: Setting, what: str) -> TurnTest:
    """Whether the turn begins on a square that holds `what`."""
    keys = keys_by_player(setting, what)

    def test(case: TurnCase) -> bool:
        before = case.before
        starts = case.candidate.starts
        return bool(starts) and before.cells[starts[0]] in keys[before.to_move]

    return test


def _takes(setting: Setting, what: str) -> TurnTest:
    """Whether fewer of `what` are on the board after the turn."""
    return lambda case: taken(case, what) > 0


def _appears(setting: Setting, what: str) -> TurnTest:
    """Whether `what` appears in the course of the turn, by a letter ``a``."""
    return _named(setting, Kind.APPEAR, what)


def _keeps(setting: Setting, what: str) -> TurnTest:
    """Whether `what` joins the mover's reserve, by a letter ``r``."""
    return _named(setting, Kind.RESERVE, what)


def _named(setting: Setting, kind: Kind, what: str) -> TurnTest:
    """Whether the turn has a letter of a kind that names `what`."""
    keys = keys_by_player(setting, what)

    def test(case: TurnCase) -> bool:
        mine = keys[case.before.to_move]
        return any(letter.kind is kind and letter.piece in mine for letter in case.letters)

    return test


def _letter(setting: Setting, kind: str) -> TurnTest:
    """Whether the turn has a letter of this kind: e w p n d r, or ``fly``."""
    if kind == "fly":
        return lambda case: any(letter.fly for letter in case.letters)
    return lambda case: any(letter.on == kind for letter in case.letters)


def _opens(setting: Setting, kind: str) -> TurnTest:
    """Whether the turn's first letter is of this kind."""

    def test(case: TurnCase) -> bool:
        if not case.letters:
            return False
        first = case.letters[0]
        return first.fly if kind == "fly" else first.on == kind and not first.fly

    return test


def _segments(setting: Setting, op: str, number: int) -> TurnTest:
    """How many segments the turn has."""
    compare = OPERATORS[op]
    return lambda case: compare(len(case.candidate.starts), number)


def _steps(setting: Setting, op: str, number: int) -> TurnTest:
    """How many steps the hand makes, flights included."""
    compare = OPERATORS[op]
    return lambda case: compare(steps_of(case), number)


def _heading(setting: Setting, way: str) -> TurnTest:
    """Which way the first segment goes, from its start to its end.

    ``ahead``, ``level`` or ``behind`` as the mover sees it; ``inward`` or ``outward`` when the end
    is nearer to the middle file than the start, or farther from it.
    """
    width = setting.board.width

    def test(case: TurnCase) -> bool:
        if not case.candidate.starts:
            return False
        seen = setting.relative[case.before.to_move]
        (x, y), (to_x, to_y) = seen[case.candidate.starts[0]], seen[case.candidate.ends[0]]
        if way in ("inward", "outward"):
            nearer = abs(2 * x - width - 1) - abs(2 * to_x - width - 1)
            return nearer > 0 if way == "inward" else nearer < 0
        rise = to_y - y
        return rise > 0 if way == "ahead" else rise < 0 if way == "behind" else rise == 0

    return test


def _shift(setting: Setting, dx: int, dy: int) -> TurnTest:
    """By how much the first segment takes the hand away, as the mover sees it, file unsigned."""

    def test(case: TurnCase) -> bool:
        if not case.candidate.starts:
            return False
        seen = setting.relative[case.before.to_move]
        (x, y), (to_x, to_y) = seen[case.candidate.starts[0]], seen[case.candidate.ends[0]]
        return (abs(to_x - x), to_y - y) == (dx, dy)

    return test


def _echo(setting: Setting, sense: str) -> TurnTest:
    """Whether the first segment goes in the direction of the last turn's, or (``back``) against it.

    Directions are those of the board, in lowest terms.
    """
    board = setting.board

    def test(case: TurnCase) -> bool:
        start, end = case.square("start1"), case.square("end1")
        last = case.before.last_squares(1)
        one, other = last.get("start1"), last.get("end1")
        if start is None or end is None or one is None or other is None or start == end:
            return False
        way = bearing(board, one, other) if sense == "same" else bearing(board, other, one)
        return way == bearing(board, start, end)

    return test


def _before(setting: Setting, feature: Feature) -> TurnTest:
    """A feature of the position in which the turn is played."""
    test = compile_position(setting, feature)
    return lambda case: test(case.before)


def _after(setting: Setting, feature: Feature) -> TurnTest:
    """A feature of the position that the turn leaves, the next player in turn order to move."""
    test = compile_position(setting, feature)
    return lambda case: test(case.after)


def _midway(setting: Setting, feature: Feature) -> TurnTest:
    """A feature of what the turn would leave if it broke off within its first segment.

    There is such a position after each letter of the segment but the last, seen as `after` is.
    """
    test = compile_position(setting, feature)
    return lambda case: any(map(test, case.midway))


def _and(setting: Setting, feature: Feature, second: Feature) -> TurnTest:
    """Whether two features hold, neither of them a relation: what rivals may have together."""
    if feature[0] in RELATIONS or second[0] in RELATIONS:
        raise ValueError("relations between turns can't be joined")
    one, other = test_of(setting, feature), test_of(setting, second)
    return lambda case: one(case) and other(case)


def _otherwise(
    setting: Setting, given: str, named: str, pairs: tuple[tuple[str, str], ...]
) -> TurnTest:
    """Whether the template `given` holds of the turn with the first of a pair, and `named` does not
    with the second: a part of the turn is another than what a table has for it."""
    tests = [
        (test_of(setting, (given, one)), test_of(setting, (named, other))) for one, other in pairs
    ]
    return lambda case: any(one(case) and not other(case) for one, other in tests)


TURN_TEMPLATES: Final[dict[str, Callable[..., TurnTest]]] = {
    "moves": _moves,
    "takes": _takes,
    "appears": _appears,
    "keeps": _keeps,
    "letter": _letter,
    "opens": _opens,
    "segments": _segments,
    "steps": _steps,
    "heading": _heading,
    "shift": _shift,
    **{name: partial(turn_test, name) for name in sorted(TERM_TEMPLATES)},
    **SQUARE_TEMPLATES,
    "echo": _echo,
    "before": _before,
    "after": _after,
    "midway": _midway,
    "and": _and,
    "otherwise": _otherwise,
}
OF_CONTENTS: Final = ("moves", "takes", "appears", "keeps")
"""Templates that ask what a part of a turn is, by the name of a content alone."""
BOARDLESS: Final = frozenset(
    {"appears", "keeps", "letter", "opens", "segments", "steps", "heading", "shift"}
)
"""Templates that ask nothing of the board: turns of one player with equal letters agree."""


def compile_turn_feature(setting: Setting, feature: Feature) -> TurnTest:
    """The evaluator of a feature of turns, relations between turns included."""
    if feature[0] in RELATIONS:
        check_relation(feature)
        return lambda case: bool(column(case.turn_list, feature)[case.number])
    return TURN_TEMPLATES[feature[0]](setting, *feature[1:])


def check_relation(feature: Feature) -> None:
    """Raises `ValueError` for a relation of a feature that is none of turns."""
    for inner in feature[1:]:
        if (
            isinstance(inner, tuple)
            and inner[0] not in TURN_TEMPLATES
            and inner[0] not in RELATIONS
        ):
            raise ValueError(f"{inner[0]} is no feature of turns")


def column(turn_list: TurnList, feature: Feature) -> Bools:
    """A feature on all turns of a list, in their order; relations look at those alive."""
    setting = turn_list.before.setting
    if not turn_list.cases:
        return np.zeros(0, dtype=np.bool_)
    if feature[0] == "some":
        return turn_list.some(feature[1], terms_in(feature)[0])
    related = feature[0] in RELATIONS
    known = turn_list.related if related else turn_list.columns
    found = known.get(feature)
    if found is None or len(found) != len(turn_list.cases):
        if related:
            rivals = turn_list.rivals
            if rivals is None or len(rivals.cases) != len(turn_list.cases):
                rivals = turn_list.rivals = Rivals(setting, tuple(turn_list.cases))
            found = rivals.relation(feature, partial(column, turn_list), turn_list.alive)
        else:
            test = test_of(setting, feature)
            found = np.array([test(case) for case in turn_list.cases], dtype=np.bool_)
        known[feature] = found
    return found


def test_of(setting: Setting, feature: Feature) -> TurnTest:
    """The evaluator of a feature, made once for a setting."""
    found = setting.tests.get(feature)
    if found is None:
        found = setting.tests[feature] = compile_turn_feature(setting, feature)
    return found
