"""Where first segments end: sets of hands say what all turns, made one by one, say."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import replace
from random import Random

import castling_game
import numpy as np
import pytest
from differential import Met, compare, reference_of
from random_models import random_model, random_position

from grl.board import Position
from grl.compiler import compilers, load
from grl.engine.ends import ALWAYS, MAYBE, open_starts, stages_of
from grl.engine.graph import alphabet, graphs
from grl.engine.native import Native
from grl.engine.source import program
from grl.model import Literal, Model, Rule, Rules
from grl.rulebook import Rulebook
from grl.rules.features.vocabulary import reached
from grl.rules.play.effects import generator_of

PROBE = """
EXPORT void probe(Space *p, const State *s, signed char *found, signed char *known) {
  Ground g = {.state = s, .me = s->to_move, .space = p};
  for (int seat = 0; seat < PLAYERS; seat++)
    for (int q = 0; q < SQUARES; q++) {
      p->depth = p->failed = 0;
      *found++ = (signed char)reaches(&g, seat, set_of(q));
      *known++ = (signed char)ends_in(s->pieces, (s->to_move + seat) % PLAYERS, set_of(q));
    }
}
"""
"""By seat and square whether a first segment ends there, and what sets of hands say of it."""
UNKNOWN = -1


def asking(model: Model) -> Model:
    """The model with a rule that asks where turns end."""
    players = model.equipment.players
    goal = Literal(reached("empty", 0), True)
    rules = Rules(dict.fromkeys(players, "identity"), endings=(Rule((goal,), (0,) * len(players)),))
    return replace(model, rules=rules)


def boards(model: Model, number: int) -> list[Position]:
    chance = Random(number)
    return [model.initial, *(random_position(chance, model.equipment) for _ in range(number))]


def castles() -> tuple[Model, list[Position]]:
    model = castling_game.model()
    return model, list(castling_game.positions(model.equipment, 30, 2))


def drawn(seed: int, setwise: bool) -> tuple[Model, list[Position]]:
    model = random_model(seed, setwise=setwise)
    return model, boards(model, 20)


MODELS = {
    "kings that castle": castles,
    "ties": lambda: drawn(3, False),
    "flights and hands": lambda: drawn(10, False),
    "110 squares": lambda: drawn(16, True),
}


@pytest.mark.skipif(not compilers(), reason="there is no C compiler")
@pytest.mark.parametrize("name", MODELS)
def test_segments_end_where_those_of_all_turns_do(name: str) -> None:
    given, positions = MODELS[name]()
    model = asking(given)
    written = program(model)
    loaded = load(written.text + PROBE)
    native = Native(model, written.facts, loaded, lambda: loaded.library)
    generator = generator_of(model)
    players, size = model.equipment.players, model.equipment.board.size
    met: Counter[object] = Counter()
    for position in positions:
        found, known = np.zeros((2, len(players), size), dtype=np.int8)
        pointers = (ctypes.c_void_p(each.ctypes.data) for each in (found, known))
        loaded.library.probe(ctypes.c_void_p(native.space), native.state(position), *pointers)
        for seat in range(len(players)):
            mover = players[(players.index(position.to_move) + seat) % len(players)]
            turns = generator(replace(position, to_move=mover))
            ends = np.zeros(size, dtype=np.int8)
            ends[[turn.ends[0] for turn in turns]] = 1
            assert found[seat].tolist() == ends.tolist(), (position.rows, mover)
            sure = known[seat] != UNKNOWN
            assert known[seat][sure].tolist() == ends[sure].tolist(), (position.rows, mover)
            met.update(zip(known[seat].tolist(), ends.tolist(), strict=True))
    # Some is decided by sets, and some by a walk, which says both.
    assert met[0, 0] > met[1, 1] > 20
    assert met[UNKNOWN, 1] > 0
    assert met[UNKNOWN, 0] > 0


def test_only_the_squares_to_which_kings_castle_are_left_to_the_walk() -> None:
    model = castling_game.model()
    letters = alphabet(model)
    for graph, king in zip(graphs(model), "Kk", strict=True):
        stages = stages_of(graph, model.equipment, letters, hands=False, whole=True)
        assert open_starts(stages) == (king,)
        # Three pieces that begin, the king's second step, the four slides of a rook, what the guard
        # takes, what is removed there, and all squares where a turn simply ends.
        assert Counter(stage.ends for stage in stages) == {ALWAYS: 6, MAYBE: 1, 0: 5}


WATCHED = {2: "opposing", 4: "own", 7: "opposing:king", 11: "own", 16: "opposing"}
"""Random models whose turns are found as sets, and what no turn may leave within reach."""


@pytest.mark.skipif(not compilers(), reason="there is no C compiler")
@pytest.mark.parametrize("seed", WATCHED)
def test_turns_are_left_where_nothing_is_reached_after_them(seed: int) -> None:
    model = replace(random_model(seed, setwise=True), effects=())
    players = model.equipment.players
    rule = Rule((Literal(("after", reached(WATCHED[seed], 0)), True),))
    rules = Rules(dict.fromkeys(players, "identity"), restrictions=(rule,))
    model = replace(model, rules=rules)
    assert "(c->state->pieces" in program(model).text  # of most turns a position says it
    reference, engine = reference_of(model), Rulebook(model).engine()
    positions, met = boards(model, 40), Met()
    assert not [str(each) for each in compare(reference, engine, positions, met)]
    free = reference_of(replace(model, rules=None))
    assert met.counts["turns"] > 0
    assert any(len(reference.legal(p)) < len(free.legal(p)) for p in positions)
