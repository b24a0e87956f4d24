"""Whether a walk has to remember the search states that it met.

It needn't where no two paths from an origin lead to one state: then the walk is a tree, whatever
lies on the board. That is so where, with contents left aside, no square is reached twice in the
same node after the same changes. A letter that puts something down on the way begins a new stretch,
which differs from others by what was put down where; so does a further segment.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.board import EMPTY, MAX_SQUARES, Board, Square
from grl.engine.graph import Graph
from grl.turn import Letter

MOST_STEPS = 200_000
"""A walk that takes more steps than that to look at is taken to need a memory."""


def effects_differ(graph: Graph, board: Board, letters: Sequence[Letter]) -> bool:
    """Whether no two turns of a player from one origin have one effect, as far as is seen at once,
    where a walk is a tree.

    That is so where steps lead onto empty squares alone, nothing is removed, all
    that is put down on the way is of another kind than what was put down before, and no square is
    reached twice by what is put there after the same.
    """
    used = {edge.letter for node in graph.nodes for edge in node.edges}
    if any(letters[number].on not in ("e", "a") or letters[number].fly for number in used):
        return False
    board, origins = _origins(board)
    for _, start in graph.starts:
        for origin in origins:
            put: set[object] = set()
            waiting: list[tuple[tuple[tuple[str, Square], ...], int, Square]] = []
            waiting.append(((), start, origin))
            while waiting:
                stretch, number, square = waiting.pop()
                node = graph.nodes[number]
                if node.end is not None and node.end.accepts:
                    last = (*stretch, (node.held, square))
                    kinds = {held for held, _ in last}
                    if last in put or "" in kinds or len(kinds) < len(last):
                        return False
                    put.add(last)
                for edge in node.edges:
                    letter = letters[edge.letter]
                    if letter.moves:
                        for target in letter.landings(board, square):
                            waiting.append((stretch, edge.target, target))
                    elif node.held:
                        waiting.append(((*stretch, (node.held, square)), edge.target, square))
                    else:
                        waiting.append((stretch, edge.target, square))
    return True


def is_tree(graph: Graph, board: Board, letters: Sequence[Letter]) -> bool:
    """Whether no two paths of a player's turns lead to one search state."""
    board, origins = _origins(board)
    landings = {
        (number, square): tuple(letter.landings(board, square))
        for number, letter in enumerate(letters)
        if letter.moves
        for square in board.squares
    }
    steps = 0
    for _, start in graph.starts:
        for origin in origins:
            begun: object
            met: set[tuple[object, int, Square]] = set()
            waiting: list[tuple[object, int, Square]] = [((), start, origin)]
            while waiting:
                stretch, number, square = waiting.pop()
                node = graph.nodes[number]
                following = node.end.following if node.end is not None else ()
                for holds, target in following:
                    steps += board.size
                    if steps > MOST_STEPS:
                        return False
                    put = (stretch, node.held, square)
                    for other in board.squares:
                        # What is taken up is missing there; an empty square says nothing.
                        begun = put if holds == EMPTY else (put, other)
                        if (begun, graph.nodes[target].key, other) in met:
                            return False
                        met.add((begun, graph.nodes[target].key, other))
                        waiting.append((begun, target, other))
                for edge in node.edges:
                    steps += 1
                    if steps > MOST_STEPS:
                        return False
                    letter = letters[edge.letter]
                    if letter.reserves:
                        return False
                    begun = stretch
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


def is_trie(graph: Graph) -> bool:
    """Whether the letters of a turn decide its way through the graph: then turns that begin alike
    stand together in the order of the walk, a beginning that is a turn before what goes on."""
    places = [[holds for holds, _ in graph.starts]]
    for node in graph.nodes:
        places.append([holds for holds, _ in node.end.following] if node.end is not None else [])
    letters = [[edge.letter for edge in node.edges] for node in graph.nodes]
    return all(len(set(x)) == len(x) for x in places) and all(
        len(set(x)) == len(x) for x in letters
    )


def _origins(board: Board) -> tuple[Board, Sequence[Square]]:
    """A board and squares on it from which everything can be seen that may happen on a board.

    Whatever happens on a plain board also does from the middle of one as large on all sides of it.
    """
    if board.links is not None or board.holes or board.width * board.height > MAX_SQUARES // 4:
        return board, board.squares
    larger = Board(2 * board.width - 1, 2 * board.height - 1)
    return larger, [Square((board.height - 1) * larger.width + board.width - 1)]
