"""Goals that are counted: what they come to, what they are in English, and their rules in ASP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grl.board import Player, Position
from grl.errors import ModelError
from grl.logic.ops.counts import no_code
from grl.model import Goal, Rule, Score
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import said_of, terms_of
from grl.rules.templates.terms import amount, amount_code, noun_of, number_rule
from grl.rules.templates.writers import Definitions, English, Source

HIGHEST = 100


def goals_of(rule: Rule, case: PositionCase) -> tuple[int, ...]:
    """What an ending gives in a position that it covers, by seat."""
    return tuple(
        goal.of(int(amount(goal.amount, sums=goal.sums)(case))) if isinstance(goal, Score) else goal
        for goal in rule.value
    )


def goals_at(setting: Setting, position: Position, rule: Rule) -> dict[Player, int]:
    """What an ending gives in a position that it covers, by player in turn order."""
    given = goals_of(rule, PositionCase.of(setting, position))
    by_player = {setting.seat(position.to_move, seat): goal for seat, goal in enumerate(given)}
    return {p: by_player[p] for p in position.equipment.players if p in by_player}


def turned(goal: Goal, by: int, players: int) -> Goal:
    """A goal that speaks of one player, said of the one so many seats further.

    Raises `ValueError` where that can't be said.
    """
    if not isinstance(goal, Score):
        return goal
    later = said_of(goal.amount, by, players)
    if later is None:
        raise ValueError(f"{goal.amount} can't be said of another player")
    return replace(goal, amount=later)


def code(c: Source, rule: Rule) -> Iterator[str]:
    """The lines that return the goal of ``seat`` where an ending covers the case."""
    for seat, goal in enumerate(rule.value):
        if not isinstance(goal, Score):
            yield f"if (seat == {seat}) return {goal};"
            continue
        if goal.sums:
            no_code()
        c.know(terms_of(goal.amount))
        number = f"{goal.each} * {amount_code(c, goal.amount, 'g')} + {goal.plus}"
        yield f"if (seat == {seat}) return limited({number});"


def phrases(say: English, rule: Rule) -> list[str]:
    """What each seat gets."""
    return [f"{_said(say, goal)} for {say.seat(seat)}" for seat, goal in enumerate(rule.value)]


def _said(say: English, goal: Goal) -> str:
    if not isinstance(goal, Score):
        return str(goal)
    of = noun_of(say, goal.amount)
    each = f"{abs(goal.each)} for each of the {of}"
    if goal.sums:
        each = f"{abs(goal.each)} times what the contents of {of} count"
    if goal.each < 0:
        return f"{goal.plus} less {each}, but no less than 0,"
    return f"{f'{goal.plus} and ' if goal.plus else ''}{each}, {HIGHEST} at most,"


def rules(asp: Definitions, score: Score, head: str, body: str) -> Iterator[str]:
    """The rules that give `head`, with each goal in place of ``{}``, where `body` holds now.

    One for each number, and one for those from which on the goal stays: not all exports know sums.
    """
    if score.sums:
        raise ModelError("goals by what contents count can't be written as a logic program")

    def so_many(number: str) -> str:
        return number_rule(asp, score.amount, number, "now", "now")

    most = score.settled
    for number in range(most):
        yield f"{head.format(score.of(number))} :- {body}, {so_many(str(number))}."
    yield f"{head.format(score.of(most))} :- {body}, {so_many('K')}, {most - 1} < K."
