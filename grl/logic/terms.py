"""Terms of the language of rules: an operator and its arguments, hash-consed and typed.

A term denotes, for every row (a position, or a turn with a board that goes with it), a set of
squares. Some terms are *directed*: they denote a set for each of eight directions, and an operator
such as `some_way` joins these. Some speak of the squares *of the turn*; the others denote the same
for all turns of a board. An `Operator` holds everything that is known of it: what it takes, what it
costs in the search, how it is evaluated on columns (`grl.logic.rows`), how it is phrased
(`grl.logic.english`), how it is defined in ASP (`grl.logic.asp`) and computed in C
(`grl.logic.code`). Operators stand in `grl.logic.ops`, and nothing else has to know them.

As data a term is nested: the operator's name, then arguments, ``("near", "orthogonal", ("square",
"end1"))``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from grl.board import Equipment
from grl.errors import ModelError
from grl.limits import MAX_TERM_DEPTH
from grl.logic.contents import content_turned, contents_of, is_content, names_type
from grl.logic.geometry import ZONES
from grl.sowing import FIELDS

LARGEST = 200
"""Operators of a term, however often they occur."""
MOST_SEGMENTS = 9
"""Squares of no later segment have a name."""
FARTHEST = 99
"""Numbers in terms are at most as large as that."""


class Sort(Enum):
    """What stands in an argument's place: a term's set of squares, a word, or a number."""

    SQUARES = "squares"
    CONTENT = "content"
    """What lies on a square, as the mover sees it: see `grl.logic.contents`."""
    NEARNESS = "nearness"
    """A kind of adjacency, as in `grl.logic.geometry`."""
    WAYS = "ways"
    """Some of the directions."""
    ZONE = "zone"
    """A part of the board that its shape gives, as in `grl.logic.geometry`."""
    ROLE = "role"
    """A square of the turn: where its segments start and end, where a piece appears or goes."""
    LAST = "last role"
    """A square of an earlier turn."""
    BACK = "plies back"
    """How many plies ago: 1 is the last turn; OWN the last one of the player who looks."""
    SCALE = "scale"
    """What squares are numbered by: files, ranks, colours, of which 1 is that of a1, 2 the other,
    or wings, files by how far they are from the middle, where they are 1."""
    VIEW = "view"
    """Displacements as the board has them, or as the mover sees them."""
    SIDE = "side"
    """A side of the board, as it is drawn."""
    RELATION = "relation"
    """``=`` or ``<``."""
    SEAT = "seat"
    """Players in turn order, the mover being 0."""
    LEVEL = "level"
    """Which turns of a player are meant: all pseudo-legal ones, or those that some restrictions
    leave."""
    NUMBER = "number"
    FIELD = "field"
    """Squares that belong to a player, as in `grl.sowing`."""
    TABLE = "table"
    """Pairs of contents, in order."""
    CELLS = "cells"
    """Contents by file and rank, of squares or of displacements, in order."""
    PLACES = "places"
    """Files and ranks, in order."""


Table = tuple[tuple[str, str], ...]
Cells = tuple[tuple[int, int, str], ...]
Places = tuple[tuple[int, int], ...]
LISTED: Mapping[Sort, tuple[type, ...]] = {
    Sort.TABLE: (str, str),
    Sort.CELLS: (int, int, str),
    Sort.PLACES: (int, int),
}
"""Sorts of which a value lists rows, and what stands in a row: numbers, or contents."""
MOST_LISTED = 1_000


WAYS = ("orthogonal", "diagonal", "around", "rank", "file", "rising", "falling", "onward")
"""Directions: along ranks and files, diagonals, all eight, ranks alone, files alone, along ranks,
files and one of the two diagonals, as on hexagons, or from a turn's start to its end."""
ROLES = (
    *(f"{end}{number}" for number in range(1, MOST_SEGMENTS + 1) for end in ("start", "end")),
    *("drop", "taken", "captured"),
)
DIAGONALS = ("rising", "falling")
"""Lines of squares whose file less the rank, or both together, are the same."""
SCALES = ("rank", "file", *DIAGONALS, "colour", "wing")
RELATIONS = ("=", "<")
LEVELS = (0, 1)
LAST_ROLES = ("start1", "end1")
OWN = 0
BACK = range(OWN, 9)
VIEWS = ("board", "seen")
SIDES = ("left", "right", "above", "below")


