"""The rules of a model file: plain data, checked as it is read.

A literal is a feature as a list, its template's name first; a negated one stands in
``["not", feature]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from grl.board import Equipment, Player
from grl.formats import typed, wrong
from grl.limits import MAX_COUNT, MAX_LITERALS, MAX_RULES, MAX_TERM_DEPTH
from grl.model import FRAMES, Goal, Literal, Rule, Rules, Score

DEEPEST = MAX_TERM_DEPTH + 4
"""Levels of a feature: a term, the tables in it, and the features around it."""
HIGHEST = 100
"""No goal is larger."""
LARGEST = 100_000
"""No number in a feature is larger, and no list longer."""

PARTS = ("restrictions", "endings", "control", "passing")
OPTIONAL = frozenset({"passing"})
"""Parts that a file need not have: written only where there are rules."""


_Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]


class _Rule(Struct, rename={"body": "if"}):
    body: Annotated[list[list[Any]], Meta(max_length=MAX_LITERALS)]
    value: tuple[Annotated[int, Meta(ge=0, le=HIGHEST)] | list[Any], ...]
    support: _Count
    against: _Count
    provisional: bool


_Part = Annotated[list[_Rule], Meta(max_length=MAX_RULES)]


class _Rules(Struct):
    frames: dict[Player, str]
    restrictions: _Part
    endings: _Part
    control: _Part
    passing: _Part = []


def rules_data(rules: Rules) -> dict[str, Any]:
    """`rules` as plain data."""
    return {
        "frames": dict(rules.frames),
        **{
            part: [_rule_data(rule) for rule in getattr(rules, part)]
            for part in PARTS
            if part not in OPTIONAL or getattr(rules, part)
        },
    }


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {
        "if": [_literal_data(literal) for literal in rule.body],
        "value": [goal_data(goal) for goal in rule.value],
        "support": rule.support,
        "against": rule.against,
        "provisional": rule.provisional,
    }


def goal_data(goal: Goal) -> Any:
    """A goal as plain data."""
    if not isinstance(goal, Score):
        return goal
    return ["sum" if goal.sums else "size", listed(goal.amount), goal.each, goal.plus]


def _literal_data(literal: Literal) -> list[Any]:
    feature = listed(literal.feature)
    return feature if literal.holds else ["not", feature]


def listed(feature: Sequence[Any]) -> list[Any]:
    """Nested tuples as nested lists."""
    return [listed(item) if isinstance(item, tuple) else item for item in feature]


def read_rules(data: object, equipment: Equipment) -> Rules:
    """The rules in plain data; raises `ModelError` where it holds something else."""
    form = typed(data, _Rules, "rules")
    if set(form.frames) != set(equipment.players):
        raise wrong("rules.frames", "a symmetry for each player", form.frames)
    if not all(name in FRAMES for name in form.frames.values()):
        raise wrong("rules.frames", f"each one of {', '.join(FRAMES)}", form.frames)
    players = len(equipment.players)
    return Rules(
        {player: form.frames[player] for player in equipment.players},
        *(
            tuple(
                _rule(rule, f"rules.{part}[{number}]", part, players)
                for number, rule in enumerate(getattr(form, part))
            )
            for part in PARTS
        ),
    )


def _rule(form: _Rule, where: str, part: str, players: int) -> Rule:
    length = {"restrictions": 0, "endings": players, "control": 1, "passing": 0}[part]
    if len(form.value) != length:
        raise wrong(f"{where}.value", f"a list of {length} numbers", form.value)
    value = tuple(_goal(goal, f"{where}.value[{seat}]") for seat, goal in enumerate(form.value))
    if part == "control" and value[0] not in range(players):
        raise wrong(f"{where}.value", f"a seat from 0 to {players - 1}", form.value)
    return Rule(
        tuple(_literal(item, f"{where}.if[{number}]") for number, item in enumerate(form.body)),
        value,
        form.support,
        form.against,
        form.provisional,
    )


def _goal(data: int | list[Any], where: str) -> Goal:
    if isinstance(data, int):
        return data
    match _tuple(data, where, DEEPEST):
        case (("size" | "sum") as counts, tuple() as amount, int() as each, int() as plus):
            return Score(each, plus, amount, counts == "sum")
    raise wrong(where, 'a number, or ["size" or "sum", an amount, each, more]', data)


def _literal(data: Sequence[object], where: str) -> Literal:
    denied = len(data) == 2 and data[0] == "not"
    feature = _tuple(data[1] if denied else data, where, DEEPEST)
    if not isinstance(feature, tuple) or not feature or not isinstance(feature[0], str):
        raise wrong(where, "a feature: a list that begins with a name", data)
    return Literal(feature, not denied)


def _tuple(data: object, where: str, depth: int) -> Any:
    if isinstance(data, str) or (type(data) is int and abs(data) <= LARGEST):
        return data
    if not isinstance(data, list) or depth == 0 or len(data) > LARGEST:
        raise wrong(where, "strings, numbers and lists of them", data)
    return tuple(_tuple(item, where, depth - 1) for item in data)
