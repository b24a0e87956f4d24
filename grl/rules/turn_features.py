"""Features of turns, of what they leave, and of rival turns.

A feature is a template's name with arguments, plain data such as ``("takes", "1*")``. What terms
can say is in `grl.rules.term_features`; the other templates are evaluated here, phrased in
`grl.rules.english_turns` and defined for ASP in `grl.rules.asp_turns`. Nothing here knows a game.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from grl.model import Feature
from grl.rules.cases import Scene, Setting, TurnCase
from grl.rules.history import bearing
from grl.rules.past import OPERATORS
from grl.rules.position_features import compile_position
from grl.rules.term_features import TERM_TEMPLATES, TurnTest, turn_test
from grl.rules.turn_squares import SQUARE_TEMPLATES, keys_by_player
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


def taken(case: TurnCase, what: str) -> int:
    """By how many `what`, as the mover sees it, has become fewer on the board."""
    before = case.before
    table = before.setting.table(before.to_move, what)
    left = int(case.candidate.cells.translate(table), 2)
    return before.bits(what).bit_count() - left.bit_count()


def _appears(setting: Setting, what: str) -> TurnTest:
    """Whether `what` appears in the course of the turn, by a letter ``a``."""
    keys = keys_by_player(setting, what)

    def test(case: TurnCase) -> bool:
        mine = keys[case.before.to_move]
        return any(letter.kind is Kind.APPEAR and letter.piece in mine for letter in case.letters)

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


def steps_of(case: TurnCase) -> int:
    """The number of steps and flights in a turn."""
    return sum(letter.kind is Kind.STEP for letter in case.letters)


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
        before = case.before
        one, other = before.last_square("start1"), before.last_square("end1")
        if start is None or end is None or one is None or other is None or start == end:
            return False
        last = bearing(board, one, other) if sense == "same" else bearing(board, other, one)
        return last == bearing(board, start, end)

    return test


def _before(setting: Setting, feature: Feature) -> TurnTest:
    """A feature of the position in which the turn is played."""
    test = compile_position(setting, feature)
    return lambda case: test(case.before)


def _after(setting: Setting, feature: Feature) -> TurnTest:
    """A feature of the position that the turn leaves, the next player in turn order to move."""
    test = compile_position(setting, feature)
    return lambda case: test(case.after)


def _rival_has(setting: Setting, scope: str, feature: Feature) -> TurnTest:
    """Whether the turn lacks a feature that a surviving rival has.

    Scope ``any``: any turn of the position; ``start``: one that begins on the same square;
    ``first``: one with the same first segment.
    """
    return _rival(setting, scope, feature, True)


def _rival_lacks(setting: Setting, scope: str, feature: Feature) -> TurnTest:
    """Whether the turn has a feature that a surviving rival in the scope lacks."""
    return _rival(setting, scope, feature, False)


def _rival(setting: Setting, scope: str, feature: Feature, wanted: bool) -> TurnTest:
    test = compile_turn_feature(setting, feature)
    memo_key = (wanted, scope, feature)

    def relation(case: TurnCase) -> bool:
        if test(case) == wanted:
            return False
        scene = case.scene
        found = scene.memo.get(memo_key)
        if found is None:
            found = {_scope(rival, scope) for rival in scene.survivors if test(rival) == wanted}
            scene.memo[memo_key] = found
        assert isinstance(found, set)
        return _scope(case, scope) in found

    return relation


def _scope(case: TurnCase, scope: str) -> object:
    if scope == "any":
        return None
    if scope == "start":
        return case.candidate.starts[:1]
    return case.candidate.turn.segments[:1]


def _more(setting: Setting, scope: str, what: str) -> TurnTest:
    """Whether a surviving turn in the scope takes more of `what`."""
    memo_key = ("more", scope, what)

    def relation(case: TurnCase) -> bool:
        scene = case.scene
        best = scene.memo.get(memo_key)
        if best is None:
            most: dict[object, int] = {}
            for rival in scene.survivors:
                place = _scope(rival, scope)
                most[place] = max(most.get(place, 0), taken(rival, what))
            best = scene.memo[memo_key] = most
        assert isinstance(best, dict)
        return bool(best.get(_scope(case, scope), 0) > taken(case, what))

    return relation


MEASURES = ("start", "end", "distance")


def measure_of(setting: Setting, case: TurnCase, measure: str) -> int | None:
    """A number of a turn's first segment; None of a pass.

    ``start`` and ``end`` are ranks as the mover sees them, ``distance`` is how far it goes, in
    files or ranks, whichever is more.
    """
    if not case.candidate.starts:
        return None
    start, end = case.candidate.starts[0], case.candidate.ends[0]
    if measure == "distance":
        (y, x), (to_y, to_x) = divmod(start, setting.board.width), divmod(end, setting.board.width)
        return max(abs(to_x - x), abs(to_y - y))
    return setting.relative[case.before.to_move][start if measure == "start" else end][1]


def _beyond(setting: Setting, scope: str, measure: str, than: str) -> TurnTest:
    """Whether a number of a surviving turn in the scope is ``more`` or ``less`` than this one's."""
    memo_key = ("beyond", scope, measure, than)
    sign = 1 if than == "more" else -1

    def relation(case: TurnCase) -> bool:
        mine = measure_of(setting, case, measure)
        if mine is None:
            return False
        scene = case.scene
        best = scene.memo.get(memo_key)
        if best is None:
            most: dict[object, int] = {}
            for rival in scene.survivors:
                number = measure_of(setting, rival, measure)
                if number is not None:
                    place = _scope(rival, scope)
                    most[place] = max(most.get(place, sign * number), sign * number)
            best = scene.memo[memo_key] = most
        assert isinstance(best, dict)
        return bool(best.get(_scope(case, scope), sign * mine) > sign * mine)

    return relation


def _prefix(setting: Setting) -> TurnTest:
    """Whether a surviving turn begins with all of this one and goes on."""

    def relation(case: TurnCase) -> bool:
        found = case.scene.memo.get("prefix")
        if found is None:
            found = _beginnings(case.scene)
            case.scene.memo["prefix"] = found
        assert isinstance(found, set)
        segments = case.candidate.turn.segments
        return bool(segments) and (
            (segments[:-1], segments[-1].origin, segments[-1].letters, segments[-1].targets)
            in found
        )

    return relation


def _beginnings(scene: Scene) -> set[object]:
    """All proper beginnings of the surviving turns that end at a letter."""
    found: set[object] = set()
    for rival in scene.survivors:
        segments = rival.candidate.turn.segments
        for i, segment in enumerate(segments):
            last = i == len(segments) - 1
            flights = 0
            for n, letter in enumerate(segment.letters[: len(segment.letters) - last], 1):
                flights += letter.fly
                found.add(
                    (segments[:i], segment.origin, segment.letters[:n], segment.targets[:flights])
                )
    return found


TURN_TEMPLATES: Final[dict[str, Callable[..., TurnTest]]] = {
    "moves": _moves,
    "takes": _takes,
    "appears": _appears,
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
}
RELATIONS: Final[dict[str, Callable[..., TurnTest]]] = {
    "rival_has": _rival_has,
    "rival_lacks": _rival_lacks,
    "more": _more,
    "beyond": _beyond,
    "prefix": _prefix,
}
"""Their value depends on which rivals are left when a rule is asked."""


def compile_turn_feature(setting: Setting, feature: Feature) -> TurnTest:
    """The evaluator of a feature of turns, relations between turns included."""
    make = TURN_TEMPLATES[feature[0]] if feature[0] in TURN_TEMPLATES else RELATIONS[feature[0]]
    return make(setting, *feature[1:])