class Direction(Enum):
    """Whether an operator's value depends on a direction."""

    NONE = "none"
    """It doesn't, whatever the arguments do."""
    ALWAYS = "always"
    AS_ARGUMENTS = "as arguments"


@dataclass(frozen=True)
class Operator:
    """One operator, with all that is known of it.

    `evaluate` gets the rows and the arguments' values, `noun`, `clause` and `states` the arguments,
    `rules` a writer (`grl.logic.asp.Writer`), the head and the arguments as atoms, `code` a body
    (`grl.logic.code.Body`) and the arguments as C expressions. A clause is what squares do that
    belong to the set, and what others do; `states` says it of a single square.
    """

    name: str
    takes: tuple[Sort, ...]
    evaluate: Callable[..., Any]
    rules: Callable[..., str]
    code: Callable[..., str]
    noun: Callable[..., str] | None = None
    """Where it is left out a set is the squares of its clause."""
    price: float = 1.0
    direction: Direction = Direction.AS_ARGUMENTS
    of_turn: bool = False
    """Whether it speaks of the turn itself."""
    of_past: bool = False
    """Whether it asks for the game before the position."""
    seen: bool = False
    """Whether it depends on how a player sees the board, also with other words than ``seen``."""
    counts: bool = False
    """Whether it asks for what contents count, or the ways along which that is sown."""
    asks: bool = False
    """Whether it asks for the turns that players would have."""
    clause: Callable[..., tuple[str, str]] | None = None
    states: Callable[..., tuple[str, str]] | None = None
    present: Callable[..., tuple[str, str]] | None = None
    """What is said where there is any square, and where there is none, if not as of others."""
    does: Callable[..., tuple[str, str]] | None = None
    """Of a set that some player could do something to: that it could, or could not, before what it
    does so to, of which the content is given, or an empty word."""
    meets: Callable[..., str | None] | None = None
    """As `code`, whether any square of another set, given as an expression, belongs to it; None
    where the set is looked at."""
    some: Callable[..., str | None] | None = None
    """As `code`, an expression for whether there is any square; None where the set is looked at."""
    point: Callable[..., Any] | None = None
    """As `evaluate`, for sets of one square or none: the square by row, -1 for none. It is used
    where the arguments that are terms are points as well."""


class Term:
    """An operator and its arguments; two equal terms are one object. Made by `make`."""

    __slots__ = (
        "arguments",
        "by_row",
        "data",
        "depth",
        "directed",
        "leveled",
        "of_turn",
        "operator",
        "order",
        "point",
        "price",
        "size",
    )

    operator: Operator
    arguments: tuple[Argument, ...]
    data: tuple[Any, ...]
    """The term as nested tuples of words."""
    depth: int
    by_row: bool
    """Whether its value belongs to a turn; else all turns on a board share it."""
    directed: bool
    leveled: bool
    """Whether it asks for the turns that restrictions leave."""
    of_turn: bool
    order: tuple[float, int, str]
    """Cheap terms come first, of equal ones the small ones, and then as they are spelled."""
    point: bool
    price: float
    size: int

    @property
    def seen(self) -> bool:
        """Whether the operator, with these words, depends on how a player sees the board."""
        return self.operator.seen or "seen" in self.arguments

    def __str__(self) -> str:
        return self.order[2]

    def __repr__(self) -> str:
        return f"<{self}>"

    def __lt__(self, other: Term) -> bool:
        return self.order < other.order

    def terms(self) -> Iterator[Term]:
        """The term and all in it, arguments first, each once."""
        seen: dict[Term, None] = {}
        stack: list[tuple[Term, bool]] = [(self, False)]
        while stack:
            term, entered = stack.pop()
            if term in seen:
                continue
            if entered:
                seen[term] = None
                continue
            stack.append((term, True))
            stack += [(a, False) for a in reversed(term.arguments) if isinstance(a, Term)]
        yield from seen


def literals_of(term: Term, holds: bool = True) -> Iterator[tuple[Term, bool]]:
    """The sets of which a term is the intersection, or what is left of one, as to hold or not."""
    name = term.operator.name
    if holds and name in ("both", "without"):
        one, other = (a for a in term.arguments if isinstance(a, Term))
        yield from literals_of(one)
        yield from literals_of(other, name == "both")
    else:
        yield term, holds


