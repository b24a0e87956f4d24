"""Kings of international draughts slide, take, slide and turn: their language is found.

That players must take the most keeps most of what kings could do from being played.
"""

from __future__ import annotations

from pathlib import Path

import grl
from grl import games
from grl.fresh import fresh_positions
from grl.generate import generate
from grl.model import AutomatonKey, Dfa, Role
from grl.sgrl.automaton import START
from grl.traces import header_dict, write_traces
from grl.turn import Turn

STATES = 1 + 4 * 4
"""The start; by direction a slide, a piece being jumped, behind it, and a slide after a turn."""


def accepted(dfa: Dfa, turn: Turn) -> bool:
    state = START
    for letter in turn.segments[0].letters:
        if letter.appears:
            return True
        following = dict(dfa.successors[state])
        if letter not in following:
            return False
        state = following[letter]
    return state in dfa.accepting


def test_kings_that_turn_while_they_take_are_learned_from_what_the_most_leaves(tmp_path: Path):
    game = games.load("brazilian-draughts")
    plays = generate(game, 40, all_moves=True, seed=1, endgames=0.3)
    path = tmp_path / "draughts.jsonl"
    write_traces(path, header_dict(game), plays)
    model = grl.learn(path, rules=False).model

    assert model.crossings is None
    kings = 0
    for player, key in zip(model.equipment.players, "kK", strict=True):
        dfa = model.automaton[AutomatonKey(player, key, Role.FIRST)]
        assert dfa.size == STATES
        for position, _ in fresh_positions(game, 400, 7, 0):
            if position.to_move == player:
                for turn in map(Turn.parse, game.legal(position)):
                    if position.cells[position.board.square(turn.segments[0].origin)] == key:
                        kings += 1
                        assert accepted(dfa, turn), (position.rows, str(turn))
    assert kings > 200
