"""What a player's own last turn was, in exported programs."""

from random import Random

from lessons import games_of, taught
from running import differences
from strange_games import Restless

from grl.export.program import asp_program


def test_a_program_knows_everybodys_last_turn() -> None:
    game, chance = Restless(), Random(3)
    model = taught(game, games_of(game, 60, endgames=0.0, max_plies=40)).model
    program = asp_program(model)
    positions = []
    for _ in range(4):
        position = game.initial
        for _ in range(20):
            legal = game.legal(position)
            if not legal:
                break
            positions.append(position)
            position = game.play(position, chance.choice(legal))

    assert "own(" in program
    assert differences(model, program, positions[::3]) > 20
