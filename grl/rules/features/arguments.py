"""Whether features that come from outside have arguments that their templates can work with.

The names of a template's parameters say what they take, so a template is not described again here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Final

from grl.board import EMPTY, HOLE
from grl.logic.terms import ROLES
from grl.model import Feature
from grl.rules.features.cases import Setting
from grl.rules.features.past import SCOPES, events
from grl.rules.features.positions import POSITION_TEMPLATES
from grl.rules.features.relations import MEASURES, RELATIONS
from grl.rules.features.terms import TERM_TEMPLATES, check_term_feature
from grl.rules.features.turns import OF_CONTENTS, TURN_TEMPLATES

Check = Callable[[Setting, Any], bool]


def check_feature(setting: Setting, feature: Feature) -> None:
    """Raises `KeyError` for an unknown template and `ValueError` for other arguments than it takes.

    Whether a feature of positions stands where one of turns belongs is left to the evaluators.
    """
    if not isinstance(feature, tuple) or not feature:
        raise ValueError(f"{feature!r} is no feature")
    if feature[0] in TERM_TEMPLATES:
        check_term_feature(setting.equipment, feature)
        return
    if feature[0] in RELATIONS:
        names = list(RELATIONS[feature[0]])
    else:
        make = {**POSITION_TEMPLATES, **TURN_TEMPLATES}[feature[0]]
        names = list(signature(make).parameters)[1:]
    if len(names) != len(feature) - 1:
        raise ValueError(f"{feature[0]} takes {', '.join(names) or 'nothing'}")
    for name, value in zip(names, feature[1:], strict=True):
        if not CHECKS[name](setting, value):
            raise ValueError(f"{value!r} is no {name} for {feature[0]}")


def _one_of(*allowed: str) -> Check:
    return lambda _, value: isinstance(value, str) and value in allowed


def _number(setting: Setting, value: Any) -> bool:  # noqa: ARG001
    return type(value) is int


def _seat(setting: Setting, value: Any) -> bool:
    return type(value) is int and 0 <= value < len(setting.equipment.players)


def _what(setting: Setting, value: Any) -> bool:
    """Contents as `Setting.keys` names them."""
    if not isinstance(value, str):
        return False
    if value in (EMPTY, HOLE):
        return True
    equipment = setting.equipment
    if value[:1] == "=":
        return value[1:] in equipment.pieces
    owners = {"n", *map(str, range(len(equipment.players)))}
    types = {piece.type for piece in equipment.pieces.values()}
    owner, colon, kind = value.partition(":")
    return (owner in owners and kind in types) if colon else value in {f"{o}*" for o in owners}


def _role(setting: Setting, value: Any) -> bool:  # noqa: ARG001
    numbered = (
        isinstance(value, str) and value[:-1] in ("start", "end") and value[-1] in "123456789"
    )
    return numbered or value in ROLES


def _cells(setting: Setting, value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(cell, tuple)
        and len(cell) == 3
        and _number(setting, cell[0])
        and _number(setting, cell[1])
        and _what(setting, cell[2])
        for cell in value
    )


def _pairs(setting: Setting, value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(_what(setting, each) for each in pair)
        for pair in value
    )


def _squares(setting: Setting, value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(square, tuple) and len(square) == 2 and all(_number(setting, n) for n in square)
        for square in value
    )


def _feature(setting: Setting, value: Any) -> bool:
    check_feature(setting, value)
    return True


CHECKS: Final[Mapping[str, Check]] = {
    "what": _what,
    "one": _what,
    "other": _what,
    "cells": _cells,
    "pairs": _pairs,
    "given": _one_of(*OF_CONTENTS),
    "named": _one_of(*OF_CONTENTS),
    "number": _number,
    "dx": _number,
    "dy": _number,
    "seat": _seat,
    "player": lambda setting, value: value in setting.equipment.players,
    "role": _role,
    "zone": _one_of("board", "hand", "all", "area"),
    "op": _one_of("=", "<"),
    "way": _one_of("ahead", "level", "behind", "inward", "outward"),
    "kind": _one_of("e", "w", "p", "n", "d", "a", "r", "fly"),
    "squares": _squares,
    "least": _number,
    "sense": _one_of("same", "back"),
    "measure": _one_of(*MEASURES),
    "than": _one_of("more", "less"),
    "scope": _one_of("any", "start", "first", *SCOPES),
    "adjacency": lambda setting, value: isinstance(value, str) and value in setting.near,
    "feature": _feature,
    "second": _feature,
    "event": lambda setting, value: value in events(setting),
}
"""What a template's parameter of each name takes."""
