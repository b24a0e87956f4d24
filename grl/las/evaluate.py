"""Values of terms, and patterns matched against atoms.

As in clingo's grounder, an arithmetic term over something that is no integer has no value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import clingo

from grl.las.observed import World
from grl.las.terms import (
    Anonymous,
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
    slots, line = _solved(pattern)
    if not slots:
        return () if value(pattern, iter(())) == symbol else None
    if line is None or slots != 1 or symbol.type != clingo.SymbolType.Number:
        return None
    factor, _, offset = line
    quotient, rest = divmod(symbol.number - offset, factor)
    return None if rest or quotient != wrapped(quotient) else (clingo.Number(quotient),)


@lru_cache(maxsize=4096)
def _solved(pattern: Term) -> tuple[int, tuple[int, int, int] | None]:
    """How many open places a term has, and the term as a line where it has one."""
    number = sum(isinstance(leaf, Slot) for leaf in leaves(pattern))
    opened = map_leaves(pattern, lambda leaf: Variable(1) if isinstance(leaf, Slot) else leaf)
    return number, linear(opened) if number else None


@lru_cache(maxsize=4096)
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


def candidates(term: Function, here: World) -> Sequence[clingo.Symbol]:
    """The atoms of a world that have the predicate of `term`."""
    negative = term.name.startswith("-")
    name = term.name[1:] if negative else term.name
    return here.atoms.get((name, len(term.args), not negative), ())
