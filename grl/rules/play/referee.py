"""Rules at work: what restrictions leave of the pseudo-legal turns, endings, who moves next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np

from grl.board import Player, Position
from grl.errors import ModelError
from grl.logic.grid import Bools
from grl.model import Feature, Literal, Rule, Rules, Score
from grl.moves.candidate import Candidate
from grl.rules.features.cases import Generator, Left, PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.decision_list import DecisionList
from grl.rules.features.levels import asks, first_level
from grl.rules.features.turn_squares import stop_of
from grl.rules.templates import RELATIONS
from grl.rules.templates.evaluation import (
    check_position,
    check_turn,
    column,
    compile_turn_feature,
    covering,
    test_of,
)
from grl.rules.templates.template import PositionTest
from grl.turn import PASS, Turn


class Body(NamedTuple):
    """The literals of a rule on turns: those that ask only of the position, and the others.

    `holds` is the evaluator of the first.
    """

    position: tuple[Literal, ...]
    turn: tuple[Literal, ...]
    holds: PositionTest

    def covers(self, case: TurnCase) -> bool:
        """Whether the rule covers a turn."""
        return bool(forbidden(case.turn_list, self)[case.number])


class Turns(Protocol):
    """The turns of one position, or of several, as rows."""

    def where(self, body: Body) -> Bools:
        """The turns in whose position the literals on positions hold."""
        ...

    def column(self, feature: Feature, where: Bools) -> Bools:
        """A feature of all turns, or of those for which it is asked; relations look at those
        alive."""
        ...


class Restrictor:
    """Drops the turns that an ordered list of restrictions forbids."""

    def __init__(self, setting: Setting, rules: Sequence[Rule]) -> None:
        self._bodies = [turn_body(setting, rule.body) for rule in rules]

    def survivors(self, turn_list: TurnList, cases: Iterable[TurnCase]) -> list[TurnCase]:
        """The turns among `cases` that no rule forbids."""
        for _ in self._forbidden(turn_list, cases):
            pass
        return turn_list.survivors

    def dropped(self, turn_list: TurnList, cases: Iterable[TurnCase]) -> Iterator[list[TurnCase]]:
        """For each rule in order the turns that it forbids among those that are left."""
        for gone in self._forbidden(turn_list, cases):
            yield [turn_list.cases[number] for number in np.flatnonzero(gone).tolist()]

    def _forbidden(self, turn_list: TurnList, cases: Iterable[TurnCase]) -> Iterator[Bools]:
        turn_list.restrict(turn_list.among(cases))
        for body in self._bodies:
            gone = forbidden(turn_list, body) & turn_list.alive
            if gone.any():
                turn_list.restrict(turn_list.alive & ~gone)
            yield gone


def left_by(setting: Setting, rules: Sequence[Rule]) -> Left:
    """The turns that some restrictions leave the player at a seat, were it their turn."""
    restrictor = Restrictor(setting, rules)

    def left(case: PositionCase, seat: int) -> Sequence[Candidate]:
        position = case.position()
        position = replace(position, to_move=setting.seat(position.to_move, seat))
        candidates = setting.generator(position)
        if not rules or not candidates:
            return candidates
        turn_list = TurnList(PositionCase.of(setting, position), candidates)
        survivors = restrictor.survivors(turn_list, turn_list.survivors)
        return [survivor.candidate for survivor in survivors]

    return left


def stuck_by(setting: Setting, rules: Sequence[Rule]) -> Callable[[PositionCase, int], bool]:
    """Whether the player at a seat, were it their turn, has none that some restrictions leave.

    A pass is none.
    """
    left = left_by(setting, rules)
    return lambda case, seat: not left(case, seat)


class _Alone(NamedTuple):
    """The turns of one position as rows."""

    turn_list: TurnList

    def where(self, body: Body) -> Bools:
        return np.full(len(self.turn_list.cases), body.holds(self.turn_list.before))

    def column(self, feature: Feature, where: Bools) -> Bools:
        if asks(feature) and feature[0] not in RELATIONS:
            test = test_of(self.turn_list.before.setting, feature)
            cases = self.turn_list.cases
            return np.array([w and test(c) for w, c in zip(where, cases, strict=True)], np.bool_)
        return column(self.turn_list, feature)


def forbidden(turn_list: TurnList, body: Body) -> Bools:
    """The turns of a position, alive or not, that a rule covers."""
    return covered(_Alone(turn_list), body)


def covered(turns: Turns, body: Body) -> Bools:
    """The turns, alive or not, that a rule covers."""
    found = turns.where(body)
    for feature, holds in body.turn:
        if not found.any():
            break
        values = turns.column(feature, found)
        found = found & (values if holds else ~values)
    return found


def turn_body(setting: Setting, body: Sequence[Literal]) -> Body:
    """The literals of a rule on turns, relations last, and what asks for further turns.

    Raises `ValueError` for features that there are not.
    """
    for feature, _ in body:
        compile_turn_feature(setting, feature)
    ordered = sorted(body, key=lambda each: (asks(each.feature), each.feature[0] in RELATIONS))
    before = tuple(Literal(f[1], h) for f, h in ordered if f[0] == "before")
    others = tuple(literal for literal in ordered if literal.feature[0] != "before")
    return Body(before, others, covering(setting, before))


class Referee:
    """The rules of a model on top of a generator of pseudo-legal turns."""

    def __init__(self, setting: Setting, rules: Rules) -> None:
        self.setting = setting
        self.rules = rules
        self._restrictor = Restrictor(setting, rules.restrictions)
        self._stuck_now = stuck_by(setting, rules.restrictions)
        self._stuck_after = stuck_by(setting, first_level(rules.restrictions))
        self._endings = DecisionList(rules.endings, partial(covering, setting))
        self._control = DecisionList(rules.control, lambda body: turn_body(setting, body).covers)
        self._passing = DecisionList(rules.passing, lambda body: turn_body(setting, body).covers)

    def stuck(self, case: PositionCase, seat: int) -> bool:
        """Whether the player at a seat, were it their turn, has none but a pass.

        After a turn that restrictions are asked of, those of the first level decide.
        """
        return (self._stuck_now if case.previous is None else self._stuck_after)(case, seat)

    def survivors(self, position: Position) -> list[TurnCase]:
        """The turns that no restriction forbids, whether the game is over or not."""
        turn_list = TurnList(
            PositionCase.of(self.setting, position), self.setting.generator(position)
        )
        return self._restrictor.survivors(turn_list, turn_list.survivors)

    def ending(self, position: Position, turns: Sequence[TurnCase] | None = None) -> Rule | None:
        """The first ending rule that covers a position; `turns` are its survivors, if known."""
        known = {} if turns is None else {0: not turns}
        case = PositionCase.of(self.setting, position)

        def stuck(seat: int) -> bool:
            if seat not in known:
                known[seat] = self.stuck(case, seat)
            return known[seat]

        case.stuck = stuck
        return self._endings.first(case)

    def may_pass(self, position: Position, when: str | None, turns: Sequence[TurnCase]) -> bool:
        """Whether a pass is legal, where the survivors are `turns`.

        `when` is what the model says of the mover's passes: ``free``, ``forced``, or None.
        """
        if when == "free":
            return self.barring(position, turns) is None
        return when == "forced" and not turns

    def barring(self, position: Position, turns: Sequence[TurnCase]) -> Rule | None:
        """The first rule that forbids a free pass, where the survivors are `turns`."""
        if not self.rules.passing:
            return None
        return self._passing.first(pass_case(self.setting, position, turns))

    def follower(self, position: Position, turn: Turn, after: Position) -> Player:
        """Who moves after `turn`, which leads from `position` to `after`."""
        rule = self.control(position, turn, after)
        if rule is None:
            return self.setting.equipment.next_player(position.to_move)
        return self.setting.seat(position.to_move, rule.seat)

    def control(self, position: Position, turn: Turn, after: Position) -> Rule | None:
        """The rule that says who moves after `turn`; None where turn order does."""
        turn_list = TurnList(PositionCase.of(self.setting, position), [])
        return self._control.first(turn_list.judged(candidate_of(position, turn, after)))


def presiding(setting: Setting, rules: Rules) -> Referee:
    """The referee of whom positions in this setting ask from now on who is stuck."""
    referee = Referee(setting, rules)
    setting.stuck = referee.stuck
    setting.left = left_by(setting, first_level(rules.restrictions))
    return referee


def candidate_of(position: Position, turn: Turn, after: Position) -> Candidate:
    """A turn that leads from one position to another, as the generator would hand it out."""
    board = position.board
    starts = tuple(board.square(segment.origin) for segment in turn.segments)
    ends = tuple(stop_of(segment, board) for segment in turn.segments)
    return Candidate(turn, starts, ends, after.cells, after.stock)


def pass_case(setting: Setting, position: Position, turns: Sequence[TurnCase]) -> TurnCase:
    """A pass in a position in which `turns` survive."""
    before = PositionCase.of(setting, position)

    def stuck(seat: int) -> bool:
        if seat == 0:
            return not turns
        return setting.stuck is not None and setting.stuck(before, seat)

    before.stuck = stuck
    turn_list = TurnList(before, [turn.candidate for turn in turns])
    return turn_list.judged(candidate_of(position, PASS, position))


def referee_of(position: Position, rules: Rules, generator: Generator) -> Referee:
    """The referee of a game with the equipment of `position`.

    Raises `ModelError` for rules with features that there are not, or not with such arguments.
    """
    with _understood():
        setting = Setting(position.equipment, rules.frames, generator)
        check_rules(setting, rules)
        return presiding(setting, rules)


def check_rules(setting: Setting, rules: Rules) -> None:
    """Raises `ModelError` for rules with features that there are not, or other arguments."""
    with _understood():
        for rule in chain(rules.restrictions, rules.control, rules.passing):
            for feature, _ in rule.body:
                check_turn(setting, feature)
        for rule in rules.endings:
            for feature, _ in rule.body:
                check_position(setting, feature)
            for goal in rule.value:
                if isinstance(goal, Score):
                    name = "sum" if goal.sums else "size"
                    check_position(setting, (name, "now", goal.amount, "=", 0))


@contextmanager
def _understood() -> Iterator[None]:
    """Whatever is raised over rules from outside becomes one error that says so."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            f"a rule can't be understood: {type(error).__name__} {error}",
            expected="features that this version knows, with their arguments",
        ) from None
