"""Squares that LOCM ties together: a turn that breaks a learned relation is not generated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from learned import learned, learned_from

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.locm.machines import SEEN, find_ties, learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.model import AutomatonKey, Dfa, Model, Role, StateId, Tie
from grl.modelfile import from_data, to_data
from grl.moves.binding import with_binding
from grl.moves.search import Searcher
from grl.sgrl.evidence import Decision, Evidence
from grl.turn import Turn, parse_letter

WHITE, BLACK = Player("white"), Player("black")


def equipment(width: int, height: int, pieces: dict[str, str]) -> Equipment:
    """Pieces of white by key, an arrow that belongs to nobody."""
    owned = {key: Piece(key, None if key == "x" else WHITE, name) for key, name in pieces.items()}
    return Equipment(Board(width, height), (WHITE, BLACK), owned)


def dfa(
    holds: str, role: Role, words: list[str], *, accepting: bool = True, continuing: bool = False
) -> Dfa:
    """The automaton of some words, all ending in its last states."""
    transitions, ends, size = {}, set(), 1
    for word in words:
        state = 0
        for text in [part + ")" for part in word.split(")") if part]:
            letter = parse_letter(text.strip())
            if (state, letter) not in transitions:
                transitions[state, letter] = size
                size += 1
            state = transitions[state, letter]
        ends.add(StateId(state))
    return Dfa(
        AutomatonKey(WHITE, holds, role),
        size,
        tuple((StateId(s), letter, StateId(t)) for (s, letter), t in transitions.items()),
        frozenset(ends if accepting else ()),
        frozenset(ends if continuing else ()),
    )


def model_from(
    setting: Equipment, automata: list[Dfa], seen: list[tuple[list[str], str]], times: int = SEEN
) -> Model:
    """A model with these automata and the machines of some turns, given with their positions."""
    plans, writer = Plans(), PlanWriter(setting)
    for rows, turn in seen:
        position = make_position(setting, rows, "white")
        written = writer.write(Decision(WHITE, position.cells, (), True), turn)
        assert written is not None
        plans.observe(*written, times)
    return Model(
        game="fixture",
        equipment=setting,
        initial=make_position(setting, seen[0][0], "white"),
        automata=tuple(automata),
        machines=tuple(learn_machines(plans)),
        segments=2,
    )


def turns(model: Model, rows: list[str], *, locm: bool = True) -> set[str]:
    position: Position = make_position(model.equipment, rows, "white")
    return {str(turn) for turn in Searcher(model, locm=locm).turns(position)}


SHORT = "e1 (1 0 e) (1 0 e); h1 (-1 0 w) (-1 0 e)"
LONG = "e1 (-1 0 e) (-1 0 e); a1 (1 0 e) (1 0 w) (1 0 e)"


def castling(times: int = SEEN) -> Model:
    rows = ["R...K..R"]
    words = ["(1 0 e)(1 0 e)", "(-1 0 e)(-1 0 e)"]
    hop = ["(-1 0 w)(-1 0 e)", "(1 0 e)(1 0 w)(1 0 e)"]
    return model_from(
        equipment(8, 1, {"K": "king", "R": "rook", "B": "bishop"}),
        [
            dfa("K", Role.FIRST, words, accepting=False, continuing=True),
            dfa("R", Role.LATER, hop),
        ],
        [(rows, SHORT), (rows, LONG)],
        times,
    )


def test_the_rook_passes_the_king_and_nobody_else() -> None:
    model = castling()
    assert turns(model, ["R...K..R"]) == {SHORT, LONG}
    crowded = ["R.B.K..R"]
    assert turns(model, crowded) == {SHORT}
    assert turns(model, crowded, locm=False) == {
        SHORT,
        "e1 (1 0 e) (1 0 e); a1 (1 0 e) (1 0 w) (1 0 e)",
    }


def test_the_ties_of_castling_are_found() -> None:
    (squares,) = [m for m in castling().machines if m.sort == "square"]
    assert Tie("move_king", 2, "move_over_rook", 2) in squares.ties
    assert Tie("move_king", 1, "move_over_rook", 3) in squares.ties


def test_a_tie_is_believed_after_some_turns_only() -> None:
    model = castling(times=1)
    assert all(not tie.after.startswith("move_over") for m in model.machines for tie in m.ties)
    assert len(turns(model, ["R.B.K..R"])) == 2


def records(rows: list[str]) -> Evidence:
    """Positions of castling; all turns are known, only the rook beside the king castles."""
    setting = castling().equipment
    return Evidence(
        {
            Decision(WHITE, make_position(setting, [row], "white").cells, (), True): (
                {SHORT: 1} if row.endswith("R") else {}
            )
            for row in rows
        }
    )


CROWDED = ["R.B.K..R", "R.R.K..R", "R.B.K..B", "R.R.K..B", "R.B.K...", "R.R.K..."]
"""The far rook could hop over its neighbour, where no tie kept it."""


def test_ties_bind_where_the_records_refuse_what_they_refuse() -> None:
    bound = with_binding(castling(), records(CROWDED))
    (squares,) = [m for m in bound.machines if m.sort == "square"]
    assert Tie("move_king", 2, "move_over_rook", 2) in squares.ties
    assert Tie("move_king", 1, "move_king", 1) not in squares.ties
    assert all(turns(bound, [row]) <= {SHORT} for row in CROWDED)


@pytest.mark.parametrize("rows", [CROWDED[:2], ["R...K..R"], []])
def test_ties_for_which_no_records_speak_forbid_nothing(rows: list[str]) -> None:
    model = castling()
    bound = with_binding(model, records(rows))
    assert all(not machine.ties for machine in bound.machines)
    assert [m.idle_ties for m in bound.machines] == [m.ties for m in model.machines]
    assert turns(bound, ["R.B.K..R"]) == turns(model, ["R.B.K..R"], locm=False)
    assert from_data(to_data(bound)) == bound


def test_the_arrow_appears_only_where_the_queen_stopped() -> None:
    setting = equipment(4, 3, {"Q": "queen", "x": "arrow"})
    shot = "a1 (1 0 e); b1 (0 0 a x) (0 1 e)"
    model = model_from(
        setting,
        [
            dfa("Q", Role.FIRST, ["(1 0 e)"], accepting=False, continuing=True),
            dfa("Q", Role.LATER, ["(0 0 a x)"], accepting=False),
            dfa("x", Role.APPEARED, ["(0 1 e)"]),
        ],
        [(["....", "....", "Q..Q"], shot)],
    )
    rows = ["....", "...Q", "Q..."]
    assert turns(model, rows) == {shot}
    assert turns(model, rows, locm=False) == {shot, "a1 (1 0 e); d2 (0 0 a x) (0 1 e)"}


@pytest.mark.parametrize(("mover", "piece"), [("white", "q"), ("black", "Q")])
def test_amazons_learns_where_the_arrow_appears(mover: str, piece: str) -> None:
    machines = learned("amazons:width=6,height=6").model.machines
    (squares,) = [m for m in machines if (m.mover, m.piece, m.sort) == (mover, piece, "square")]
    assert Tie("move_queen", 2, "appear_arrow", 1) in squares.idle_ties
    assert Tie("appear_arrow", 1, "move_arrow", 1) in squares.idle_ties
    assert not squares.ties  # The automata alone let the arrow appear nowhere else.


def test_in_a_mill_the_removal_follows_the_placing() -> None:
    """Without roles, only the machines order segments; without both, any segment goes first."""
    model = learned_from("nine_mens_morris.jsonl.gz").model
    rows = [*model.initial.rows]
    rows[-1] = rows[-1].replace(".", "W", 1)
    rows[0] = rows[0].replace(".", "B", 1)
    position = make_position(model.equipment, rows, "white", model.initial.reserve)

    def removes_first(searcher: Searcher) -> list[Turn]:
        return [t for t in searcher.turns(position) if t.segments[0].letters[0].removes]

    assert removes_first(Searcher(model, locm=False, roles=False))
    assert not removes_first(Searcher(model, roles=False))
    assert len(Searcher(model, roles=False).turns(position)) < len(
        Searcher(model, locm=False, roles=False).turns(position)
    )


def test_ties_hold_for_the_latest_of_two_actions() -> None:
    plans, writer = Plans(), PlanWriter(equipment(8, 1, {"K": "king"}))
    for turn in ("a1 (1 0 e) (1 0 e) (1 0 e)", "a1 (1 0 e) (1 0 e)"):
        written = writer.write(Decision(WHITE, "K.......", (), True), turn)
        assert written is not None
        plans.observe(*written, SEEN)
    (patterns,) = plans.patterns.values()
    assert find_ties(patterns) == (Tie("move_king", 2, "move_king", 1),)


def test_a_model_file_keeps_ties() -> None:
    model = castling()
    again = from_data(to_data(replace(model, machines=model.machines)))
    assert again.machines == model.machines
