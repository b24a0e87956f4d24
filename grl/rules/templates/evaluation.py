"""Features checked, and asked of one case or of the turns of a list; and said of other players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature, Literal, Rule
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList, rows_of
from grl.rules.features.levels import asks
from grl.rules.features.relations import Rivals
from grl.rules.features.terms import TERM_TEMPLATES
from grl.rules.templates import OF_TURNS, POSITIONS, RELATIONS, TURNS, sorts
from grl.rules.templates.positions import MOMENTS, compile_position, one_by_one
from grl.rules.templates.scores import turned
from grl.rules.templates.template import PositionTest, Template, TurnTest
from grl.rules.templates.terms import boards, verdict

_WITHIN: Final = {sorts.POSITION: POSITIONS, sorts.TURN: OF_TURNS, sorts.PLAIN: TURNS}
"""Of which templates a feature is that stands in an argument's place."""


def check_position(setting: Setting, feature: Feature) -> None:
    """Raises `KeyError` where there is no such template of features of positions, and `ValueError`
    for other arguments than it takes."""
    _check(setting, feature, POSITIONS)


def check_turn(setting: Setting, feature: Feature) -> None:
    """As `check_position`, of features of turns, relations included."""
    _check(setting, feature, OF_TURNS)


def _check(setting: Setting, feature: Feature, templates: Mapping[str, Template]) -> None:
    if not isinstance(feature, tuple) or not feature:
        raise ValueError(f"{feature!r} is no feature")
    name, *arguments = feature
    takes, optional = templates[name].takes, templates[name].optional
    if not len(takes) - optional <= len(arguments) <= len(takes):
        raise ValueError(f"{name} takes {', '.join(sort.name for sort in takes) or 'nothing'}")
    for sort, value in zip(takes, arguments, strict=False):
        if not sort.allows(setting, value):
            raise ValueError(f"{value!r} is no {sort.name} for {name}")
        if sort in _WITHIN:
            _check(setting, value, _WITHIN[sort])


def _asked(
    template: Template, arguments: Sequence[Any], ask: Callable[[Any, Any], Any]
) -> Iterator[Any]:
    """A template's arguments with what `ask` says, by sort, in place of inner features."""
    for sort, value in zip(template.takes, arguments, strict=False):
        yield ask(sort, value) if sort in _WITHIN else value


def covering(setting: Setting, body: Sequence[Literal]) -> PositionTest:
    """Whether all literals of a rule agree with a position."""
    tests = [(compile_position(setting, feature), holds) for feature, holds in body]

    def covers(case: PositionCase) -> bool:
        for test, holds in tests:  # noqa: SIM110 - a loop is much faster here
            if test(case) != holds:
                return False
        return True

    return covers


def compile_turn_feature(setting: Setting, feature: Feature) -> TurnTest:
    """The evaluator of a feature of turns, relations between turns included.

    Raises `KeyError` for features that there are not.
    """

    def made(sort: Any, inner: Feature) -> Any:
        compiled = compile_position if sort is sorts.POSITION else test_of
        return compiled(setting, inner)

    template = OF_TURNS[feature[0]]
    arguments = list(_asked(template, feature[1:], made))
    if feature[0] in TERM_TEMPLATES and asks(feature):
        one, other = boards(feature[1])
        says = verdict(feature)

        def alone(case: TurnCase) -> bool:
            return bool(says(*(rows_of(setting, [case], when) for when in (one, other)))[0])

        return alone
    if feature[0] in RELATIONS or feature[0] in TERM_TEMPLATES:
        return lambda case: bool(column(case.turn_list, feature)[case.number])
    found: TurnTest = template.evaluate(setting, *arguments)
    return found


def test_of(setting: Setting, feature: Feature) -> TurnTest:
    """The evaluator of a feature, made once for a setting."""
    found = setting.tests.get(feature)
    if found is None:
        found = setting.tests[feature] = compile_turn_feature(setting, feature)
    return found


EACH_TURN: Final = one_by_one(test_of)


def column(turn_list: TurnList, feature: Feature) -> Bools:
    """A feature on all turns of a list, in their order; relations look at those alive."""
    setting = turn_list.before.setting
    if not turn_list.cases:
        return np.zeros(0, dtype=np.bool_)
    related_ = feature[0] in RELATIONS
    known = turn_list.related if related_ else turn_list.columns
    found = known.get(feature)
    if found is None or len(found) != len(turn_list.cases):
        if feature[0] in TERM_TEMPLATES:
            one, other = map(turn_list.rows, boards(feature[1]))
            found = verdict(feature)(one, other)
            one.forget()
            other.forget()
        elif related_:
            rivals = turn_list.rivals
            if rivals is None or len(rivals.cases) != len(turn_list.cases):
                rivals = turn_list.rivals = Rivals(setting, tuple(turn_list.cases))
            found = related(rivals, feature, partial(column, turn_list), turn_list.alive)
        else:
            columns = MOMENTS.get(feature[0], EACH_TURN)
            found = columns(setting, turn_list.cases, [feature])[:, 0]
        known[feature] = found
    return found


def related(
    rivals: Rivals, feature: Feature, column: Callable[[Feature], Bools], alive: Bools
) -> Bools:
    """Of which turns a relation holds, with the column of any feature in it."""
    template = RELATIONS[feature[0]]
    arguments = _asked(template, feature[1:], lambda _, inner: column(inner))
    found: Bools = template.evaluate(rivals, alive, *arguments)
    return found


def plain_features(feature: Feature) -> Iterator[Feature]:
    """The features that are no relations, in a feature: itself, or those that rivals are asked."""
    if feature[0] not in RELATIONS:
        yield feature
        return
    for inner in feature[1:]:
        if isinstance(inner, tuple):
            yield from plain_features(inner)


def looks_back(feature: Feature) -> bool:
    """Whether a feature asks for the game before a position, beyond its last turn."""
    name, *arguments = feature
    return (
        (name in POSITIONS and POSITIONS[name].of_past(*arguments))
        or (name == "last" and arguments[1] != 1)
        or any(looks_back(part) for part in arguments if isinstance(part, tuple) and part)
    )


@lru_cache(maxsize=1 << 16)
def mirrored(literal: Literal, by: int, seats: int) -> Literal | None:
    """What a literal on positions says of players, said of those so many places further; None where
    it can't be."""
    template = POSITIONS[literal.feature[0]]
    pairs = zip(template.takes, literal.feature[1:], strict=False)
    arguments = [sort.turned(value, by, seats) for sort, value in pairs]
    if template.absolute or None in arguments:
        return None
    return Literal((template.name, *arguments), literal.holds)


def mirror(rule: Rule, by: int, seats: int) -> Rule | None:
    """What a rule says of players, said of those so many places further; None where it can't be.

    No position speaks for it.
    """
    literals = [mirrored(literal, by, seats) for literal in rule.body]
    body = tuple(literal for literal in literals if literal is not None)
    if len(body) < len(literals):
        return None
    value = tuple(turned(rule.value[(seat - by) % seats], by, seats) for seat in range(seats))
    return Rule(body, value, support=0, provisional=True)
