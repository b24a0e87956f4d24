"""Whether a walk has to remember the search states that it met.

It needn't where no two paths from an origin lead to one state: then the walk is a tree, whatever
lies on the board. That is so where, with contents left aside, no square is reached twice in the
same node after the same changes. A letter that puts something down on the way begins a new stretch,
which differs from others by what was put down where.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.board import Board, Square
from grl.engine.graph import Graph
from grl.turn import Letter

MOST_STEPS = 200_000
"""A walk that takes more steps than that to look at is taken to need a memory."""


def is_tree(graph: Graph, board: Board, letters: Sequence[Letter]) -> bool:
    """Whether no two paths of a player's turns lead to one search state."""
    landings = {
        (number, square): tuple(letter.landings(board, square))
        for number, letter in enumerate(letters)
        if letter.moves
        for square in board.squares
    }
    steps = 0
    for _, start in graph.starts:
        for origin in board.squares:
            met: set[tuple[object, int, Square]] = set()
            waiting: list[tuple[object, int, Square]] = [((), start, origin)]
            while waiting:
                stretch, number, square = waiting.pop()
                node = graph.nodes[number]
                if node.end is not None and node.end.following:
                    return False
                for edge in node.edges:
                    steps += 1
                    if steps > MOST_STEPS:
                        return False
                    letter = letters[edge.letter]
                    if letter.reserves:
                        return False
                    begun: object = stretch
                    targets: Sequence[Square] = (square,)
                    if letter.moves:
                        targets = landings[edge.letter, square]
                    elif letter.appears and node.held:
                        begun = (stretch, node.held, square)
                    for target in targets:
                        key = graph.nodes[edge.target].key
                        if (begun, key, target) in met:
                            return False
                        met.add((begun, key, target))
                        waiting.append((begun, edge.target, target))
    return True
