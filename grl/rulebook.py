"""A model at work: legal turns, play, endings, perft, on top of the frozen data of `grl.model`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from grl.board import Player, Position, make_position
from grl.errors import IllegalTurn, Place
from grl.model import Model
from grl.modelfile import read_model, write_model
from grl.moves.search import Searcher
from grl.turn import Turn, play


class Rulebook:
    """What `grl.learn` and `grl.load` return: a learned model that plays.

    With `locm` off turns are generated from the movement automata alone.
    """

    knows_terminal: bool = False
    knows_goals: bool = False

    def __init__(self, model: Model, *, locm: bool = True) -> None:
        self.model = model
        self._searcher = Searcher(model, locm=locm)

    @property
    def initial(self) -> Position:
        """The position in which a game begins."""
        return self.model.initial

    def position(
        self,
        rows: Sequence[str],
        to_move: str,
        reserve: Mapping[str, Mapping[str, int]] | None = None,
        history: Mapping[str, Any] | None = None,
    ) -> Position:
        """A position from outside; `rows` from the highest rank down. Raises `BoardError`."""
        return make_position(self.model.equipment, rows, to_move, reserve, history)

    def legal(self, position: Position) -> list[Turn]:
        """The legal turns, as far as the model knows; no two with the same origin and effect."""
        return self._searcher.turns(position)

    def play(self, position: Position, turn: Turn | str) -> Position:
        """The position after a legal turn.

        Any spelling of a legal turn may be played: the same first origin square and the same
        effect. Raises `IllegalTurn` for any other turn, `TurnSyntaxError` for text that is none.
        """
        parsed = Turn.parse(turn) if isinstance(turn, str) else turn
        after = play(position, parsed)
        legal = self.legal(position)
        if parsed not in legal and not any(
            origin_of(other) == origin_of(parsed) and play(position, other).outcome == after.outcome
            for other in legal
        ):
            raise IllegalTurn(
                f"turn '{parsed}' is not legal for {position.to_move}",
                expected=f"one of the {len(legal)} legal turns",
                place=Place(rows=tuple(position.rows)),
            )
        return after

    def is_terminal(self, position: Position) -> bool:
        """Whether the game is over: while no ending is known, when there is no legal turn."""
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        """0..100 for each player of a terminal position; empty where the model knows nothing."""
        return {}

    def perft(self, position: Position, depth: int) -> int:
        """The number of legal turn sequences of length `depth`."""
        if depth <= 0:
            return 1
        turns = self.legal(position)
        if depth == 1:
            return len(turns)
        return sum(self.perft(play(position, turn), depth - 1) for turn in turns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, whole or not at all."""
        write_model(self.model, path)


def origin_of(turn: Turn) -> str:
    """The first origin square of a turn, or ``pass``."""
    return turn.segments[0].origin if turn.segments else "pass"


def load(path: str | os.PathLike[str]) -> Rulebook:
    """The rulebook in a model file; raises `ModelError` when it is none."""
    return Rulebook(read_model(path))
