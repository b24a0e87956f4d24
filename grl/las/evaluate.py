"""Truth of literals in worlds: values of terms, patterns matched against atoms.

As in clingo's grounder, an arithmetic term over something that is no integer has no value, and a
literal without a value holds neither plain nor negated.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

import clingo
import numpy as np
import numpy.typing as npt

from grl.las.observed import World
from grl.las.terms import (
    Aggregate,
    Anonymous,
    Atom,
    Comparison,
    Constant,
    Function,
    Operation,
    Slot,
    Term,
    Variable,
    leaves,
    linear,
    map_leaves,
)

Truth = npt.NDArray[np.bool_]
Domains = Mapping[str, Sequence[clingo.Symbol]]

RELATIONS: Mapping[str, Callable[[clingo.Symbol, clingo.Symbol], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


@lru_cache(maxsize=65536)
def constant(text: str) -> clingo.Symbol:
    """The symbol that a constant stands for."""
    return clingo.parse_term(text)


def match(pattern: Term, symbol: clingo.Symbol) -> tuple[clingo.Symbol, ...] | None:
    """The values of the slots of `pattern`, left to right, with which it is `symbol`."""
    if isinstance(pattern, Slot):
        return (symbol,)
    if isinstance(pattern, Anonymous):
        return ()
    if isinstance(pattern, Constant):
        return () if constant(pattern.text) == symbol else None
    if isinstance(pattern, Function):
        return _match_function(pattern, symbol)
    return _match_linear(pattern, symbol)


def _match_function(pattern: Function, symbol: clingo.Symbol) -> tuple[clingo.Symbol, ...] | None:
    if symbol.type != clingo.SymbolType.Function:
        return None
    name = symbol.name if symbol.positive else f"-{symbol.name}"
    if name != pattern.name or len(symbol.arguments) != len(pattern.args):
        return None
    found: tuple[clingo.Symbol, ...] = ()
    for part, argument in zip(pattern.args, symbol.arguments, strict=True):
        more = match(part, argument)
        if more is None:
            return None
        found += more
    return found


def _match_linear(pattern: Term, symbol: clingo.Symbol) -> tuple[clingo.Symbol, ...] | None:
    slots = [leaf for leaf in leaves(pattern) if isinstance(leaf, Slot)]
    if not slots:
        return () if value(pattern, iter(())) == symbol else None
    line = linear(map_leaves(pattern, lambda leaf: Variable(1) if isinstance(leaf, Slot) else leaf))
    if line is None or len(slots) != 1 or symbol.type != clingo.SymbolType.Number:
        return None
    factor, _, offset = line
    quotient, rest = divmod(symbol.number - offset, factor)
    return None if rest or quotient != wrapped(quotient) else (clingo.Number(quotient),)


def invertible(term: Term) -> bool:
    """Whether `match` finds the values of all slots."""
    if isinstance(term, Function):
        return all(map(invertible, term.args))
    if not isinstance(term, Operation):
        return True
    slots = [leaf for leaf in leaves(term) if isinstance(leaf, Slot)]
    renamed = map_leaves(term, lambda leaf: Variable(1) if isinstance(leaf, Slot) else leaf)
    return not slots or (len(slots) == 1 and linear(renamed) is not None)


def value(term: Term, values: Iterator[clingo.Symbol]) -> clingo.Symbol | None:
    """The value of a term, its slots taken from `values`; None where it has none."""
    if isinstance(term, Slot):
        return next(values)
    if isinstance(term, Constant):
        return constant(term.text)
    if isinstance(term, Function):
        parts = [value(part, values) for part in term.args]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if term.name.startswith("-"):
            return clingo.Function(term.name[1:], known, False)
        return clingo.Function(term.name, known)
    assert isinstance(term, Operation)
    operands = [value(part, values) for part in term.args]
    if any(one is None or one.type != clingo.SymbolType.Number for one in operands):
        return None
    result = arithmetic(term.op, [one.number for one in operands if one is not None])
    return None if result is None else clingo.Number(result)


def arithmetic(op: str, args: Sequence[int]) -> int | None:
    """clingo's integer arithmetic: division truncates, and what exceeds 32 bits is cut off."""
    if len(args) == 1:
        return wrapped({"-": -args[0], "|": abs(args[0]), "~": ~args[0]}[op])
    a, b = args
    if op in ("/", "\\"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrapped(quotient if op == "/" else a - b * quotient)
    if op == "**":
        return wrapped(pow(a, b, 1 << 32)) if b >= 0 else (0 if abs(a) > 1 else None)
    simple: Mapping[str, Callable[[int, int], int]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "&": operator.and_,
        "?": operator.or_,
        "^": operator.xor,
    }
    return wrapped(simple[op](a, b))


def wrapped(number: int) -> int:
    """The last 32 bits of a number, as clingo keeps them."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def truth(
    literal: Atom | Comparison | Aggregate,
    types: Sequence[str],
    here: World,
    domains: Domains,
    places: Mapping[str, Mapping[clingo.Symbol, int]],
    matched: Sequence[tuple[clingo.Symbol, ...]],
) -> Truth:
    """Where a literal with slots of `types` holds: an array with an axis for each slot.

    `matched` are the `matches` of its atom.
    """
    if isinstance(literal, Atom) and not literal.term.args:
        return np.array(bool(matched) != literal.negated)
    shape = tuple(len(domains[kind]) for kind in types)
    if isinstance(literal, Comparison):
        return _compared(literal, types, domains, shape)
    assert isinstance(literal, Atom)
    holds = np.zeros(shape, dtype=np.bool_)
    if invertible(literal.term):
        for found in matched:
            put = [places[kind].get(one, -1) for kind, one in zip(types, found, strict=True)]
            if -1 not in put:
                holds[tuple(put)] = True
    else:
        for at, values in _all(types, domains):
            holds[at] = _anywhere(literal.term, values, here)
    return (~holds & _defined(literal.term, types, domains, shape)) if literal.negated else holds


def matches(term: Function, here: World) -> list[tuple[clingo.Symbol, ...]]:
    """The values of the slots of a pattern for each atom of a world that it fits."""
    if not term.args:
        return [()] if candidates(term, here) else []
    found = (match(term, symbol) for symbol in candidates(term, here))
    return [values for values in found if values is not None]


def candidates(term: Function, here: World) -> Sequence[clingo.Symbol]:
    """The atoms of a world that have the predicate of `term`."""
    negative = term.name.startswith("-")
    name = term.name[1:] if negative else term.name
    return here.atoms.get((name, len(term.args), not negative), ())


def _all(
    types: Sequence[str], domains: Domains
) -> Iterator[tuple[tuple[int, ...], tuple[clingo.Symbol, ...]]]:
    spans = [range(len(domains[kind])) for kind in types]
    for at in product(*spans):
        yield at, tuple(domains[kind][n] for kind, n in zip(types, at, strict=True))


def _anywhere(term: Function, values: Sequence[clingo.Symbol], here: World) -> bool:
    """Whether an atom fits a pattern whose slots are filled, ``_`` fitting anything."""
    rest = iter(values)

    def fill(leaf: Term) -> Term:
        return Constant(str(next(rest))) if isinstance(leaf, Slot) else leaf

    filled = map_leaves(term, fill)
    return any(match(filled, symbol) is not None for symbol in candidates(term, here))


def _defined(term: Term, types: Sequence[str], domains: Domains, shape: tuple[int, ...]) -> Truth:
    """Where no slot inside arithmetic has a value that is no integer."""
    defined = np.ones(shape, dtype=np.bool_)
    axis = 0

    def walk(part: Term, inside: bool) -> None:
        nonlocal axis
        if isinstance(part, Slot):
            if inside:
                whole = [one.type == clingo.SymbolType.Number for one in domains[types[axis]]]
                view = [1] * len(types)
                view[axis] = len(whole)
                np.logical_and(defined, np.array(whole, dtype=np.bool_).reshape(view), out=defined)
            axis += 1
        elif isinstance(part, Function | Operation):
            for one in part.args:
                walk(one, inside or isinstance(part, Operation))

    walk(term, False)
    return defined


def _compared(
    literal: Comparison, types: Sequence[str], domains: Domains, shape: tuple[int, ...]
) -> Truth:
    holds = np.zeros(shape, dtype=np.bool_)
    relation = RELATIONS[literal.op]
    for at, values in _all(types, domains):
        rest = iter(values)
        left = value(literal.left, rest)
        right = value(literal.right, rest)
        holds[at] = left is not None and right is not None and relation(left, right)
    return holds
