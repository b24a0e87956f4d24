"""What the walk remembers: search states that it met, and squares that ties ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from differential import reference_of

from grl.board import Board, Equipment, Piece, Player, make_position
from grl.engine.graph import alphabet, graphs
from grl.engine.ties import decided
from grl.model import AutomatonKey, Dfa, Machine, Model, Role, StateId, Tie
from grl.rulebook import Rulebook
from grl.turn import Letter

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "m": Piece("m", WHITE, "man"),
    "k": Piece("k", WHITE, "king"),
    "M": Piece("M", BLACK, "man"),
}
UP, LEFT, RIGHT = Letter(0, 1, "e"), Letter(-1, 0, "e"), Letter(1, 0, "e")

Ways = Iterable[tuple[int, Letter, int]]


def automaton(
    holds: str, role: Role, ways: Ways, accepting: Collection[int], continuing: Collection[int] = ()
) -> Dfa:
    transitions = tuple((StateId(s), letter, StateId(t)) for s, letter, t in ways)
    size = 1 + max([0, *(max(s, t) for s, _, t in transitions)])
    ends = (frozenset(map(StateId, some)) for some in (accepting, continuing))
    return Dfa(AutomatonKey(WHITE, holds, role), size, transitions, *ends)


def model_of(
    rows: list[str], automata: Iterable[Dfa], machines: tuple[Machine, ...] = (), segments: int = 1
) -> Model:
    equipment = Equipment(Board(len(rows[0]), len(rows)), (WHITE, BLACK), PIECES)
    position = make_position(equipment, rows, "white")
    in_order = tuple(sorted(automata, key=lambda dfa: dfa.key))
    return Model("walk", equipment, position, in_order, machines, segments=segments)


def turns(model: Model) -> list[str]:
    """The turns that an engine finds, which are those of the reference."""
    found = Rulebook(model).engine().initial.turns()
    assert found == [str(turn) for turn in reference_of(model).legal(model.initial)]
    return found


def test_states_that_differ_in_the_first_square_are_two() -> None:
    ahead = automaton("m", Role.FIRST, [(0, UP, 1)], [], [1])
    onto = [(0, Letter(1, 0, "w"), 2), (0, RIGHT, 1), (1, LEFT, 2)]
    crowned = automaton("m", Role.LATER, [*onto, (2, Letter(0, 0, "a", "k"), 3)], [3])
    king = automaton("k", Role.APPEARED, [], [0])
    model = model_of(["....", "mm.m"], [ahead, crowned, king], segments=2)
    # A king comes to stand on b1 in either, but the man of a1 is gone in one alone.
    assert {"d1 (0 1 e); a1 (1 0 w) (0 0 a k)", "d1 (0 1 e); b1 (1 0 e) (-1 0 e) (0 0 a k)"} <= set(
        turns(model)
    )


def test_a_tie_keeps_the_square_from_which_a_piece_was_reached() -> None:
    onto = Letter(1, 0, "p")
    either = [(0, onto, 1), (0, Letter(0, 1, "p"), 1), (1, onto, 2)]
    ways = automaton("m", Role.FIRST, either, [1, 2])
    loop, start = ((StateId(0), "move_man", 0, StateId(0)),), frozenset({StateId(0)})
    for first, two_steps in ((1, False), (2, True)):
        ties = (Tie("move_man", first, "move_man", 1),)
        machines = (
            Machine(WHITE, "m", "zero", 1, loop, start, start),
            Machine(WHITE, "m", "square", 1, loop, start, start, ties=ties),
        )
        found = turns(model_of(["MM..", "mMM."], [ways], machines))
        assert ("a1 (1 0 p) (1 0 p)" in found) == two_steps


def test_a_tie_of_a_step_and_the_next_holds_whatever_the_direction() -> None:
    slides = [(0, UP, 1), (1, UP, 1), (0, RIGHT, 2), (2, RIGHT, 2)]
    onto = [(1, Letter(0, 1, "p"), 3), (2, Letter(1, 0, "p"), 3)]
    ways = automaton("m", Role.FIRST, [*slides, *onto], [1, 2, 3])
    loop, start = ((StateId(0), "move_man", 0, StateId(0)),), frozenset({StateId(0)})
    for second in (1, 2):  # it begins where the one before ended; or it would end there
        machines = (
            Machine(WHITE, "m", "zero", 1, loop, start, start),
            Machine(
                WHITE, "m", "square", 1, loop, start, start,
                ties=(Tie("move_man", 2, "move_man", second),),
            ),
        )  # fmt: skip
        model = model_of(["M...", "....", "m..M"], [ways], machines)
        graph = decided(graphs(model)[0], alphabet(model), tree=True)
        assert graph.registers == second - 1
        assert len(turns(model)) == (5 if second == 1 else 2)
