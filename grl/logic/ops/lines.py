"""Straight lines: what is ahead and behind in a direction, and what holds in some direction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import groupby

import numpy as np

from grl.logic.asp import NAMES, Atom, Writer
from grl.logic.code import Body, Value
from grl.logic.english import LINES, Speech, counted
from grl.logic.geometry import AXES
from grl.logic.grid import axes_of
from grl.logic.ops.places import LIES
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.rows import Rows, Values
from grl.logic.terms import Direction, Operator, Sort, Term, make

SQUARES = Sort.SQUARES


def _next(name: str, words: str, given: str, found: str) -> Operator:
    """The squares one step from some: in ASP that is from S to T."""
    return Operator(
        name,
        (SQUARES,),
        evaluate=lambda rows, squares: getattr(rows, name)(squares),
        noun=lambda say, squares: f"squares one step {words} {say.noun(squares)}",
        rules=lambda asp, head, squares: (
            f"{head(found)} :- {squares(given)}, {asp.world.line()}(D,S,T)."
        ),
        code=lambda c, squares: f"{c.way(name)}(d, {squares})",
        direction=Direction.ALWAYS,
    )


AHEAD = _next("ahead", "ahead of", "S", "T")
BEHIND = _next("behind", "short of", "T", "S")


def _brink(rows: Rows) -> Values:
    board = rows.grid.geometry.board
    last = rows.grid.ahead == rows.grid.size
    last[:, list(board.holes)] = False
    found: Values = last[None]
    return found


BRINK = Operator(
    "brink",
    (),
    evaluate=_brink,
    noun=lambda say: "squares at the edge",
    rules=lambda asp, head: f"{head('S')} :- {asp.world.given(head.row)}, {asp.brink()}(D,S).",
    code=lambda c: f"{c.code.sets(c.code.brinks())}[d]",
    direction=Direction.ALWAYS,
)

brink = make(BRINK)


def _unbroken(name: str, step: Operator, words: str, given: str, found: str) -> Operator:
    """What steps lead to without a gap."""
    return Operator(
        name,
        (SQUARES, SQUARES),
        evaluate=lambda rows, seeds, within: rows.closed(seeds, within, getattr(rows, step.name)),
        noun=lambda say, seeds, within: (
            f"unbroken lines of {say.noun(within)} {words} {say.noun(seeds)}"
        ),
        rules=lambda asp, head, seeds, within: (
            f"{head('S')} :- {seeds('S')}, {within('S')}{asp.bound(head, seeds, within)}.\n"
            f"{head(found)} :- {head(given)}, {asp.world.line()}(D,S,T), {within(found)}."
        ),
        code=lambda c, seeds, within: f"{c.way(name)}(d, {seeds}, {within})",
        direction=Direction.ALWAYS,
    )


RUN = _unbroken("run", AHEAD, "from", "S", "T")
RUN_UP = _unbroken("run_up", BEHIND, "up to", "T", "S")


def _some_way(rows: Rows, ways: str, squares: Values) -> Values:
    found: Values = np.any(squares & rows.ways(ways), axis=1, keepdims=True)
    return found


def _some_way_noun(say: Speech, ways: str, squares: Term) -> str:
    """A line from here to there, where the set is one; words; else its parts, in some direction."""
    read = _words(squares)
    if read is not None and max(map(len, read)) > 1:
        seen = " or ".join(_said(say, word) for word in read)
        return f"squares that look {LINES[ways]} {seen}"
    literals = say.literals(squares)
    for term, holds in literals:
        if not holds or term.operator not in (RUN, AHEAD):
            continue
        origin = _one(term) if term.operator is AHEAD else _one(_seeds(term))
        for other, same in literals:
            if not same or origin is None:
                continue
            reached = _target(say, other if term.operator is AHEAD else _seeds(other))
            if reached is None or (term.operator is RUN) != (other.operator is RUN_UP):
                continue
            if term.operator is RUN and other.arguments[1] is not term.arguments[1]:
                continue
            kind = term.arguments[1] if term.operator is RUN else None
            rest = [each for each in literals if each[0] not in (term, other, kind)]
            words = f"{LINES[ways]} between {say.noun(origin)} and {reached}"
            if isinstance(kind, Term):
                return say.conjunction([(kind, True), *rest], words)
            return f"single {say.conjunction(rest, words)}"
    if len(literals) == 1 and literals[0][1]:
        return f"{say.noun(literals[0][0])}, {LINES[ways]}"
    return f"{say.conjunction(literals)}, {LINES[ways]}"


def _words(term: Term) -> list[list[Term | None]] | None:
    """What stands ahead in line of the squares of a set, by what each next square belongs to; one
    of these words, if they are words. None is before what stands behind empty squares."""
    parts = [each for each in term.arguments if isinstance(each, Term)]
    match term.operator.name, parts:
        case "brink", _:
            return [[term]]
        case "behind", [Term(directed=False) as here]:
            return [[here]]
        case "behind", [here]:
            inner = [each for each in here.arguments if isinstance(each, Term)]
            for one, other in (inner, inner[::-1]) if here.operator is BOTH else ():
                further = None if one.directed else _words(other)
                if further is not None:
                    return [[one, *word] for word in further]
        case "either", [one, other]:
            for near, far in ((one, other), (other, one)):
                word = _words(near) if _led_to(far) is near else None
                if word is not None:
                    return [[None, *each] for each in word]
            found = [_words(one), _words(other)]
            if None not in found:
                return [word for words in found for word in words or ()]
    return None


def over_empty(squares: Term) -> Term:
    """From where an unbroken line of empty squares leads to one of those."""
    empty = make(LIES, "empty")
    return make(BEHIND, make(RUN_UP, make(BOTH, empty, squares), empty))


def _led_to(term: Term) -> Term | None:
    """Where unbroken lines of empty squares lead that begin ahead of a set, if it is such a set."""
    match [term.operator, *term.arguments]:
        case [Operator(name="behind"), Term(operator=Operator(name="run_up")) as run]:
            end, within = run.arguments
            if isinstance(end, Term) and end.operator is BOTH and within is make(LIES, "empty"):
                others = [each for each in end.arguments if each is not within]
                return others[0] if len(others) == 1 and isinstance(others[0], Term) else None
    return None


def _said(say: Speech, word: Sequence[Term | None]) -> str:
    """A word, equal letters together."""
    onto = "over empty squares, if any, onto" if word[0] is None else "onto"
    things = []
    for term, several in groupby(each for each in word if each is not None):
        number = len(list(several))
        if term.operator is BRINK:
            things.append("the edge")
        elif term.operator is LIES:
            content = str(term.arguments[0])
            things.append(say.thing(content) if number < 2 else say.things(content, number))
        else:
            things += [say.one(term)] * number
    return f"{onto} {', then '.join(things)}"


def _seeds(term: Term) -> Term:
    seeds = term.arguments[0]
    return seeds if isinstance(seeds, Term) else term


def _one(term: Term) -> Term | None:
    """What a term is one step ahead of."""
    inner = term.arguments[0] if term.operator is AHEAD else None
    return inner if isinstance(inner, Term) else None


def _target(say: Speech, term: Term) -> str | None:
    """What a term is one step short of, or the edge."""
    if term.operator is BEHIND and isinstance(term.arguments[0], Term):
        return say.one(term.arguments[0])
    if term.operator is EITHER and term.arguments[1] is brink:
        inner = term.arguments[0]
        found = _target(say, inner) if isinstance(inner, Term) else None
        return None if found is None else f"{found} or the edge"
    return None


SOME_WAY = Operator(
    "some_way",
    (Sort.WAYS, SQUARES),
    evaluate=_some_way,
    noun=_some_way_noun,
    rules=lambda asp, head, ways, squares: f"{head('S')} :- {squares('S')}, {asp.ways(ways)}.",
    code=lambda c, ways, squares: c.some_way(ways, squares),
    direction=Direction.NONE,
)


def _lined(rows: Rows, ways: str, number: int, squares: Values) -> Values:
    return rows.lined(ways, max(number, 1), squares)


def _lined_rules(asp: Writer, head: Atom, ways: str, number: int, squares: Atom) -> str:
    """A rule for each place in the line."""
    body = [squares("S1"), *([asp.ways(ways)] if number > 1 else [])]
    for here in range(2, number + 1):
        body += [f"{asp.world.line()}(D,S{here - 1},S{here})", squares(f"S{here}")]
    along = ", ".join(body) + asp.bound(head, squares)
    return "\n".join(f"{head(f'S{here}')} :- {along}." for here in range(1, max(number, 1) + 1))


def _least(say: Speech, number: int, squares: Term) -> str:
    return f"{counted(number)} or more {say.noun(squares)}"


def _lined_noun(say: Speech, ways: str, number: int, squares: Term) -> str:
    lines = f"straight lines of {_least(say, number, squares)}"
    return lines if ways == "around" else f"{lines} {LINES[ways]}"


def _lined_clause(say: Speech, ways: str, number: int, squares: Term) -> tuple[str, str]:
    things = _least(say, number, squares)
    things = things if ways == "around" else f"{things} {LINES[ways]}"
    return f"in a straight line of {things}", f"in no straight line of {things}"


def _lined_code(c: Body, ways: str, number: int, squares: Value) -> str:
    if number < 2:
        return c.some_way("around", squares)
    if ways != "onward" and c.code.mirrored and not squares.term.directed:
        parts = [f"{c.code.lined(d, number)}({squares})" for d in axes_of(ways)]
        return reduce(lambda one, other: f"set_or({one}, {other})", parts)
    form = f"{c.way('lined')}(d, {number}, {{}})".format
    return c.some_way(ways, squares, form)


def _lined_some(c: Body, ways: str, number: int, squares: Value) -> str | None:
    if number < 2 or ways == "onward" or not c.code.mirrored or squares.term.directed:
        return None
    parts = (f"set_any({c.code.lined(d, number, ends=True)}({squares}))" for d in axes_of(ways))
    return " || ".join(parts)


LINED = Operator(
    "lined",
    (Sort.WAYS, Sort.NUMBER, SQUARES),
    evaluate=_lined,
    noun=_lined_noun,
    clause=_lined_clause,
    rules=_lined_rules,
    code=_lined_code,
    some=_lined_some,
    direction=Direction.NONE,
)


def _begun(rows: Rows, ways: str, number: int, squares: Values) -> Values:
    found: Values = rows.begun(squares, number) & rows.ways(ways)
    if ways != "onward":
        found[:, len(AXES) :] = False
    return found


def _begun_noun(say: Speech, ways: str, number: int, squares: Term) -> str:
    lines = f"straight lines of {counted(number)} {say.noun(squares)}"
    return lines if ways == "around" else f"{lines} {LINES[ways]}"


def _begun_rules(asp: Writer, head: Atom, ways: str, number: int, squares: Atom) -> str:
    body = [asp.ways(ways), squares("S1")]
    if ways != "onward":
        axes = asp.world.define("axis", "", f"axis({'; '.join(NAMES[: len(AXES)])}).")
        body.append(f"{axes}(D)")
    for here in range(2, number + 1):
        body += [f"{asp.world.line()}(D,S{here - 1},S{here})", squares(f"S{here}")]
    return f"{head('S1')} :- {', '.join(body)}{asp.bound(head, squares)}."


def _begun_code(c: Body, ways: str, number: int, squares: Value) -> str:
    bits = f"{c.way('onward')}(t)" if ways == "onward" else sum(1 << d for d in axes_of(ways))
    return f"({bits} >> d & 1) ? {c.way('begun')}(d, {number}, {squares}) : NO_SQUARE"


BEGUN = Operator(
    "begun",
    (Sort.WAYS, Sort.NUMBER, SQUARES),
    evaluate=_begun,
    noun=_begun_noun,
    rules=_begun_rules,
    code=_begun_code,
    direction=Direction.ALWAYS,
)
"""The squares where lines of so many squares of a set begin, in one of two opposite directions, so
that their number is that of the lines."""


def _along(rows: Rows, ways: str, number: int, squares: Values) -> Values:
    found = _some_way(rows, ways, rows.counted(squares) >= number)
    found[:, :, list(rows.grid.geometry.board.holes)] = False
    return found


def _along_clause(say: Speech, ways: str, number: int, squares: Term) -> tuple[str, str]:
    things = f"{_least(say, number, squares)} {LINES[ways]}, itself aside"
    return f"with {things}", f"without {things}"


def _along_rules(asp: Writer, head: Atom, ways: str, number: int, squares: Atom) -> str:
    key, name = f"{head.row},T,D", head.name
    counted = asp.world.tally(f"{name}_number", key, f"{name}_at({key})", f"{name}_in({key},S)")
    return f"""{name}_at({key}) :- {asp.world.given(head.row)}, square(T,_,_), {asp.ways(ways)}.
{name}_in({key},S) :- {name}_at({key}), {asp.inline()}(D,T,S), {squares("S")}.
{head("T")} :- {counted}({key},N), {number - 1} < N."""


def _along_code(c: Body, ways: str, number: int, squares: Value) -> str:
    """Each square has none of a set in line with it, or more."""
    if number < 1:
        board = c.code.constant(c.code.grid.geometry.board.squares)
        return board if ways != "onward" else f"{c.onward()} ? {board} : NO_SQUARE"
    form = f"{c.way('counted')}(d, {number}, {{}})".format
    return c.some_way(ways, squares, form, axes=True)


ALONG = Operator(
    "along",
    (Sort.WAYS, Sort.NUMBER, SQUARES),
    evaluate=_along,
    clause=_along_clause,
    rules=_along_rules,
    code=_along_code,
    direction=Direction.NONE,
)


def _sight(rows: Rows, ways: str, squares: Values) -> Values:
    empty = rows.of_boards(rows.holding("empty"))
    found = fresh = rows.ahead(squares)
    while fresh.any():
        fresh = rows.ahead(fresh & empty) & ~found
        found = found | fresh
    return _some_way(rows, ways, found)


def _sight_clause(say: Speech, ways: str, squares: Term) -> tuple[str, str]:
    words = f"with nothing between them and {say.noun(squares)} {LINES[ways]}"
    return words, f"not {words}"


SIGHT = Operator(
    "sight",
    (Sort.WAYS, SQUARES),
    evaluate=_sight,
    clause=_sight_clause,
    rules=lambda asp, head, ways, squares: (
        f"{head.name}_way({head.row},D,T) :- {squares('S')}, {asp.world.line()}(D,S,T), "
        f"{asp.ways(ways)}.\n"
        f"{head.name}_way({head.row},D,T) :- {head.name}_way({head.row},D,S), "
        f"{asp.world.holds('S', 'empty')}, {asp.world.line()}(D,S,T).\n"
        f"{head('T')} :- {head.name}_way({head.row},D,T)."
    ),
    code=lambda c, ways, squares: c.some_way(
        ways, squares, lambda at: f"{c.way('sight')}(d, {at}, g->empty)"
    ),
    direction=Direction.NONE,
)


def _through(rows: Rows, ways: str, squares: Values) -> Values:
    these: Values = np.any(squares, axis=1, keepdims=True)
    return these | _some_way(rows, ways, rows.counted(squares) > 0)


def _through_code(c: Body, ways: str, squares: Value) -> str:
    """The set itself belongs to it in whichever direction it is."""
    found = c.some_way(ways, squares, f"{c.way('through')}(d, {{}})".format, axes=True)
    return f"set_or({found}, {c.some_way('around', squares)})"


THROUGH = Operator(
    "through",
    (Sort.WAYS, SQUARES),
    evaluate=_through,
    clause=lambda say, ways, squares: (
        f"in line with {say.noun(squares)}, {LINES[ways]}",
        f"not in line with {say.noun(squares)}, {LINES[ways]}",
    ),
    rules=lambda asp, head, ways, squares: (
        f"{head('S')} :- {squares('S')}{asp.bound(head, squares)}.\n"
        f"{head('T')} :- {squares('S')}, {asp.ways(ways)}, {asp.inline()}(D,T,S)."
    ),
    code=_through_code,
    direction=Direction.NONE,
)


def _toward(rows: Rows, origins: Values, starts: Values, ends: Values) -> Values:
    bearings = rows.grid.bearings
    origins, starts, ends = np.broadcast_arrays(origins, starts, ends)
    found, every = np.zeros(ends.shape, dtype=np.bool_), np.arange(bearings.max(initial=0) + 1)
    ways = np.zeros((*ends.shape[:2], len(every) + 1), dtype=np.bool_)
    for square in rows.grid.geometry.board.squares:
        here = np.flatnonzero(starts[:, :, square].any(axis=1))
        meant = (starts[here][:, :, [square]] & ends[here]).astype(np.float32)
        leading = (bearings[square][:, None] == every).astype(np.float32)
        ways[here, :, :-1] |= meant @ leading > 0
    for square in rows.grid.geometry.board.squares:
        here = np.flatnonzero(origins[:, :, square].any(axis=1))
        found[here] |= origins[here][:, :, [square]] & ways[here][:, :, bearings[square]]
    return found


def _toward_clause(say: Speech, origins: Term, starts: Term, ends: Term) -> tuple[str, str]:
    way = f"in the direction from {say.noun(starts)} to {say.noun(ends)}"
    where = f"{way}, seen from {say.noun(origins)}"
    return where, f"not {where}"


TOWARD = Operator(
    "toward",
    (SQUARES, SQUARES, SQUARES),
    evaluate=_toward,
    clause=_toward_clause,
    rules=lambda asp, head, origins, starts, ends: (
        f"{head('T')} :- {origins('S')}, {starts('A')}, {ends('B')}, "
        f"{asp.world.bearing()}(A,B,X,Y), {asp.world.bearing()}(S,T,X,Y)."
    ),
    code=lambda c, origins, starts, ends: f"{c.code.toward()}({origins}, {starts}, {ends})",
)
"""The squares that lie from some as others lie from others."""
OPERATORS = (
    AHEAD,
    BEHIND,
    BRINK,
    RUN,
    RUN_UP,
    SOME_WAY,
    LINED,
    BEGUN,
    ALONG,
    SIGHT,
    THROUGH,
    TOWARD,
)