def parts_of(term: Term) -> Iterator[Term]:
    """The sets of which a term is the union."""
    if term.operator.name == "either":
        for each in term.arguments:
            assert isinstance(each, Term)
            yield from parts_of(each)
    else:
        yield term


def replaced(term: Term, part: Term, by: Term) -> Term:
    """A term with another one wherever a part stands in it.

    Raises `ModelError` where it is too large.
    """
    if term is part:
        return by
    inner = (replaced(a, part, by) if isinstance(a, Term) else a for a in term.arguments)
    return make(term.operator, *inner)


Argument = Term | str | int | tuple[tuple[Any, ...], ...]
_KNOWN: dict[tuple[object, ...], Term] = {}


def make(operator: Operator, *arguments: Argument) -> Term:
    """The term; raises `ModelError` for arguments that the operator doesn't take."""
    key = (operator.name, *arguments)
    found = _KNOWN.get(key)
    if found is not None:
        return found
    if len(arguments) != len(operator.takes):
        raise _wrong(operator, f"{len(arguments)} arguments", f"{len(operator.takes)}")
    for sort, argument in zip(operator.takes, arguments, strict=True):
        if isinstance(argument, Term) != (sort is Sort.SQUARES):
            raise _wrong(operator, repr(argument)[:60], f"an argument of the sort {sort.value}")
        if sort in FIXED and argument not in FIXED[sort]:
            raise _wrong(operator, repr(argument)[:60], ", ".join(map(str, FIXED[sort])))
    inner = [argument for argument in arguments if isinstance(argument, Term)]
    size = 1 + sum(term.size for term in inner)
    if size > LARGEST:
        raise _wrong(operator, f"{size} operators", f"at most {LARGEST}")
    depth = 1 + max((term.depth for term in inner), default=0)
    if depth > MAX_TERM_DEPTH:
        raise _wrong(operator, f"{depth} levels", f"at most {MAX_TERM_DEPTH}")
    term = Term()
    term.operator, term.arguments, term.size, term.depth = operator, arguments, size, depth
    term.data = (operator.name, *(a.data if isinstance(a, Term) else a for a in arguments))
    term.price = operator.price + sum(term.price for term in inner)
    term.price += sum(
        0.5
        for sort, argument in zip(operator.takes, arguments, strict=True)
        if sort is Sort.CONTENT and names_type(str(argument))
    )
    term.price += sum(len(each) for each in arguments if isinstance(each, tuple))
    term.directed = operator.direction is Direction.ALWAYS or (
        operator.direction is Direction.AS_ARGUMENTS and any(each.directed for each in inner)
    )
    term.leveled = (operator.asks and arguments[-1] != 0) or any(each.leveled for each in inner)
    term.of_turn = operator.of_turn or "onward" in arguments or any(each.of_turn for each in inner)
    term.point = operator.point is not None and all(each.point for each in inner)
    term.by_row = term.of_turn or term.point or any(each.by_row for each in inner)
    words = ", ".join(map(str, arguments))
    term.order = (term.price, size, f"{operator.name}({words})" if words else operator.name)
    _KNOWN[key] = term
    return term


def _wrong(operator: Operator, found: str, expected: str) -> ModelError:
    return ModelError(f"{operator.name} can't be formed", found=found, expected=expected)


