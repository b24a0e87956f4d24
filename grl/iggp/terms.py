"""Terms, literals and rules as values, and their evaluation on many rows at once.

A row is a state with a candidate's arguments; variables 0, 1, … stand for those arguments, and
each generator of a rule adds the variables that it leaves open. Terms are determinate: an `Apply`
is the argument that others determine in a relation, a `Count` the number of matching facts, a
`Between` that of facts strictly between two values of an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from grl.iggp.tables import UNDEFINED, Bools, Ints, unique_rows
from grl.iggp.world import Positions, Relation, World

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Var:
    index: int


@dataclass(frozen=True, slots=True)
class Const:
    code: int


@dataclass(frozen=True, slots=True)
class Apply:
    """The argument at `output` of the fact of `relation` with `arguments` at `positions`."""

    relation: Key
    positions: Positions
    output: int
    arguments: tuple[Term, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_hash", hash((self.relation, self.positions, self.output, self.arguments))
        )

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Count:
    """The number of facts of `relation` with `arguments` at `positions`."""

    relation: Key
    positions: Positions
    arguments: tuple[Term, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.relation, self.positions, self.arguments)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Between:
    """The number of values at `output` that lie between `low` and `high`, in either direction."""

    relation: Key
    positions: Positions
    arguments: tuple[Term, ...]
    output: int
    order: Key
    low: Term
    high: Term


Term: TypeAlias = Var | Const | Apply | Count | Between


@dataclass(frozen=True, slots=True)
class Equal:
    """Both terms are defined, and equal (or, where not `positive`, different)."""

    left: Term
    right: Term
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Holds:
    """All arguments are defined, and some (or no) fact has them at `positions`."""

    relation: Key
    positions: Positions
    arguments: tuple[Term, ...]
    positive: bool = True


Literal: TypeAlias = Equal | Holds


@dataclass(frozen=True, slots=True)
class Generator:
    """Facts of `relation` with `arguments` at `positions`; the other positions become variables."""

    relation: Key
    positions: Positions
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A body over the target's arguments: generators first, then literals."""

    generators: tuple[Generator, ...]
    literals: tuple[Literal, ...]


def parts(term: Term) -> tuple[Term, ...]:
    """The terms directly inside a term."""
    if isinstance(term, Apply | Count):
        return term.arguments
    if isinstance(term, Between):
        return (*term.arguments, term.low, term.high)
    return ()


def terms_of(literal: Literal) -> tuple[Term, ...]:
    """The terms directly inside a literal."""
    if isinstance(literal, Equal):
        return literal.left, literal.right
    return literal.arguments


def subterms(terms: Iterable[Term]) -> Iterator[Term]:
    """These terms and all terms inside them, each once; the last ones first."""
    seen: set[Term] = set()
    left = list(terms)
    while left:
        term = left.pop()
        if term not in seen:
            seen.add(term)
            left.extend(parts(term))
            yield term


def variables(literal: Literal) -> set[int]:
    """The indices of the variables anywhere in a literal."""
    return {term.index for term in subterms(terms_of(literal)) if isinstance(term, Var)}


def shifted(rule: Rule, by: int) -> Rule:
    """The rule with every variable's index raised."""

    def term(old: Term) -> Term:
        if isinstance(old, Var):
            return Var(old.index + by)
        if isinstance(old, Const):
            return old
        arguments = tuple(term(argument) for argument in old.arguments)
        if isinstance(old, Between):
            return replace(old, arguments=arguments, low=term(old.low), high=term(old.high))
        return replace(old, arguments=arguments)

    def literal(old: Literal) -> Literal:
        if isinstance(old, Equal):
            return Equal(term(old.left), term(old.right), old.positive)
        return replace(old, arguments=tuple(term(argument) for argument in old.arguments))

    generators = tuple(
        replace(g, arguments=tuple(term(argument) for argument in g.arguments))
        for g in rule.generators
    )
    return Rule(generators, tuple(literal(old) for old in rule.literals))


