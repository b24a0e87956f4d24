"""The part of answer set programs that a translation into GDL takes.

These are normal rules with negation, comparisons and function terms. Rules that depend on no
position may use arithmetic and pools; they are not translated but worked out by clingo, as facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import clingo

from grl.asp.reader import value
from grl.asp.rules import Comparison, Literal, Rule, printed
from grl.asp.terms import Function, Operation, Pool, Term, Variable, parts
from grl.errors import ModelError

COMPARISONS = {"=": "equal", "!=": "distinct", "<": "less"}
"""The comparisons of the language, with names; ``=`` is solved, the others are called so in GDL."""


def clause(rule: Rule) -> Rule:
    """A rule in which each ``_`` is a variable of its own.

    Raises `ModelError` for what is not part of the language.
    """
    if not isinstance(rule.head, Function) or not _is_plain(rule.head):
        raise _untranslated(rule)
    if not all(map(_is_translated, rule.body)):
        raise _untranslated(rule)
    numbers = count(1)
    return rule.replaced(lambda v: Variable(f"Any{next(numbers)}") if v.name == "_" else v)


def _untranslated(rule: Rule) -> ModelError:
    return ModelError("not a rule that can be translated", found=str(rule)[:200])


def _is_translated(literal: Literal) -> bool:
    atom = literal.atom
    if isinstance(atom, Comparison):
        known = literal.positive and atom.operator in COMPARISONS
        return known and _is_plain(atom.left) and _is_plain(atom.right)
    return isinstance(atom, Function) and _is_plain(atom)


def _is_plain(term: Term) -> bool:
    """Whether a term is without arithmetic, pools and tuples."""
    if isinstance(term, Operation | Pool) or (isinstance(term, Function) and not term.name):
        return False
    return all(map(_is_plain, parts(term)))


def facts(rules: Iterable[Rule]) -> list[Function]:
    """All that follows from rules which depend on no state, in ascending order."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], printed(rules))
    control.ground([("base", [])])
    found = sorted(atom.symbol for atom in control.symbolic_atoms if atom.is_fact)
    return [atom for atom in map(value, found) if isinstance(atom, Function)]
