"""The search in C, and bit boards: values of the search in Python, and published ones."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from learned import learned
from random_models import random_model

from grl.compiler import compilers
from grl.engine.engine import Engine, State
from grl.model import Literal
from grl.players.dropline import BitBoard, Form, agrees, form_of, form_of_engine
from grl.players.interface import Budget, plies_to_end
from grl.players.minimax import Search
from grl.players.solver import Solver
from grl.players.swift import Swift
from grl.rulebook import Rulebook

pytestmark = [
    pytest.mark.skipif(not compilers(), reason="there is no C compiler"),
    pytest.mark.usefixtures("best_compiler"),
]

SETS = Path(__file__).parents[3] / "shared" / "data" / "connect4"
SWITCHES = (
    {},
    {"zero_window": False, "table": False},
    {"zero_window": False, "table": False, "order": False, "prune": False},
)


def a_model(name: str | int) -> Rulebook:
    """What is learned of a reference game, or a random model by its number."""
    return learned(name) if isinstance(name, str) else Rulebook(random_model(name))


def random_state(engine: Engine, chance: random.Random, most: int) -> State:
    """A state of a random game, in which it goes on."""
    state = engine.initial
    for _ in range(chance.randrange(most)):
        after = state.play(chance.randrange(state.count())) if not state.over else state
        state = state if after.over else after
    return state


@pytest.mark.parametrize(
    "name", ["connect-four", "breakthrough:width=6,height=6", "checkers", "peg-solitaire", 1, 7]
)
def test_the_search_in_c_finds_what_the_search_in_python_finds(name: str | int) -> None:
    engine, chance = a_model(name).engine(), random.Random(name)
    assert engine.native is not None
    for _ in range(6):
        state = random_state(engine, chance, 40)
        if state.over:
            continue
        for switches in SWITCHES:
            for depth in (1, 2, 3):
                budget = Budget(depth=depth)
                ours = Swift(**switches).choose(engine, state, budget)
                plain = Search(None, **switches).choose(engine, state, budget)
                found = (ours.value, ours.depth, ours.proven)
                assert found == (plain.value, plain.depth, plain.proven), (switches, depth)


def test_negamax_in_c_plays_all_games_of_tic_tac_toe() -> None:
    engine = learned("tic-tac-toe").engine()
    plain = Swift(prune=False, order=False, table=False, deepen=False, zero_window=False)
    answer = plain.choose(engine, engine.initial, Budget())
    # 549,946 positions are published, the empty board among them
    assert (answer.value, answer.proven, answer.nodes) == (0, True, 549_945)


def squares(moves: list[int], form: Form) -> bytes:
    """A board after stones in files, as its player to move sees it."""
    cells, heights = bytearray(form.width * form.height), [0] * form.width
    for ply, file in enumerate(moves):
        cells[heights[file] * form.width + file] = 1 + (len(moves) - ply) % 2
        heights[file] += 1
    return bytes(cells)


def played(engine: Engine, moves: list[int]) -> State:
    state = engine.initial
    for file in moves:
        names = [turn.partition(" ")[0] for turn in state.turns()]
        state = state.play([name[0] for name in names].index("abcdefghi"[file]))
    return state


@pytest.mark.parametrize("name", ["30_07", "20_07", "30_14", "20_14"])
def test_published_positions_of_connect_four_are_solved(name: str) -> None:
    path = SETS / f"{name}.txt"
    if not path.exists():
        pytest.skip(f"no file {path}: it lies outside the repository")
    engine = learned("connect-four").engine()
    form = form_of_engine(engine)
    assert form is not None
    bits = BitBoard(form)
    wrong = []
    for line, text in enumerate(path.read_text().splitlines(), start=1):
        _, _, _, value, *moves = map(int, text.split())
        cells = squares(moves, form)
        score = bits.score(cells)
        assert score is not None
        plies = bits.plies(cells, score)
        state = played(engine, moves)
        if not state.over:
            answer = Swift().choose(engine, state, Budget())
            assert answer.proven
            assert plies_to_end(answer.value) == plies
            assert (answer.value > 0) == (score > 0)
        if plies is None:
            plies, score = 86 - (len(cells) - len(moves)), 1  # a draw once all squares are full
            wrong += [line] if abs(value) != 86 - plies else []
        elif value != (86 - plies) * (1 if score > 0 else -1):
            wrong.append(line)
    # there the file says that a win takes five plies where it takes three
    assert wrong == ([14] if name == "20_07" else [])


@pytest.mark.parametrize(
    ("width", "height", "line", "score"),
    [(4, 4, 4, 0), (5, 4, 4, 0), (4, 5, 4, 0), (5, 5, 4, 0), (6, 4, 4, -1), (9, 8, 3, 1)],
)
def test_small_boards_have_the_published_results(
    width: int, height: int, line: int, score: int
) -> None:
    """Tromp's table of results on boards of other sizes; three in a row are the first player's."""
    bits = BitBoard(Form(width, height, line, ("x", "o")))
    found = bits.score(bytes(width * height))
    assert found is not None
    assert (found > 0) - (found < 0) == score


def test_bit_boards_find_what_search_finds_on_other_boards() -> None:
    engine = learned("connect-four:width=5,height=4", 6).engine()
    form, chance = form_of_engine(engine), random.Random(5)
    assert form == Form(5, 4, 4, ("x", "o"))
    for _ in range(12):
        state = random_state(engine, chance, 14)
        plain = Swift().choose(engine, state, Budget())
        assert plain.proven
        answer = Solver(1 << 12).choose(engine, state, Budget())
        assert (answer.value, answer.proven) == (plain.value, True)
        bits = BitBoard(form, 1 << 12)
        cells = form.seen(state)
        score = bits.score(cells)
        assert score is not None
        assert bits.plies(cells, score) == plies_to_end(plain.value)


def test_only_models_whose_rules_say_so_have_the_form() -> None:
    model = learned("connect-four").model
    rules = model.rules
    assert rules is not None
    assert form_of(model) == Form(7, 6, 4, ("x", "o"))
    for other in ("tic-tac-toe", "breakthrough:width=6,height=6", "checkers"):
        assert form_of(learned(other).model) is None
    line = rules.endings[0]
    for changed in (
        replace(rules, restrictions=()),
        replace(rules, endings=(replace(line, value=(100, 0)),)),
        replace(rules, endings=(replace(line, body=(Literal(line.body[0].feature, False),)),)),
        replace(rules, endings=(*rules.endings, line)),
        replace(rules, frames=dict.fromkeys(rules.frames, "mirror")),
    ):
        assert form_of(replace(model, rules=changed)) is None


def test_a_form_that_a_model_has_not_is_found_out() -> None:
    engine = learned("connect-four").engine()
    form = form_of_engine(engine)
    assert form is not None
    assert agrees(BitBoard(form, 1), engine, games=10)
    assert not agrees(BitBoard(form._replace(line=3), 1), engine, games=10)
    assert not agrees(BitBoard(form._replace(line=5), 1), engine, games=10)
