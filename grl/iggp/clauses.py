"""Clauses of a definition, and their text with the definitions of what they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grl.iggp.goals import Found, Goal
from grl.iggp.tables import Bools
from grl.iggp.target import Target
from grl.iggp.terms import Rule
from grl.iggp.text import rule_text, used_relations


@dataclass(frozen=True, eq=False)
class Clause:
    """A rule, the rows of the whole target that it covers, and its cost.

    `exceptions` name relations that deny it, which `auxiliary` lines define.
    """

    rule: Rule
    covers: Bools
    cost: float
    exceptions: tuple[str, ...] = ()
    auxiliary: tuple[str, ...] = ()


def clauses_of(target: Target, part: Goal, rules: Iterable[Found]) -> list[Clause]:
    """Rules found for a part of the target."""
    return [Clause(f.rule, target.rows_of(part, f.covers), f.cost) for f in rules]


def covered_by(target: Target, clauses: Iterable[Clause]) -> Bools:
    """The rows that any of the clauses covers."""
    rows = np.zeros(len(target.goal.rows), dtype=bool)
    for clause in clauses:
        rows |= clause.covers
    return rows


def clause_lines(target: Target, clauses: Iterable[Clause], head: str) -> list[str]:
    """The clauses as a definition of `head`, each after what it speaks of, no line twice.

    Under a name other than the target's they hold of candidates alone.
    """
    world, (name, arity) = target.world, target.key
    lines: dict[str, None] = {}
    for clause in clauses:
        lines.update(dict.fromkeys(clause.auxiliary))
        for key in used_relations(clause.rule):
            lines.update(dict.fromkeys(world.relations[key].definition))
        text = rule_text(
            world,
            head,
            arity,
            clause.rule,
            target.domain,
            clause.exceptions,
            guarded=head != name,
        )
        lines[text] = None
    return list(lines)


def program_lines(target: Target, clauses: Sequence[Clause]) -> list[str]:
    """The definition of the target, with the candidates as facts where a line speaks of them."""
    lines = clause_lines(target, clauses, target.key[0])
    if not any(f"{target.domain}(" in line for line in lines):
        return lines
    return [target.candidate_facts(), *lines]
