"""Models as games of Ludii, read back and played beside the models at random."""

from __future__ import annotations

from random import Random

import pytest
from learned import learned
from lud import Cells, Ludii

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.export.lud import NotLudemic, lud_program
from grl.model import AutomatonKey, Dfa, Literal, Model, Role, Rule, Rules, StateId
from grl.rulebook import Rulebook
from grl.turn import REMOVE_LETTER, Letter, play


def cells_of(position: Position, keys: dict[str, str]) -> Cells:
    width = position.board.width
    return {
        (square % width, square // width): keys[position.cells[square]]
        for square in position.board.squares
        if position.cells[square] != "."
    }


def play_beside(rulebook: Rulebook, keys: dict[str, str], games: int, most: int) -> int:
    """Random games of the model and of its export; how many positions were compared."""
    game, chance, compared = Ludii(lud_program(rulebook.model)), Random(3), 0
    assert set(keys.values()) == set(game.pieces)
    players = rulebook.model.equipment.players
    for _ in range(games):
        position = rulebook.initial
        assert game.start == cells_of(position, keys)
        for _ in range(most):
            here = cells_of(position, keys)
            mover = players.index(position.to_move) + 1
            wanted = {
                tuple(sorted(cells_of(play(position, turn), keys).items())): turn
                for turn in rulebook.legal(position)
            }
            if not wanted:
                break
            assert {tuple(sorted(left.items())) for left in game.moves(here, mover)} == set(wanted)
            compared += 1
            chosen = chance.choice(sorted(wanted))
            position = rulebook.play(position, wanted[chosen])
            left = dict(chosen)
            (last,) = [at for at, name in left.items() if here.get(at) != name]
            found = game.result(left, mover, last)
            if rulebook.is_terminal(position):
                goal = rulebook.goals(position)[players[mover - 1]]
                assert found == {100: "Win", 50: "Draw", 0: "Loss"}[goal]
            else:
                assert found is None
    return compared


@pytest.mark.parametrize(
    ("spec", "keys"),
    [
        ("tic-tac-toe", {"x": "Xstone1", "o": "Ostone2"}),
        ("breakthrough:width=6,height=6", {"w": "Whitepawn1", "b": "Blackpawn2"}),
    ],
)
def test_what_is_read_back_plays_as_the_model(spec: str, keys: dict[str, str]) -> None:
    assert play_beside(learned(spec), keys, 8, 80) > 40


def rooks_and_hoppers(extra: Letter | None = None) -> Model:
    """Rooks slide and capture; hoppers step aside, and hop over an opponent, who is removed."""
    players = (Player("white"), Player("black"))
    pieces = {
        key: Piece(key, players[key.islower()], kind)
        for key, kind in (("R", "rook"), ("H", "hopper"), ("r", "rook"), ("h", "hopper"))
    }
    automata = []
    for key, piece in pieces.items():
        assert piece.player is not None
        arcs = []
        if piece.type == "rook":
            ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
            for number, (dx, dy) in enumerate(ways, start=2):
                state, step = StateId(number), Letter(dx, dy, "e")
                arcs += [(StateId(0), step, state), (state, step, state)]
                arcs += [(at, Letter(dx, dy, "p"), StateId(1)) for at in (StateId(0), state)]
            size, ends = 6, frozenset(map(StateId, range(1, 6)))
        else:
            arcs = [(StateId(0), Letter(1, 0, "e"), StateId(1))]
            arcs += [(StateId(0), Letter(0, 1, "p"), StateId(2)),
                     (StateId(2), REMOVE_LETTER, StateId(3)),
                     (StateId(3), Letter(0, 1, "e"), StateId(1))]  # fmt: skip
            arcs += [(StateId(0), extra, StateId(1))] if extra else []
            size, ends = 4, frozenset({StateId(1)})
        automaton = AutomatonKey(piece.player, key, Role.FIRST)
        automata.append(Dfa(automaton, size, tuple(sorted(arcs)), ends))
    equipment = Equipment(Board(5, 4), players, pieces)
    initial = make_position(equipment, ["rhh.r", "h....", "..H..", "RHHHR"], "white")
    endings = (
        Rule((Literal(("size", "now", ("lies", "own"), "<", 3), True),), (0, 100), 9),
        Rule((Literal(("stuck", 0), True),), (50, 50), 9),
    )
    rules = Rules(dict.fromkeys(players, "identity"), endings=endings)
    return Model("rooks and hoppers", equipment, initial, tuple(automata), rules=rules)


def test_slides_hops_and_numbers_come_through() -> None:
    keys = {"R": "Whiterook1", "H": "Whitehopper1", "r": "Blackrook2", "h": "Blackhopper2"}
    rulebook = Rulebook(rooks_and_hoppers(), compiled=False)
    assert play_beside(rulebook, keys, 4, 60) > 60


def test_what_cannot_be_said_is_refused_by_its_name() -> None:
    with pytest.raises(NotLudemic, match=r"restriction 1 .*the square below its end is empty"):
        lud_program(learned("connect-four").model)
    with pytest.raises(NotLudemic, match=r"automaton .* Q first .*\(0 0 a x\)"):
        lud_program(learned("amazons:width=6,height=6").model)
    with pytest.raises(NotLudemic, match="holes"):
        lud_program(learned("peg-solitaire").model)
    with pytest.raises(NotLudemic, match=r"automaton white H first .*\(1 2 e\)"):
        lud_program(rooks_and_hoppers(Letter(1, 2, "e")))
