"""The games in GDL: clingo plays them as independent engines and published counts say."""

import itertools
import random
from collections.abc import Callable, Iterator

import clingo
import gdl_play
import pytest
from gdl_play import Moves, Rules, State
from reversing_game import Reversing

from grl.board import Position
from grl.games import Game, load
from grl.iggp import read_task

NOOP = clingo.Function("noop")


def text_of(name: str) -> str:
    return (gdl_play.GAMES / f"{name}.kif").read_text(encoding="utf-8")


def moves_of(rules: Rules, state: State) -> list[Moves]:
    """What may be done where at most one role has a choice."""
    choices = [state.moves(role) for role in rules.roles]
    (mover,) = [i for i, found in enumerate(choices) if found != (NOOP,)] or [0]
    return [tuple(m if i == mover else c[0] for i, c in enumerate(choices)) for m in choices[mover]]


def after(rules: Rules, state: State) -> list[State]:
    return [rules.next_state(state, moves) for moves in moves_of(rules, state)]


def terms(state: State) -> frozenset[str]:
    return frozenset(map(str, state.facts))


@pytest.mark.parametrize("path", gdl_play.games(), ids=lambda path: path.stem)
def test_games_end_and_everybody_has_a_move_and_a_value(path):
    rules = gdl_play.read_rules(path)

    *before, (last, moves) = gdl_play.played(rules, random.Random(2))

    assert before
    assert last.terminal
    assert not moves
    assert not any(state.terminal for state, _ in before)


def test_there_are_twenty():
    assert len(gdl_play.games()) == 20


def kalah_position(position: Position) -> tuple[frozenset[str], bool]:
    pits = {"b1": "s1", "c1": "s2", "d1": "s3", "e1": "ss"}
    pits |= {"d2": "n1", "c2": "n2", "b2": "n3", "a2": "ns"}
    keys = ".123456789ABCDEF"
    names = position.board.names
    seeds = {
        f"seeds({pits[names[s]]},{keys.index(content)})"
        for s, content in enumerate(position.cells)
        if names[s] in pits
    }
    return frozenset(seeds), position.to_move == "south"


def kalah_state(state: State) -> tuple[frozenset[str], bool]:
    facts = terms(state)
    return frozenset(f for f in facts if f.startswith("seeds")), "control(south)" in facts


def reversi_position(position: Position) -> tuple[frozenset[str], bool]:
    owners = {"x": "black", "o": "white"}
    names = position.board.names
    discs = {
        f"cell({'.dcba'.index(names[s][0])},{names[s][1:]},{owners[content]})"  # mirrored
        for s, content in enumerate(position.cells)
        if content in owners
    }
    return frozenset(discs), position.to_move == "black"


def reversi_state(state: State) -> tuple[frozenset[str], bool]:
    facts = terms(state)
    return frozenset(f for f in facts if f.startswith("cell")), "control(black)" in facts


@pytest.mark.parametrize(
    ("name", "game", "of_state", "of_position", "plays"),
    [
        ("mancala", load("kalah:houses=3,seeds=2"), kalah_state, kalah_position, 9),
        ("reversi", Reversing(4), reversi_state, reversi_position, 9),
    ],
    ids=["kalah", "reversi"],
)
def test_it_agrees_with_an_engine(
    name: str,
    game: Game,
    of_state: Callable[[State], object],
    of_position: Callable[[Position], object],
    plays: int,
):
    rules = Rules(text_of(name))
    rng = random.Random(1)
    for _ in range(plays):
        state, position = rules.initial, game.initial
        while not state.terminal:
            assert of_state(state) == of_position(position)
            assert not game.is_terminal(position)
            found = {of_state(s): s for s in after(rules, state)}
            expected = {
                of_position(p): p for p in (game.play(position, t) for t in game.legal(position))
            }
            assert found.keys() == expected.keys()
            chosen = rng.choice(sorted(found, key=str))
            state, position = found[chosen], expected[chosen]
        assert game.is_terminal(position)
        goals = {str(role): value.number for role, value in state.goal}
        assert goals == {str(role): value for role, value in game.goals(position).items()}