class Frame:
    """Rows of states and variables; terms and literals are evaluated once and kept."""

    def __init__(self, world: World, states: Ints, columns: Sequence[Ints]) -> None:
        self.world = world
        self.states = states
        self.columns = list(columns)
        self._values: dict[Term, Ints] = {}
        self._placed: dict[tuple[Key, int, Term], Ints] = {}
        self._known: dict[Term, Bools | None] = {}

    def placed(self, relation: Relation, positions: Positions, terms: Sequence[Term]) -> list[Ints]:
        """The values of terms as places in the domains of these positions."""
        return [
            self._place(relation, position, term)
            for position, term in zip(positions, terms, strict=True)
        ]

    def _place(self, relation: Relation, position: int, term: Term) -> Ints:
        key = (relation.name, relation.arity), position, term
        if key not in self._placed:
            self._placed[key] = relation.places(position).place(self.value(term))
        return self._placed[key]

    def value(self, term: Term) -> Ints:
        """The code of the term's value in each row, or `UNDEFINED`."""
        if isinstance(term, Var):
            return self.columns[term.index]
        if term not in self._values:
            self._values[term] = self._compute(term)
        return self._values[term]

    def _compute(self, term: Term) -> Ints:
        if isinstance(term, Const):
            return np.full(len(self.states), term.code, dtype=np.int64)
        assert not isinstance(term, Var)
        relation = self.world.relations[term.relation]
        arguments = self.placed(relation, term.positions, term.arguments)
        if isinstance(term, Apply):
            return relation.determined(term.positions, term.output, self.states, arguments)
        numbers = self.world.vocabulary.numbers
        defined = np.ones(len(self.states), dtype=bool)
        for argument in term.arguments:
            defined &= self.value(argument) >= 0
        if isinstance(term, Count):
            found = relation.number(term.positions, self.states, arguments)
        else:
            low, high = self.value(term.low), self.value(term.high)
            defined &= (low >= 0) & (high >= 0)
            order = self.world.relations[term.order]
            asker, others = relation.join(term.positions, self.states, arguments)
            open_ = [i for i in range(relation.arity) if i not in term.positions]
            inner = others[open_.index(term.output)]
            none = np.zeros(len(asker), dtype=np.int64)
            inside = np.zeros(len(asker), dtype=bool)
            before, behind = (order.places(i).place for i in (0, 1))
            for a, b in ((low, high), (high, low)):
                inside |= order.contains(
                    (0, 1), none, [before(a[asker]), behind(inner)]
                ) & order.contains((0, 1), none, [before(inner), behind(b[asker])])
            chosen = unique_rows(np.stack([asker[inside], inner[inside]], axis=1))[:, 0]
            found = np.bincount(chosen, minlength=len(self.states))
        known = defined & (found < len(numbers))
        return np.where(known, numbers[np.minimum(found, len(numbers) - 1)], UNDEFINED)

    def holds(self, literal: Literal) -> Bools:
        """Whether the literal is true, in each row."""
        return self.both(literal)[0 if literal.positive else 1]

    def both(self, literal: Literal) -> tuple[Bools, Bools]:
        """The truth of the positive literal and of the negative one, in each row.

        Both are false where a term is undefined.
        """
        found, other = self.truths([literal])
        return found[0], other[0]

    def truths(self, literals: Sequence[Literal]) -> tuple[Bools, Bools]:
        """The same for many literals at once, a row a literal."""
        found = np.empty((len(literals), len(self.states)), dtype=bool)
        alike: dict[tuple[Key, Positions] | None, list[int]] = {}
        for number, literal in enumerate(literals):
            kind = (literal.relation, literal.positions) if isinstance(literal, Holds) else None
            alike.setdefault(kind, []).append(number)
        for kind, numbers in alike.items():
            pairs = zip(*(terms_of(literals[number]) for number in numbers), strict=True)
            if kind is None:
                left, right = (np.stack([self.value(term) for term in terms]) for terms in pairs)
                found[numbers] = (left == right) & (left >= 0)
            else:
                relation = self.world.relations[kind[0]]
                arguments = [
                    np.stack([self._place(relation, at, term) for term in terms])
                    for at, terms in zip(kind[1], pairs, strict=True)
                ]
                found[numbers] = relation.contains(kind[1], self.states, arguments)
        other = ~found
        defined = self._known
        for number, literal in enumerate(literals):
            for term in terms_of(literal):
                known = defined[term] if term in defined else self._defined(term)
                if known is not None:
                    other[number] &= known
        return found, other

    def _defined(self, term: Term) -> Bools | None:
        """Where a term has a value; None where it has one everywhere."""
        if term not in self._known:
            known = self.value(term) >= 0
            self._known[term] = None if known.all() else known
        return self._known[term]

    def where(self, keep: Bools) -> Frame:
        """The rows to keep, as a new frame."""
        return Frame(self.world, self.states[keep], [column[keep] for column in self.columns])

    def expand(self, generator: Generator) -> tuple[Frame, Ints]:
        """A row for each fact that the generator finds, and the row that each came from."""
        relation = self.world.relations[generator.relation]
        arguments = self.placed(relation, generator.positions, generator.arguments)
        origin, others = relation.join(generator.positions, self.states, arguments)
        columns = [*(column[origin] for column in self.columns), *others]
        return Frame(self.world, self.states[origin], columns), origin


_ROWS_AT_ONCE = 1 << 18


def covered(world: World, rule: Rule, states: Ints, columns: Sequence[Ints]) -> Bools:
    """Which rows the body of a rule covers."""
    result = np.zeros(len(states), dtype=bool)
    head = len(columns)
    early = [literal for literal in rule.literals if max(variables(literal), default=-1) < head]
    late = [literal for literal in rule.literals if literal not in early]
    for begin in range(0, len(states), _ROWS_AT_ONCE):
        here = slice(begin, begin + _ROWS_AT_ONCE)
        frame = Frame(world, states[here], [column[here] for column in columns])
        rows = np.arange(begin, begin + len(frame.states))
        frame, rows = _filter(frame, rows, early)
        if not rule.generators:
            result[rows] = True
            continue
        step = max(1, _ROWS_AT_ONCE // 16)
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            some = Frame(world, frame.states[part], [column[part] for column in frame.columns])
            some_rows = rows[part]
            for generator in rule.generators:
                some, origin = some.expand(generator)
                some_rows = some_rows[origin]
            _, some_rows = _filter(some, some_rows, late)
            result[some_rows] = True
    return result


def _filter(frame: Frame, rows: Ints, literals: Sequence[Literal]) -> tuple[Frame, Ints]:
    for literal in literals:
        keep = frame.holds(literal)
        if not keep.all():
            frame, rows = frame.where(keep), rows[keep]
        if not len(rows):
            break
    return frame, rows
