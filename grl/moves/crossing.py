"""Opposing pieces that a turn passes over a second time, and how many of them a search follows.

Where a turn changes what its first segment has passed over, different paths to one square are
different turns, and most paths of a piece that goes far pass over the same pieces again and again.
A rule that forbids it, as in draughts, lets a search leave such a path at once; while rules are
being learned it follows a path a little further than the records go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from grl.board import Board
from grl.model import Dfa, Feature, Literal, Model, Role, Rule
from grl.turn import Letter, Segment

CROSSED: Feature = ("some", "before", ("both", ("crossed",), ("lies", "opposing")))
FORBIDDEN = (Literal(CROSSED, holds=True),)
"""The body of the rule that no opposing piece is passed over twice."""
OPPOSING = "p"
"""The letters of a search know opposing pieces by this class."""


def crossing_limit(model: Model) -> int | None:
    """How many opposing pieces the first segment of a turn passes over again, at the most.

    None where there is no bound: it changes nothing, no rule forbids it first of all, or a turn
    may fly, and such a turn is taken to pass over nothing.
    """
    if not model.passing_matters or any(
        letter.fly for dfa in _first(model) for _, letter, _ in dfa.transitions
    ):
        return None
    restrictions = model.rules.restrictions if model.rules is not None else ()
    # Rules before it might ask for turns that the search has left.
    return 0 if any(map(forbids, restrictions[:1])) else model.crossings


def forbids(rule: Rule) -> bool:
    """Whether a rule is that no opposing piece is passed over twice."""
    return rule.body == FORBIDDEN


def crossings(board: Board, segment: Segment) -> int:
    """How often a segment steps onto an opposing piece that it has stepped onto before."""
    if sum(map(crosses, segment.letters)) < 2:
        return 0
    steps = zip(segment.letters, segment.path(board)[1:], strict=True)
    met = [square for letter, square in steps if crosses(letter)]
    return len(met) - len(set(met))


def crosses(letter: Letter) -> bool:
    """Whether a step by `letter` may be one onto a piece that was passed over before."""
    return letter.on == OPPOSING and not letter.fly


def may_cross(model: Model) -> bool:
    """Whether some word leads over one square of an opposing piece twice, by the letters alone."""
    return any(_comes_back(dfa, model.equipment.board) for dfa in _first(model))


def _first(model: Model) -> Sequence[Dfa]:
    """The automata that the first segment of a turn may follow."""
    return [dfa for dfa in model.automata if dfa.key.role is not Role.LATER]


def _comes_back(dfa: Dfa, board: Board) -> bool:
    """Whether a word steps onto a piece and later, by its displacements, onto the same square."""
    beginnings = {state for _, letter, state in dfa.transitions if crosses(letter)}
    for beginning in beginnings:
        begun = beginning, 0, 0
        met = {begun}
        waiting = deque([begun])
        while waiting:
            state, x, y = waiting.popleft()
            for letter, following in dfa.successors[state]:
                there = x + letter.dx, y + letter.dy
                if crosses(letter) and there == (0, 0):
                    return True
                reached = following, *there
                inside = abs(there[0]) < board.width and abs(there[1]) < board.height
                if inside and reached not in met:
                    met.add(reached)
                    waiting.append(reached)
    return False