def read_term(
    data: object,
    operators: Mapping[str, Operator],
    equipment: Equipment,
    depth: int = MAX_TERM_DEPTH,
) -> Term:
    """The term that nested lists or tuples stand for.

    Raises `ModelError` for operators that there are not, other arguments, words that mean nothing
    with this equipment, and terms that are too deep or too large.
    """
    if not isinstance(data, list | tuple) or not data:
        raise ModelError("not a term", found=repr(data)[:60], expected="a list")
    if depth == 0:
        raise ModelError("a term is too deep", expected=f"at most {MAX_TERM_DEPTH} levels")
    name, *rest = data
    operator = operators.get(name) if isinstance(name, str) else None
    if operator is None:
        names = ", ".join(sorted(operators))
        raise ModelError("there is no such operator", found=repr(name)[:60], expected=names)
    if operator.counts and equipment.sowing is None:
        raise ModelError(f"{name} can't be formed", expected="a model in which contents count")
    arguments: list[Argument] = []
    for sort, part in zip(operator.takes, rest, strict=False):
        if sort is Sort.SQUARES:
            arguments.append(read_term(part, operators, equipment, depth - 1))
            continue
        if sort in LISTED:
            arguments.append(_read_rows(operator, sort, part, equipment))
            continue
        if isinstance(part, bool) or not isinstance(part, str | int):
            known = False
        elif sort is Sort.CONTENT:
            known = is_content(equipment, str(part))
        else:
            known = part in words_of(sort, equipment)
        if not known:
            allowed = words_of(sort, equipment)
            words = ", ".join(map(str, allowed if len(allowed) < FARTHEST else ["a number"]))
            raise _wrong(operator, repr(part)[:60], f"one of {words}")
        arguments.append(part)
    if len(rest) != len(operator.takes):
        raise _wrong(operator, f"{len(rest)} arguments", f"{len(operator.takes)}")
    return make(operator, *arguments)


def _read_rows(
    operator: Operator, sort: Sort, data: object, equipment: Equipment
) -> tuple[tuple[Any, ...], ...]:
    """What nested lists or tuples list, in order, each row once."""

    def fits(value: object, kind: type) -> bool:
        known: object = type(value) is int and abs(value) <= FARTHEST
        if kind is str:
            known = isinstance(value, str) and is_content(equipment, value)
        return bool(known)

    listed = list(data) if isinstance(data, list | tuple) else []
    rows = {tuple(row) if isinstance(row, list | tuple) else (row,) for row in listed}
    takes = LISTED[sort]
    if not 0 < len(listed) <= MOST_LISTED or not all(
        len(row) == len(takes) and all(map(fits, row, takes)) for row in rows
    ):
        contents = ", ".join(contents_of(equipment))
        expected = (
            f"1 to {MOST_LISTED} of {sort.value}, with numbers up to {FARTHEST} and {contents}"
        )
        raise _wrong(operator, repr(data)[:60], expected)
    return tuple(sorted(rows))


FIXED: Mapping[Sort, Sequence[str | int]] = {
    Sort.WAYS: WAYS,
    Sort.ZONE: ZONES,
    Sort.ROLE: ROLES,
    Sort.LAST: LAST_ROLES,
    Sort.BACK: BACK,
    Sort.SCALE: SCALES,
    Sort.VIEW: VIEWS,
    Sort.SIDE: SIDES,
    Sort.RELATION: RELATIONS,
    Sort.LEVEL: LEVELS,
    Sort.FIELD: FIELDS,
    Sort.NUMBER: range(-FARTHEST, FARTHEST + 1),
}
"""The words of a sort, where they are the same in every game."""


def words_of(sort: Sort, equipment: Equipment) -> Sequence[str | int]:
    """The words of a sort that mean something with these pieces and this board."""
    if sort in FIXED:
        return FIXED[sort]
    if sort is Sort.SEAT:
        return range(len(equipment.players))
    if sort is Sort.NEARNESS:
        links = () if equipment.board.links is None else ("links",)
        return ("orthogonal", "around", "rising", "falling", *links)
    return [*contents_of(equipment), *(f"={key}" for key in sorted(equipment.pieces))]


def turned(term: Term, by: int, players: int) -> Term | None:
    """A term that says of the player `by` places later what this one says of the mover.

    None where it depends on who moves in another way: on how the mover sees displacements.
    """
    arguments: list[Argument] = []
    for sort, argument in zip(term.operator.takes, term.arguments, strict=True):
        if isinstance(argument, Term):
            inner = turned(argument, by, players)
            if inner is None:
                return None
            arguments.append(inner)
        elif isinstance(argument, tuple):
            rows = [
                tuple(content_turned(x, by, players) if isinstance(x, str) else x for x in row)
                for row in argument
            ]
            if any(each is None for row in rows for each in row):
                return None
            arguments.append(tuple(sorted(rows)))
        elif sort is Sort.CONTENT:
            later = content_turned(str(argument), by, players)
            if later is None:
                return None
            arguments.append(later)
        elif sort is Sort.SEAT:
            arguments.append((int(str(argument)) + by) % players)
        elif argument == "seen":
            return None
        else:
            arguments.append(argument)
    return make(term.operator, *arguments)
