"""A model in the Game Description Language, in KIF syntax.

GDL is Datalog with negation and function terms, and no arithmetic: rules must be safe, stratified
and, where they are recursive, of bounded terms (Love and others 2008, section 4). So counts go from
square to square, what depends on no state is worked out beforehand as facts, and the rules that
walk automata stand there once for each number of letters, as many as the longest turn from the
initial position can have. A negative number n is the constant ``minus_n``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grl.asp.dependencies import dependencies
from grl.asp.layout import filled
from grl.asp.reader import read_statements
from grl.asp.rules import Comment, Comparison, Defined, Literal, Rule
from grl.asp.terms import Function, Number, Term, Variable, substitution
from grl.errors import ModelError
from grl.export.datalog import COMPARISONS, clause, facts
from grl.export.levels import marked, unrolled
from grl.export.program import Program, build
from grl.model import Model

GIVEN = frozenset({"true", "does"})
TARGETS = frozenset({"legal", "next", "terminal", "goal"})
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
    sections = [(title, _items(text, program)) for title, text in program.sections]
    rules = [item for _, items in sections for item in items if isinstance(item, Rule)]
    moving = dependencies(rules).depending(GIVEN)
    known = facts(rule for rule in rules if rule.name not in moving)
    clauses = _simplified(
        {rule: _solved(clause(rule)) for rule in rules if rule.name in moving}, known
    )
    compared = list(_orders(clauses.values(), known))
    used = {_predicate(a) for c in clauses.values() for a in c.body} | set(LISTED)
    lines = []
    title, head = sections[0]
    lines += [f"; {title}", *(_comment(item) for item in head if isinstance(item, Comment)), ""]
    lines += ["; --- What depends on no state", ""]
    lines += filled([kif(atom) for atom in [*known, *compared] if atom.name in used])
    for title, items in sections[1:]:
        body = [
            _comment(item) if isinstance(item, Comment) else _rule(clauses[item])
            for item in items
            if isinstance(item, Comment) or item in clauses
        ]
        if any(line[0] == "(" for line in body):
            lines += ["", f"; --- {title}", "", *body]
    return "\n".join(lines) + "\n"


def _items(text: str, program: Program) -> list[Comment | Rule]:
    """Comments and rules; a section whose rules are unrolled goes without comments."""
    items = [item for item in read_statements(text) if not isinstance(item, Defined)]
    rules = [item for item in items if isinstance(item, Rule)]
    if marked(rules):
        return [*unrolled(rules, program.longest, program.most_changes)]
    return items


def _solved(rule: Rule) -> Rule | None:
    """A clause without equations; None where one has no solution."""
    while True:
        equation = next((a for a in rule.body if _predicate(a) == "equal"), None)
        if equation is None:
            return rule
        left, right = _compared(equation)
        rest = list(rule.body)
        rest.remove(equation)
        rule = Rule(rule.head, tuple(rest))
        if not isinstance(left, Variable):
            left, right = right, left
        if isinstance(left, Variable):
            rule = rule.replaced(substitution({left.name: right}))
        elif left != right:
            return None


def _compared(literal: Literal) -> tuple[Term, Term]:
    """The two sides of a comparison."""
    assert isinstance(literal.atom, Comparison)
    return literal.atom.left, literal.atom.right


def _predicate(literal: Literal) -> str:
    """The predicate of a literal in GDL."""
    if isinstance(literal.atom, Comparison):
        return COMPARISONS[literal.atom.operator]
    assert isinstance(literal.atom, Function)
    return literal.atom.name


def _simplified(clauses: Mapping[Rule, Rule | None], known: Sequence[Function]) -> dict[Rule, Rule]:
    """Without rules that rest on what nothing defines, and without what no target needs."""
    left = {rule: clause for rule, clause in clauses.items() if clause is not None}
    stands = {atom.name for atom in known} | GIVEN | set(COMPARISONS.values())
    while True:
        defined = stands | {clause.name for clause in left.values()}
        kept = {
            rule: Rule(c.head, tuple(a for a in c.body if a.positive or _predicate(a) in defined))
            for rule, c in left.items()
            if all(not a.positive or _predicate(a) in defined for a in c.body)
        }
        if len(kept) == len(left):
            break
        left = kept
    needed = dependencies(kept.values()).below(TARGETS)
    return {rule: clause for rule, clause in kept.items() if clause.name in needed}


def _orders(clauses: Iterable[Rule], known: Sequence[Function]) -> Iterable[Function]:
    """Facts ``less`` for the numbers that clauses compare."""
    numbers = {t.value for atom in known for t in atom.arguments if isinstance(t, Number)}
    pairs: set[tuple[int, int]] = set()
    for each in clauses:
        for literal in each.body:
            if _predicate(literal) == "less":
                low, high = _compared(literal)
                lows = {low.value} if isinstance(low, Number) else numbers
                highs = {high.value} if isinstance(high, Number) else numbers
                pairs |= {(a, b) for a in lows for b in highs if a < b}
    return [Function("less", (Number(a), Number(b))) for a, b in sorted(pairs)]


def kif(term: Term) -> str:
    """A term or atom in KIF."""
    match term:
        case Variable():
            return f"?{term.name.lower()}"
        case Number():
            return str(term.value) if term.value >= 0 else f"minus_{-term.value}"
        case Function(name, arguments) if arguments:
            return f"({name} {' '.join(map(kif, arguments))})"
    return str(term)


def _rule(clause: Rule) -> str:
    assert isinstance(clause.head, Function)
    if not clause.body:
        return kif(clause.head)
    return f"(<= {kif(clause.head)} {' '.join(map(_literal, clause.body))})"


def _literal(literal: Literal) -> str:
    if isinstance(literal.atom, Comparison):
        return kif(Function(_predicate(literal), _compared(literal)))
    assert isinstance(literal.atom, Function)
    return kif(literal.atom) if literal.positive else f"(not {kif(literal.atom)})"


def _comment(comment: Comment) -> str:
    return f";{comment.text.removeprefix('%')}"


def asp_term(text: str) -> str:
    """A term in KIF as one of answer set programs: ``(from c3)`` is ``from(c3)``."""
    stack: list[list[Term]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            name, *arguments = stack.pop()
            stack[-1].append(Function(str(name), tuple(arguments)))
        else:
            digits = token.removeprefix("minus_")
            negative = digits != token and digits.isdigit()
            stack[-1].append(Number(-int(digits)) if negative else Function(token))
    return str(stack[0][0])
