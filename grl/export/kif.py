"""A model in the Game Description Language, in KIF syntax.

GDL is Datalog with negation and function terms, and no arithmetic: rules must be safe, stratified
and, where they are recursive, of bounded terms (Love and others 2008, section 4). So counts go from
square to square, what depends on no state is worked out beforehand as facts, and the rules that
walk automata stand there once for each number of letters, as many as the longest turn from the
initial position can have. A negative number n is the constant ``minus_n``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grl.errors import ModelError
from grl.export import levels
from grl.export.datalog import Atom, Clause, Term, dynamic, facts, parse, predicate
from grl.export.program import build
from grl.model import Model

GIVEN = ("true", "does")
TARGETS = ("legal", "next", "terminal", "goal")
LISTED = ("role", "init", "base")


MOST_LETTERS = 400
"""Turns that may be longer would make a file that nobody can read, nor a program."""


def gdl_program(model: Model) -> str:
    """The text of a model as a GDL game.

    Raises `ModelError` for a model that no program can hold, or only one of far too many rules.
    """
    program = build(model, chains=True)
    if program.longest > MOST_LETTERS:
        raise ModelError(
            f"the model of {model.game} can't be written in GDL",
            found=f"turns of up to {program.longest} letters",
            expected=f"at most {MOST_LETTERS}: rules stand there once for each number of letters",
            hint="grl export --to asp writes it",
        )
    sections = []
    for title, written in program.sections:
        text = written
        if "'(" in written:
            text = levels.unrolled(written, program.longest, program.most_changes)
        sections.append((title, list(_items(text))))
    rules = [item for _, items in sections for item in items if item[0] != "%"]
    moving = dynamic(rules, GIVEN)
    still = [rule for rule in rules if predicate(rule) not in moving]
    known = facts(still)
    clauses = _simplified(
        {rule: _solved(parse(rule)) for rule in rules if predicate(rule) in moving}, known
    )
    compared = list(_orders(clauses.values(), known))
    used = {a.term.name for c in clauses.values() for a in c.body} | set(LISTED)
    lines = []
    title, items = sections[0]
    lines += [f"; {title}", *(f";{item[1:]}" for item in items if item[0] == "%"), ""]
    lines += ["; --- What depends on no state", ""]
    lines += levels.filled([kif(term) for term in [*known, *compared] if term.name in used])
    for title, items in sections[1:]:
        body = [
            f";{item[1:]}" if item[0] == "%" else _rule(clauses[item])
            for item in items
            if item[0] == "%" or item in clauses
        ]
        if any(line[0] == "(" for line in body):
            lines += ["", f"; --- {title}", "", *body]
    return "\n".join(lines) + "\n"


def _items(text: str) -> Iterable[str]:
    """Comments line by line, and rules."""
    rest: list[str] = []
    for line in text.splitlines():
        if line.startswith("%"):
            yield from levels.split("\n".join(rest))
            rest = []
            yield line
        else:
            rest.append(line)
    yield from levels.split("\n".join(rest))


def _solved(clause: Clause) -> Clause | None:
    """The clause without equations; None where one has no solution."""
    body = list(clause.body)
    head = clause.head
    while True:
        equation = next((a for a in body if a.term.name == "="), None)
        if equation is None:
            return Clause(head, tuple(body))
        body.remove(equation)
        left, right = equation.term.arguments
        if not left.is_variable:
            left, right = right, left
        if left.is_variable:
            values = {left.name: right}
            head = head.replaced(values)
            body = [Atom(a.term.replaced(values), a.positive) for a in body]
        elif left != right:
            return None


def _simplified(clauses: dict[str, Clause | None], known: Sequence[Term]) -> dict[str, Clause]:
    """Without rules that rest on what nothing defines, and without what no target needs."""
    left = {rule: clause for rule, clause in clauses.items() if clause is not None}
    stands = {term.name for term in known} | {*GIVEN, "=", "!=", "<"}
    while True:
        defined = stands | {c.head.name for c in left.values()}
        kept = {
            rule: Clause(c.head, tuple(a for a in c.body if a.positive or a.term.name in defined))
            for rule, c in left.items()
            if all(not a.positive or a.term.name in defined for a in c.body)
        }
        if len(kept) == len(left):
            break
        left = kept
    needed = set(TARGETS)
    while True:
        more = {
            a.term.name for c in kept.values() if c.head.name in needed for a in c.body
        } - needed
        if not more:
            return {rule: c for rule, c in kept.items() if c.head.name in needed}
        needed |= more


def _orders(clauses: Iterable[Clause], known: Sequence[Term]) -> Iterable[Term]:
    """Facts ``<`` for the numbers that clauses compare."""
    numbers = {int(t.name) for term in known for t in term.arguments if _is_number(t)}
    pairs: set[tuple[int, int]] = set()
    for clause in clauses:
        for atom in clause.body:
            if atom.term.name == "<":
                low, high = atom.term.arguments
                lows = {int(low.name)} if _is_number(low) else numbers
                highs = {int(high.name)} if _is_number(high) else numbers
                pairs |= {(a, b) for a in lows for b in highs if a < b}
    return [Term("<", (Term(str(a)), Term(str(b)))) for a, b in sorted(pairs)]


def _is_number(term: Term) -> bool:
    return not term.arguments and term.name.lstrip("-").isdigit()


def kif(term: Term) -> str:
    """A term or atom in KIF."""
    if term.is_variable:
        return f"?{term.name.lower()}"
    name = "less" if term.name == "<" else term.name
    if _is_number(term) and name[0] == "-":
        return f"minus_{name[1:]}"
    if not term.arguments:
        return name
    return f"({name} {' '.join(map(kif, term.arguments))})"


def _rule(clause: Clause) -> str:
    if not clause.body:
        return kif(clause.head)
    return f"(<= {kif(clause.head)} {' '.join(map(_literal, clause.body))})"


def _literal(atom: Atom) -> str:
    if atom.term.name == "!=":
        return f"(distinct {' '.join(map(kif, atom.term.arguments))})"
    return kif(atom.term) if atom.positive else f"(not {kif(atom.term)})"


def asp_term(text: str) -> str:
    """A term in KIF as one of answer set programs: ``(from c3)`` is ``from(c3)``."""
    text = re.sub(r"\bminus_(\d+)", r"-\1", text)
    found = ""
    opened = False
    for token in re.findall(r"[()]|[^()\s]+", text):
        if token == "(":
            found += "," if found and not opened and found[-1] != "(" else ""
            opened = True
        elif token == ")":
            found += ")"
        elif opened:
            found += f"{token}("
            opened = False
        else:
            found += f",{token}" if found and found[-1] != "(" else token
    return found
