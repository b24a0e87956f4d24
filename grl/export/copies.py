"""Copies of a program's rules for further positions, with predicates of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from grl.asp.dependencies import Dependencies, dependencies
from grl.asp.rules import Rule
from grl.export.levels import unmarked


def copied(rules: Iterable[Rule], names: Set[str], *, prefix: str) -> list[Rule]:
    """A copy of rules: these predicates, with or without a mark, have a prefix."""

    def name(old: str) -> str:
        return prefix + old if unmarked(old) in names else old

    return [rule.renamed(name) for rule in rules]


def heads(rules: Iterable[Rule]) -> set[str]:
    """The predicates that rules derive, without marks."""
    return {unmarked(rule.name) for rule in rules}


def below(rules: Sequence[Rule], targets: Set[str]) -> list[Rule]:
    """The rules on which `targets` rest."""
    needed = _dependencies(rules).below(targets)
    return [rule for rule in rules if unmarked(rule.name) in needed]


def between(rules: Sequence[Rule], given: Set[str], target: str) -> tuple[list[Rule], Set[str]]:
    """The rules on which `target` rests and that depend on what is `given` with a position.

    With them the predicates that depend on it, those given included.
    """
    changing = _dependencies(rules).depending(given)
    moving = [rule for rule in rules if unmarked(rule.name) in changing]
    return below(moving, {target}), changing


def _dependencies(rules: Iterable[Rule]) -> Dependencies[str]:
    """Those of rules as one recursive program, without marks."""
    return dependencies(rule.renamed(unmarked) for rule in rules)