def turns(rules: Rules, state: State) -> Iterator[State]:
    """The states after a whole turn of draughts: captures go on with the same piece."""
    for following in after(rules, state):
        if any(fact.startswith("going_on") for fact in terms(following)):
            yield from turns(rules, following)
        else:
            yield following


EIGHT_SQUARES = {
    "(coordinate 6)": "(coordinate 6) (coordinate 7) (coordinate 8)",
    "white_man 6": "white_man 8",
    "(<= (init (cell ?x 5 black_man)) (dark ?x 5))": """
        (<= (init (cell ?x 3 white_man)) (dark ?x 3))""",
    "(<= (init (cell ?x 6 black_man)) (dark ?x 6))": """
        (<= (init (cell ?x 6 black_man)) (dark ?x 6))
        (<= (init (cell ?x 7 black_man)) (dark ?x 7))
        (<= (init (cell ?x 8 black_man)) (dark ?x 8))""",
}


def test_draughts_on_eight_squares_has_the_published_counts():
    text = text_of("draughts")
    for old, new in EIGHT_SQUARES.items():
        assert old in text
        text = text.replace(old, new)
    rules = Rules(text)

    first = list(turns(rules, rules.initial))
    second = [state for one in first for state in turns(rules, one)]

    # Aart Bik, Computing Deep Perft and Divide Numbers for Checkers
    assert len(first) == 7
    assert len(second) == 49
    assert sum(len(moves_of(rules, state)) for state in second) == 302


@pytest.mark.parametrize(("name", "positions", "steps"), [("hanoi", 81, 15), ("river", 15, 11)])
def test_a_puzzle_has_its_number_of_positions_and_its_shortest_solution(
    name: str, positions: int, steps: int
):
    """3 ** n positions and 2 ** n - 1 moves of n discs; 11 crossings, and 16 positions.

    One of the 16 is the last one's mirror image, to which only the end of the game leads.
    """
    rules = Rules(text_of(name))
    begun = clingo.Function("step", [clingo.Number(0)])
    seen, layer = {rules.initial}, {rules.initial}
    solved = 0
    for depth in itertools.count(1):
        found = {
            rules.state({fact for fact in following if fact.name != "step"} | {begun})
            for state in layer
            if not state.terminal
            for following in (rules.following(state, moves) for moves in moves_of(rules, state))
        }
        layer = {s for s in found - seen if not s.terminal or won(s)}
        seen |= layer
        if not layer:
            break
        if not solved and any(map(won, layer)):
            solved = depth
    assert len(seen) == positions
    assert solved == steps


def won(state: State) -> bool:
    return all(value.number == 100 for _, value in state.goal)


def test_files_hold_the_four_targets_and_every_state_once(tmp_path):
    rules = Rules(text_of("river"))
    for folder in ("one", "two"):
        gdl_play.write_tasks("river", rules, tmp_path / folder, seed=3)

    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == 12
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    for target in gdl_play.TARGETS:
        tasks = [
            read_task(tmp_path / "one" / f"river_{target}_{split}.dat")
            for split in ("train", "validate", "test")
        ]
        states = [frozenset(state.background) for task in tasks for state in task.states]
        assert len(set(states)) == len(states)
        assert len({task.atoms for task in tasks}) == 1
        assert len({task.statics for task in tasks}) == 1


def test_atoms_are_written_as_in_the_data_set():
    assert (
        gdl_play.dat_atom(clingo.parse_term("legal(white,mark(1,2))")) == "legal_mark(white, 1, 2)"
    )
    assert gdl_play.dat_atom(clingo.parse_term("does(white,noop)")) == "does(white, noop)"
    assert gdl_play.dat_atom(clingo.parse_term("true(caught)")) == "true(caught)"
    assert gdl_play.dat_atom(clingo.parse_term("terminal")) == "terminal()"


@pytest.mark.parametrize("text", ["(role a", "(role a))", "(role a) (<= p (not q)) (<= q (not p))"])
def test_what_is_no_game_is_refused(text: str):
    with pytest.raises(ValueError, match=r"bracket|stratified"):
        _ = Rules(text).initial
