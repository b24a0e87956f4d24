"""A reference game that answers questions, as a person who knows the rules would."""

from __future__ import annotations

from grl.ask.answers import Answer, Oracle, Question
from grl.board import Position, make_position
from grl.correspondence import correspond
from grl.games import Game
from grl.turn import Turn


def game_oracle(game: Game, initial: Position) -> Oracle:
    """Answers by the rules of `game`, in the pieces and players of a model with this `initial` one.

    Raises `BoardError` where the two can't be brought together.
    """
    there = correspond(initial, game.initial)
    back = correspond(game.initial, initial)

    def answer(question: Question) -> Answer | None:
        position = make_position(game.equipment, **there.position(question.position))
        if game.is_terminal(position):
            return Answer(question.position, (), back.goals(game.goals(position)))
        turns = [back.turn(Turn.parse(text)) for text in game.legal(position)]
        return Answer(question.position, tuple(map(str, turns)))

    return answer
