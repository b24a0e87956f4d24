"""How many turns a piece is away from a square, by the automata of its movements.

The board is taken to be such that every letter may be played: what lies in the way, and other rules
than movement, are left out of account. A distance is therefore never too long.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping

from grl.board import Board, Square
from grl.model import Dfa, Model, Role, StateId

Place = tuple[str, Square]
"""A piece, by its key, and the square on which it stands."""


def turns_away(model: Model) -> Mapping[Place, Mapping[Place, int]]:
    """For each piece on a square where it may come to be: from where, in how many turns.

    What is not there doesn't get there by moving. Pieces that turn into others on the way are
    followed.
    """
    board = model.equipment.board
    before: defaultdict[Place, set[Place]] = defaultdict(set)
    for dfa in model.automata:
        if dfa.key.role == Role.FIRST and dfa.key.holds in model.equipment.pieces:
            for square in board.squares:
                for arrival in _arrivals(dfa, board, square):
                    before[arrival].add((dfa.key.holds, square))
    return {place: _distances(place, before) for place in sorted(before)}


def _arrivals(dfa: Dfa, board: Board, square: Square) -> Iterator[Place]:
    """Where a word from a square may leave the piece, and as which."""
    rest: list[tuple[StateId, Place]] = [(StateId(0), (dfa.key.holds, square))]
    seen = set(rest)
    while rest:
        state, (piece, here) = rest.pop()
        if state in dfa.accepting and state != 0:
            yield piece, here
        for letter, target in dfa.successors[state]:
            if letter.removes and here == square:
                continue  # the piece itself is gone
            now = letter.piece if letter.appears else piece
            for there in letter.landings(board, here):
                after = (target, (now, there))
                if after not in seen:
                    seen.add(after)
                    rest.append(after)


def _distances(goal: Place, before: Mapping[Place, set[Place]]) -> dict[Place, int]:
    found = {goal: 0}
    rest = deque([goal])
    while rest:
        place = rest.popleft()
        for earlier in sorted(before.get(place, ())):
            if earlier not in found:
                found[earlier] = found[place] + 1
                rest.append(earlier)
    del found[goal]
    return found
