"""The rules of a model file: plain data, checked as it is read.

A literal is a feature as a list, its template's name first; a negated one stands in
``["not", feature]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grl.board import Equipment, Player
from grl.errors import ModelError
from grl.limits import MAX_COUNT, MAX_LITERALS, MAX_RULES
from grl.model import FRAMES, Feature, Literal, Rule, Rules

DEEPEST = 6
HIGHEST = 100
"""No goal is larger."""
LARGEST = 100_000
"""No number in a feature is larger, and no list longer."""

PARTS = ("restrictions", "endings", "control", "passing")
OPTIONAL = frozenset({"passing"})
"""Parts that a file need not have: written only where there are rules."""


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
        "value": list(rule.value),
        "support": rule.support,
        "against": rule.against,
        "provisional": rule.provisional,
    }


def _literal_data(literal: Literal) -> list[Any]:
    feature = listed(literal.feature)
    return feature if literal.holds else ["not", feature]


def listed(feature: Sequence[Any]) -> list[Any]:
    """Nested tuples as nested lists."""
    return [listed(item) if isinstance(item, tuple) else item for item in feature]


def read_rules(data: object, equipment: Equipment) -> Rules:
    """The rules in plain data; raises `ModelError` where it holds something else."""
    if not isinstance(data, dict):
        raise _wrong("rules", "an object, or null", data)
    frames = data.get("frames")
    if not isinstance(frames, dict) or set(frames) != set(equipment.players):
        raise _wrong("rules.frames", "a symmetry for each player", frames)
    if not all(name in FRAMES for name in frames.values()):
        raise _wrong("rules.frames", f"each one of {', '.join(FRAMES)}", frames)
    parts = {}
    for part in PARTS:
        items = data.get(part, [] if part in OPTIONAL else None)
        if not isinstance(items, list) or len(items) > MAX_RULES:
            raise _wrong(f"rules.{part}", f"a list of at most {MAX_RULES} rules", items)
        parts[part] = tuple(
            _rule(item, f"rules.{part}[{number}]", part, len(equipment.players))
            for number, item in enumerate(items)
        )
    return Rules({Player(p): frames[p] for p in equipment.players}, **parts)


def _rule(data: object, where: str, part: str, players: int) -> Rule:
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    body, value = data.get("if"), data.get("value")
    if not isinstance(body, list) or len(body) > MAX_LITERALS:
        raise _wrong(f"{where}.if", f"a list of at most {MAX_LITERALS} features", body)
    most = players - 1 if part == "control" else HIGHEST
    if not isinstance(value, list) or not all(type(x) is int and 0 <= x <= most for x in value):
        raise _wrong(f"{where}.value", f"a list of numbers from 0 to {most}", value)
    length = {"restrictions": 0, "endings": players, "control": 1, "passing": 0}[part]
    if len(value) != length:
        raise _wrong(f"{where}.value", f"a list of {length} numbers", value)
    numbers = [data.get(name) for name in ("support", "against")]
    if not all(type(x) is int and 0 <= x <= MAX_COUNT for x in numbers) or not isinstance(
        data.get("provisional"), bool
    ):
        raise _wrong(where, "support and against as numbers, provisional true or false", numbers)
    support, against = numbers
    return Rule(
        tuple(_literal(item, f"{where}.if") for item in body),
        tuple(value),
        int(support or 0),
        int(against or 0),
        data["provisional"],
    )


def _literal(data: object, where: str) -> Literal:
    if isinstance(data, list) and len(data) == 2 and data[0] == "not":
        return Literal(_feature(data[1], where), False)
    return Literal(_feature(data, where), True)


def _feature(data: object, where: str) -> Feature:
    found = _tuple(data, where, DEEPEST)
    if not isinstance(found, tuple) or not found or not isinstance(found[0], str):
        raise _wrong(where, "a feature: a list that begins with a name", data)
    return found


def _tuple(data: object, where: str, depth: int) -> Any:
    if isinstance(data, str) or (type(data) is int and abs(data) <= LARGEST):
        return data
    if not isinstance(data, list) or depth == 0 or len(data) > LARGEST:
        raise _wrong(where, "strings, numbers and lists of them", data)
    return tuple(_tuple(item, where, depth - 1) for item in data)


def _wrong(where: str, expected: str, found: object) -> ModelError:
    shown = repr(found)
    return ModelError(
        f"field {where} is wrong",
        expected=expected,
        found=shown if len(shown) <= 80 else shown[:77] + "...",
    )
