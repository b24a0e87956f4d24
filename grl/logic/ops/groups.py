"""The groups that chains of neighbours join: how many there are, and which is the largest.

A square belongs to the group of the first square of the set, in the board's order, from which a
chain within the set leads to it.
"""

from __future__ import annotations

import numpy as np

from grl.logic.asp import Atom, Writer
from grl.logic.english import ADJACENT, Speech
from grl.logic.grid import Indices
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Term


def _firsts(rows: Rows, nearness: str, squares: Values) -> Indices:
    """The first square of the group of each square; that behind the last where there is none."""
    size = rows.grid.size
    found: Indices = np.where(squares, np.arange(size), size)
    while True:
        padded = np.concatenate([found, np.full((*found.shape[:2], 1), size)], axis=2)
        fresh = found
        for table in rows.grid.neighbours[nearness]:
            fresh = np.minimum(fresh, padded[:, :, table[0]])
        fresh = np.where(squares, fresh, size)
        if (fresh == found).all():
            return found
        found = fresh


def _heads(rows: Rows, nearness: str, squares: Values) -> Values:
    return np.asarray(_firsts(rows, nearness, squares) == np.arange(rows.grid.size), dtype=np.bool_)


def _largest(rows: Rows, nearness: str, squares: Values) -> Values:
    firsts = _firsts(rows, nearness, squares)
    flat = firsts.reshape(-1, rows.grid.size)
    width = rows.grid.size + 1
    numbered = np.arange(len(flat))[:, None] * width + flat
    counts = np.bincount(numbered.ravel(), minlength=len(flat) * width).reshape(-1, width)
    most = counts[:, :-1].argmax(axis=1).reshape(*firsts.shape[:2], 1)
    return np.asarray(squares & (firsts == most), dtype=np.bool_)


def _belongs(asp: Writer, head: Atom, nearness: str, squares: Atom) -> tuple[str, str, str, str]:
    """The variables of a row; the predicate of a square and of one in its group, with its rules,
    and that of two squares in order."""
    key = f"{head.row},D" if head.directed else head.row
    earlier = asp.world.define(
        "earlier",
        "The first square is on a lower rank, or left of the second.",
        "earlier(S,T) :- square(S,_,Y), square(T,_,B), Y < B.\n"
        "earlier(S,T) :- square(S,X,Y), square(T,A,Y), X < A.",
    )
    name = head.name
    joined, near = f"{name}_joined({key}", asp.world.near(nearness)
    rules = f"""{joined},S,S) :- {squares("S")}{asp.bound(head, squares)}.
{joined},S,T) :- {joined},S,V), {near}(V,T), {squares("T")}.
{name}_later({key},S,T) :- {joined},S,T), {joined},V,T), {earlier}(V,S).
{name}_has({key},S,T) :- {joined},S,T), not {name}_later({key},S,T)."""
    return key, f"{name}_has", rules, earlier


def _heads_rules(asp: Writer, head: Atom, nearness: str, squares: Atom) -> str:
    key, has, rules, _ = _belongs(asp, head, nearness, squares)
    return f"{rules}\n{head('S')} :- {has}({key},S,S)."


def _largest_rules(asp: Writer, head: Atom, nearness: str, squares: Atom) -> str:
    key, has, rules, earlier = _belongs(asp, head, nearness, squares)
    name = head.name
    total = asp.world.tally(f"{name}_number", f"{key},T", f"{has}({key},T,T)", f"{has}({key},T,S)")
    return f"""{rules}
{name}_less({key},S) :- {total}({key},S,N), {total}({key},T,M), N < M.
{name}_less({key},S) :- {total}({key},S,N), {total}({key},T,N), {earlier}(T,S).
{head("T")} :- {has}({key},S,T), not {name}_less({key},S)."""


def _said(say: Speech, nearness: str, squares: Term) -> str:
    return f"of {say.noun(squares)} adjacent {ADJACENT[nearness]}"


HEADS = Operator(
    "heads",
    (Sort.NEARNESS, Sort.SQUARES),
    evaluate=_heads,
    noun=lambda say, nearness, squares: f"groups {_said(say, nearness, squares)}",
    clause=lambda say, nearness, squares: (
        f"that are first in a group {_said(say, nearness, squares)}",
        f"that are not first in a group {_said(say, nearness, squares)}",
    ),
    rules=_heads_rules,
    code=lambda c, nearness, squares: f"{c.code.heads(c.code.near_pairs(nearness))}({squares})",
)
LARGEST = Operator(
    "largest",
    (Sort.NEARNESS, Sort.SQUARES),
    evaluate=_largest,
    noun=lambda say, nearness, squares: (
        f"squares in the largest group {_said(say, nearness, squares)}"
    ),
    clause=lambda say, nearness, squares: (
        f"in the largest group {_said(say, nearness, squares)}",
        f"outside the largest group {_said(say, nearness, squares)}",
    ),
    rules=_largest_rules,
    code=lambda c, nearness, squares: f"{c.code.largest(c.code.near_pairs(nearness))}({squares})",
)
OPERATORS = (HEADS, LARGEST)
