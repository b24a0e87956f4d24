"""Which rule forbids a turn, with what it found; and which rule ends a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grl.board import Player, Position
from grl.model import Feature, Literal, Status
from grl.moves.candidate import Candidate
from grl.rules.english.sentences import English
from grl.rules.features.cases import PositionCase, TurnCase, TurnList
from grl.rules.play.referee import Referee, candidate_of, forbidden, pass_case, turn_body
from grl.rules.templates import RELATIONS, scores
from grl.rules.templates.evaluation import compile_turn_feature
from grl.turn import Turn, play

NAMED = 3
"""Rival turns that a relation is explained with."""


@dataclass(frozen=True)
class Finding:
    """A literal as a clause, with what it found here.

    `squares` gives the squares of the turn that it speaks of by their role, such as ``end1``;
    `rivals` the first of the turns that make a relation hold, `others` how many more there are.
    """

    clause: str
    squares: Mapping[str, str]
    rivals: tuple[str, ...] = ()
    others: int = 0


@dataclass(frozen=True)
class Ruling:
    """A rule that decided: its number from 1 in its list, in English, with the literals as found.

    `goals` are those of an ending, by player; `status` is how far the rule is to be trusted.
    """

    number: int
    sentence: str
    provisional: bool
    findings: tuple[Finding, ...]
    goals: Mapping[Player, int]
    status: str = Status.CERTAIN.value


@dataclass(frozen=True)
class Trial:
    """All turns of a position before the restrictions: the survivors, and who was dropped by which.

    `dropped` holds for a candidate that a rule forbids the rule's index and the turns that were
    left when it was asked.
    """

    survivors: tuple[Candidate, ...]
    dropped: Mapping[int, tuple[int, tuple[Candidate, ...]]]
    candidates: tuple[Candidate, ...]


def trial(referee: Referee, position: Position, extra: Sequence[Candidate] = ()) -> Trial:
    """The restrictions in order on the generated turns of a position, and `extra` ones.

    Extra turns are judged and never rivals: they are spellings that the generator leaves out.
    """
    setting = referee.setting
    candidates = (*setting.generator(position), *extra)
    turn_list = TurnList(PositionCase.of(setting, position), candidates)
    known = len(candidates) - len(extra)
    rival = np.arange(len(candidates)) < known
    left = np.ones(len(candidates), dtype=np.bool_)
    dropped: dict[int, tuple[int, tuple[Candidate, ...]]] = {}
    for number, rule in enumerate(referee.rules.restrictions):
        turn_list.restrict(left & rival)
        out = forbidden(turn_list, turn_body(setting, rule.body)) & left
        if out.any():
            alive = tuple(case.candidate for case in turn_list.survivors)
            dropped |= dict.fromkeys(np.flatnonzero(out).tolist(), (number, alive))
            left &= ~out
    survivors = np.flatnonzero(left & rival).tolist()
    return Trial(tuple(candidates[at] for at in survivors), dropped, candidates)


def forbidding(referee: Referee, position: Position, tried: Trial, at: int) -> Ruling | None:
    """The ruling that dropped the candidate with index `at`, None where it survived."""
    if at not in tried.dropped:
        return None
    number, left = tried.dropped[at]
    rule = referee.rules.restrictions[number]
    before = PositionCase.of(referee.setting, position)
    case = TurnList(before, [tried.candidates[at]]).cases[0]
    english = English(position.equipment)
    findings = tuple(_finding(english.turn(*literal), literal, case, left) for literal in rule.body)
    sentence = english.sentence("restriction", rule)
    return Ruling(number + 1, sentence, rule.provisional, findings, {}, rule.status.value)


def barring(referee: Referee, position: Position) -> Ruling | None:
    """The ruling that forbids a free pass, None where there is none."""
    survivors = referee.survivors(position)
    rule = referee.barring(position, survivors)
    if rule is None:
        return None
    case = pass_case(referee.setting, position, survivors)
    left = [survivor.candidate for survivor in survivors]
    english = English(position.equipment)
    findings = tuple(
        _finding(english.passing(*literal), literal, case, left) for literal in rule.body
    )
    number = next(i for i, other in enumerate(referee.rules.passing, 1) if other is rule)
    return Ruling(
        number, english.sentence("pass", rule), rule.provisional, findings, {}, rule.status.value
    )


def controlling(referee: Referee, position: Position, turn: Turn) -> Ruling | None:
    """The ruling that says who moves after a turn, None where turn order does."""
    after = play(position, turn)
    rule = referee.control(position, turn, after)
    if rule is None:
        return None
    case = TurnList(
        PositionCase.of(referee.setting, position), [candidate_of(position, turn, after)]
    ).cases[0]
    english = English(position.equipment)
    findings = tuple(_finding(english.turn(*literal), literal, case, ()) for literal in rule.body)
    number = next(i for i, other in enumerate(referee.rules.control, 1) if other is rule)
    sentence = english.sentence("control", rule)
    return Ruling(number, sentence, rule.provisional, findings, {}, rule.status.value)


def ending_of(referee: Referee, position: Position) -> Ruling | None:
    """The rule by which the game is over, None where it isn't by any."""
    rule = referee.ending(position)
    if rule is None:
        return None
    english = English(position.equipment)
    clauses = [english.position(*literal) for literal in rule.body]
    number = next(i for i, other in enumerate(referee.rules.endings, 1) if other is rule)
    goals = scores.goals_at(referee.setting, position, rule)
    sentence = english.sentence("ending", rule)
    findings = tuple(Finding(clause, {}) for clause in clauses)
    return Ruling(number, sentence, rule.provisional, findings, goals, rule.status.value)


def _finding(clause: str, literal: Literal, case: TurnCase, left: Sequence[Candidate]) -> Finding:
    board = case.before.setting.board
    squares = {
        role: board.names[square]
        for role in sorted(_roles(literal.feature))
        if (square := case.square(role)) is not None
    }
    rivals: list[str] = []
    if literal.feature[0] in RELATIONS and literal.holds:
        rivals = [str(turn) for turn in _witnesses(literal.feature, case, left)]
    return Finding(clause, squares, tuple(rivals[:NAMED]), max(0, len(rivals) - NAMED))


def _witnesses(feature: Feature, case: TurnCase, left: Sequence[Candidate]) -> Iterator[Turn]:
    """The turns, each of which alone beside this one would make the relation hold."""
    holds = compile_turn_feature(case.before.setting, feature)
    for rival in left:
        pair = TurnList(case.before, [case.candidate, rival])
        if holds(pair.cases[0]):
            yield rival.turn


def _roles(feature: object) -> set[str]:
    """The squares of a turn that a feature names, those in inner features too."""
    if isinstance(feature, tuple):
        if feature[:1] == ("last",):
            return set()
        return {role for part in feature for role in _roles(part)}
    is_role = isinstance(feature, str) and (
        feature == "drop" or (feature[:-1] in ("start", "end") and feature[-1].isdigit())
    )
    return {str(feature)} if is_role else set()
