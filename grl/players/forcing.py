"""Wins that can be forced within so many turns of one's own: the reference implementation.

Grillotti, draft of a report, 2.2: "find a move such that: whatever the second player does the
next turn (or his 2 or 3 next turns), the first player can still win".
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.board import Player
from grl.engine.engine import State
from grl.players.interface import Game, final_value


def won(state: State, players: tuple[Player, ...], seat: int) -> bool:
    """Whether the game is over, and a seat has more than the others."""
    return state.over and final_value(state.goals(), players, seat) > 0


def following(state: State) -> Iterator[State]:
    """The states after each turn."""
    return map(state.play, range(state.count()))


def winning(game: Game, state: State) -> frozenset[str]:
    """The turns of a state that win at once."""
    players, seat = game.equipment.players, state.mover
    return frozenset(
        turn
        for turn, after in zip(state.turns(), following(state), strict=True)
        if won(after, players, seat)
    )


def forces(game: Game, state: State, seat: int, own: int) -> bool:
    """Whether a seat wins by its turns, `own` of them at most, whatever the others reply.

    Where the others reply with the win it counts too, also after the last of these turns.
    """
    if state.over:
        return won(state, game.equipment.players, seat)
    if state.mover == seat:
        return own > 0 and any(forces(game, after, seat, own - 1) for after in following(state))
    return all(forces(game, after, seat, own) for after in following(state))
