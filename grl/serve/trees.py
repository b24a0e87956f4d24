"""Turns letter by letter, as trees: what a page needs to let somebody build a turn on the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grl.board import Board, Position, Square
from grl.turn import PASS, Turn

Node = list[Any]
"""``[text, square, ends, nodes]``, see `grl.serve.messages.GameView`."""


def tree(board: Board, turns: Iterable[Turn]) -> list[Node]:
    """The turns as a tree of micro-moves; a pass has no letters and is left out."""
    roots: dict[str, Any] = {}
    names = board.names
    for turn in turns:
        below, node = roots, None
        for segment in turn.segments:
            path = segment.path(board)
            for text, square in zip((segment.origin, *segment.spelled()), path, strict=True):
                node = below.get(text)
                if node is None:
                    node = below[text] = [text, names[square], False, {}]
                below = node[3]
        if node is not None:
            node[2] = True
    return _listed(roots)


def _listed(nodes: dict[str, Any]) -> list[Node]:
    return [[text, square, ends, _listed(below)] for text, square, ends, below in nodes.values()]


def touched(board: Board, turn: Turn) -> list[str]:
    """The names of the squares of a turn in the order of its letters, each once in a row."""
    found: list[str] = []
    for segment in turn.segments:
        for square in segment.path(board):
            name = board.names[square]
            if found[-1:] != [name]:
                found.append(name)
    return found


def changed(before: Position, after: Position) -> list[str]:
    """The squares whose content differs."""
    names = before.board.names
    return [
        names[Square(at)]
        for at, (one, other) in enumerate(zip(before.cells, after.cells, strict=True))
        if one != other
    ]


def passes(turns: Iterable[Turn]) -> bool:
    """Whether a pass is among turns."""
    return PASS in turns
